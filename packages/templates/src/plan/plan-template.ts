import { Budget } from "../budget.ts";
import type { EvaluationScope } from "../expressions/evaluate.ts";
import { parseTemplateString } from "../expressions/expression-parser.ts";
import { define, type FunctionDefinition } from "../functions/function-call.ts";
import { functionTable } from "../functions/pure-functions.ts";
import type { ResourceIdScope } from "../functions/resource-ids.ts";
import type { Pausing } from "../pausing.ts";
import { fromJson, fromJsonPausing } from "../values/json-conversion.ts";
import type { ObjectValue, Value } from "../values/value.ts";
import { lambdaHolds } from "./apply-lambda.ts";
import { parseAzureScope, scopeOfKind } from "./azure-scope.ts";
import { checkNestedTemplates } from "./check-nested.ts";
import { checkReads } from "./check-reads.ts";
import { checkTypes } from "./check-types.ts";
import { isRuntime } from "./compiled.ts";
import { contextFunctions } from "./context-functions.ts";
import type { DependencyGraph } from "./dependency-graph.ts";
import { evaluatePausing, type CompiledEnvironment } from "./evaluate-compiled.ts";
import { ResourceExpansion } from "./expand-resources.ts";
import { ExtensionValues } from "./extension-values.ts";
import { defaultLimits } from "./limits.ts";
import { LoopStack } from "./loop-stack.ts";
import { checkLength } from "./measured-json.ts";
import { ParameterValues } from "./parameter-values.ts";
import type { Plan, PlanFailure, PlanInput, PlanLimits, PlanNode, PlannedOutput } from "./plan.ts";
import { Pending, PlanProblem, ProblemLog } from "./plan-problem.ts";
import { PreparedPlan } from "./prepared-plan.ts";
import { compileProgram, type FunctionSignatures, type Program } from "./program.ts";
import { orderResources, readTargets } from "./resource-dependencies.ts";
import type { ResourceInstance } from "./resource-instance.ts";
import { ResourcePlacement } from "./resource-placement.ts";
import { runtimeSignatures } from "./runtime-functions.ts";
import { Taint, type TaintDeps } from "./taint.ts";
import { readTemplate, type TemplateSource } from "./template-source.ts";
import { apiTypeName, TypeDefinitions } from "./type-node.ts";
import { userFunctions } from "./user-functions.ts";
import { VariableValues } from "./variable-values.ts";

/**
 * Works out what a template deploys and in which order: reads and checks all of it, resolves parameters, expands loops
 * and conditions, and evaluates whatever does not have to wait for a resource. Never throws over its input.
 */
export function* planTemplate(input: PlanInput): Pausing<Plan | PlanFailure> {
  const log = new ProblemLog();
  const plan = yield* log.attemptAll("$", () => new Planner(input, log).plan());
  return plan === undefined || log.failed ? { kind: "failed", errors: log.errors } : plan;
}

/** Bodies that took more steps together are evaluated again when they are sent: they would fill the memory. */
const maxKeptSteps = 2_000_000;

class Planner {
  readonly #input: PlanInput;
  readonly #log: ProblemLog;
  readonly #limits: PlanLimits;
  readonly #budget: Budget;
  readonly #loops = new LoopStack();

  constructor(input: PlanInput, log: ProblemLog) {
    this.#input = input;
    this.#log = log;
    this.#limits = { ...defaultLimits, ...input.limits };
    this.#budget = input.budget?.share() ?? new Budget(this.#limits.steps);
  }

  *plan(): Pausing<Plan | undefined> {
    const budget = this.#budget;
    const log = this.#log;
    const limits = this.#limits;
    const document = yield* fromJsonPausing(this.#input.template, budget);
    yield* checkLength(document, limits.templateLength, budget, "$");
    const source = yield* readTemplate(document, { path: "$", log, limits, budget });
    if (source === undefined) {
      return undefined;
    }
    const azure = this.#azureScope(source);
    const definitions = new TypeDefinitions(source.definitions);
    const context = contextFunctions({
      deployment: this.#input.deployment,
      deploymentProperties: () => deploymentProperties(source.document, parameters),
      scopes: this.#input.scopes,
      azure,
      surroundings: this.#input.surroundings ?? {},
      now: this.#input.now,
      newGuid: this.#input.newGuid,
    });
    const signatures = signaturesOf(context);
    const program = yield* compileProgram(source, { signatures, log, budget });
    yield* checkNestedTemplates(program, { signatures, limits, log, budget });
    if (!(yield* checkTypes(source, log, budget))) {
      return undefined; // checking values against them would say the same again
    }
    const values = this.#values(program, definitions, context);
    const { parameters, environment } = values;
    yield* parameters.readGiven();
    const resolved = yield* parameters.resolveAll();
    if (log.failed) {
      return undefined;
    }
    const taint = values.taint();
    const planned = yield* taint.markParameters(resolved, parameters.secrets);
    log.hide(parameters.secrets);
    const expansion = values.expansion(new ResourcePlacement(this.#input.scopes, azure), taint);
    yield* expansion.run();
    parameters.secrets.push(...taint.extensionSecrets(values.extensions));
    log.hide(parameters.secrets);
    if (!log.failed) {
      checkReads(program, expansion.index, log);
    }
    yield* this.#checkAsserts(program, environment());
    const graph = yield* orderResources({
      expansion,
      log,
      environment,
      isSecret: (compiled) => taint.isSecret(compiled),
    });
    this.#checkDuplicates(expansion.instances);
    const read = yield* this.#readTargets(program, expansion, graph, environment);
    yield* this.#evaluateConstants(expansion.instances, environment());
    if (log.failed) {
      return undefined;
    }
    return new PreparedPlan({
      program,
      limits,
      budget,
      loops: this.#loops,
      definitions,
      scope: environment().scope,
      index: expansion.index,
      instances: new Map(expansion.instances.map((instance) => [instance.key, instance])),
      taint,
      nodes: yield* nodesOf(expansion.instances, graph, read, budget),
      parameters: planned,
      secrets: parameters.secrets,
      outputs: program.outputs.map(({ name, node }): PlannedOutput => {
        const type = definitions.typeOf(definitions.resolve(node));
        return { name, type: type === undefined ? "Object" : apiTypeName(type), secure: definitions.isSecure(node) };
      }),
    });
  }

  /** Parameters, variables, functions and extensions see one another, each through the environment of its phase. */
  #values(program: Program, definitions: TypeDefinitions, context: readonly FunctionDefinition[]) {
    const log = this.#log;
    const limits = this.#limits;
    const base = { budget: this.#budget, loops: this.#loops, maxCopies: limits.copies };
    let expansion: ResourceExpansion | undefined;
    const environment = (): CompiledEnvironment => planning;
    const parameters = new ParameterValues({
      program,
      input: this.#input,
      limits,
      log,
      definitions,
      environment,
      holds: (lambda, value, path) => this.#holds(program, lambda, value, path, planning.scope),
    });
    const variables = new VariableValues({ program, environment });
    const given = fromJson(this.#input.extensionConfigs ?? {}, this.#budget);
    const extensions = new ExtensionValues({ program, log, limits, given, environment });
    const functions: TaintDeps["functions"] = (ofScope, ofEnvironment, ofExtensions) =>
      functionTable([
        ...context,
        this.#loops.function(),
        program.shared.function(ofScope),
        ofExtensions.function(),
        resourceInfo((text) => expansion?.instance(text)),
        ...userFunctions(program, definitions, ofEnvironment),
      ]);
    const scope: EvaluationScope = {
      parameter: (name) => parameters.get(name),
      variable: (name) => variables.get(name),
      functions: functions(() => scope, environment, extensions),
    };
    const planning: CompiledEnvironment = { ...base, scope };
    return {
      parameters,
      extensions,
      environment,
      taint: () =>
        new Taint({
          program,
          input: this.#input,
          definitions,
          limits,
          budget: this.#budget,
          loops: this.#loops,
          parameters,
          functions,
        }),
      expansion: (placement: ResourcePlacement, taint: Taint) => {
        const { resources: entries, source } = program;
        const { symbolic } = source;
        expansion = new ResourceExpansion({
          entries,
          symbolic,
          limits,
          log,
          loops: this.#loops,
          extensions,
          placement,
          taint,
          environment,
        });
        return expansion;
      },
    };
  }

  #holds(program: Program, lambda: Value, value: Value, path: string, scope: EvaluationScope): boolean {
    const parsed = typeof lambda === "string" ? parseTemplateString(lambda, this.#limits) : undefined;
    if (parsed?.kind !== "expression") {
      throw new PlanProblem("InvalidShape", "The first argument of validate must be a lambda.", path);
    }
    return lambdaHolds(parsed.expression, value, scope, this.#budget);
  }

  /** Where Azure resources of this template go; without Azure, only templates for resource groups will do. */
  #azureScope(source: TemplateSource): ResourceIdScope | undefined {
    const { az } = this.#input.scopes;
    const given = az === undefined ? undefined : parseAzureScope(az);
    if (az !== undefined && given === undefined) {
      this.#log.add("MissingScope", "scopes.az", `"${az}" is no scope of Azure.`);
    }
    const scope = given === undefined ? undefined : scopeOfKind(given, source.scopeKind);
    if (scope === undefined && (given !== undefined || source.scopeKind !== "resourceGroup")) {
      const what = {
        resourceGroup: "resource group",
        subscription: "subscription",
        managementGroup: "management group",
        tenant: "tenant",
      };
      const message = `The template is one for a ${what[source.scopeKind]} of Azure, which the deployment does not have.`;
      this.#log.add("MissingScope", "$.$schema", message);
    }
    return scope;
  }

  *#checkAsserts(program: Program, environment: CompiledEnvironment): Pausing<void> {
    for (const { name, path, value } of program.asserts) {
      const holds = yield* this.#log.attemptSlices(path, () => evaluatePausing(value, environment));
      if (holds !== undefined && holds !== true) {
        this.#log.add("AssertionFailed", path, `The assertion "${name}" does not hold.`);
      }
    }
  }

  #checkDuplicates(instances: readonly ResourceInstance[]): void {
    const seen = new Map<string, ResourceInstance>();
    for (const instance of instances) {
      const [id] = instance.ids;
      if (id === undefined || !instance.deployed || instance.entry.existing) {
        continue;
      }
      const other = seen.get(id.toLowerCase());
      if (other !== undefined) {
        const message = `The resource "${id}" is deployed twice, as "${other.key}" and "${instance.key}".`;
        this.#log.add("DuplicateResource", instance.entry.path, message);
      }
      seen.set(id.toLowerCase(), instance);
    }
  }

  /** Keys of everything that a resource waits for or an output reads. */
  *#readTargets(
    program: Program,
    expansion: ResourceExpansion,
    graph: DependencyGraph,
    environment: () => CompiledEnvironment,
  ): Pausing<ReadonlySet<string>> {
    const read = yield* graph.targets(this.#budget);
    for (const output of program.outputs) {
      const rounds =
        output.count === undefined ? [] : [{ ...outputLoop(output.name), count: output.count, path: output.path }];
      const reads = output.reads.map((call) => ({ ...call, loops: [...rounds, ...call.loops] }));
      for (const target of yield* readTargets(reads, { expansion, environment })) {
        const instances = target.kind === "loop" ? target.instances : [target.instance];
        instances.forEach(({ key }) => read.add(key));
      }
    }
    return read;
  }

  /** Evaluates what can be evaluated now: an error in it should show before anything is deployed. */
  *#evaluateConstants(instances: readonly ResourceInstance[], environment: CompiledEnvironment): Pausing<void> {
    const log = this.#log;
    const budget = this.#budget;
    let kept = 0;
    let again = 0;
    let unknown = false;
    const lookingAhead: CompiledEnvironment = {
      ...environment,
      skip: isRuntime,
      recover: (error, expression) => {
        // In a preview, a parameter may not be known yet.
        if (error instanceof Pending) {
          unknown = true;
        } else {
          this.#log.report(error, expression.path);
        }
        return null;
      },
    };
    for (const instance of instances) {
      const { entry } = instance;
      if (!instance.deployed) {
        continue;
      }
      yield* this.#loops.allSlices(instance.rounds, function* () {
        unknown = false;
        const before = budget.left;
        const body = yield* log.attemptSlices(entry.path, () => evaluatePausing(entry.body, lookingAhead));
        const isConstant = entry.nested === undefined && !isRuntime(entry.body) && !unknown;
        const spent = before - budget.left;
        if (body !== undefined && isConstant && kept < maxKeptSteps) {
          instance.constantBody = body;
          kept += spent;
        } else {
          again += spent;
        }
        for (const [name, compiled] of entry.nested?.parameters ?? []) {
          const path = `${entry.path}.properties.parameters.${name}`;
          yield* log.attemptSlices(path, () => evaluatePausing(compiled, lookingAhead));
        }
      });
    }
    budget.reserve(again); // better refused now than when half of it is deployed
  }
}

function outputLoop(name: string) {
  return { kind: "loop" as const, name, input: { kind: "literal" as const, value: null } };
}

function signaturesOf(context: readonly FunctionDefinition[]): FunctionSignatures {
  const others = [
    ...runtimeSignatures,
    { name: "copyIndex", minArgs: 0, maxArgs: 2 },
    { name: "extensions", minArgs: 1, maxArgs: 1 },
    { name: "resourceInfo", minArgs: 1, maxArgs: 1 },
  ];
  return new Map([...context, ...others].map((definition) => [definition.name.toLowerCase(), definition]));
}

/** `resourceInfo(symbol)`: what is known of a resource without waiting for it. */
function resourceInfo(find: (text: string) => ResourceInstance | undefined): FunctionDefinition {
  return define("resourceInfo", 1, (call) => {
    const instance = find(call.string(0));
    if (instance === undefined) {
      const message = `${call.name}: the resource "${call.string(0)}" is not defined in the template.`;
      throw new PlanProblem("UnknownDependency", message);
    }
    const { id, name, entry } = instance;
    return new Map<string, Value>([
      ["id", id ?? null],
      ["name", name ?? null],
      ["type", entry.type],
      ["apiVersion", entry.apiVersion ?? null],
    ]);
  });
}

/** Without the values of parameters, which may be secret. */
function deploymentProperties(template: ObjectValue, parameters: ParameterValues): ObjectValue {
  return new Map<string, Value>([
    ["template", template],
    ["parameters", parameters.publicValues()],
  ]);
}

/** For one node with some edges. */
const nodeSteps = 5;

function* nodesOf(
  instances: readonly ResourceInstance[],
  graph: DependencyGraph,
  read: ReadonlySet<string>,
  budget: Budget,
): Pausing<ReadonlyMap<string, PlanNode>> {
  const nodes = new Map<string, PlanNode>();
  const barrierMembers = new Set([...graph.barriers].flatMap((key) => graph.dependenciesOf(key)));
  for (const instance of instances) {
    if (budget.isDue) {
      yield budget;
    }
    budget.spend(nodeSteps);
    nodes.set(instance.key, nodeOf(instance, graph, read.has(instance.key) || barrierMembers.has(instance.key)));
  }
  for (const key of graph.barriers) {
    nodes.set(key, { kind: "barrier", key, dependsOn: graph.dependenciesOf(key) });
  }
  return nodes;
}

function nodeOf(instance: ResourceInstance, graph: DependencyGraph, isRead: boolean): PlanNode {
  const { entry, key, id, name } = instance;
  const unread = entry.existing && !isRead ? ("unread" as const) : undefined;
  const common = {
    key,
    dependsOn: graph.dependenciesOf(key),
    symbolicName: entry.symbol,
    path: entry.path,
    copyIndex: instance.copyIndex,
    type: entry.type,
    apiVersion: entry.apiVersion,
    provider: instance.provider,
    extension: instance.extension,
    skipped: instance.deployed ? unread : ("condition" as const),
    options: instance.options,
  };
  if (entry.existing) {
    return { ...common, kind: "existing", id, name };
  }
  if (entry.nested !== undefined && id !== undefined && name !== undefined) {
    return { ...common, kind: "deployment", id, name };
  }
  const isPlain = instance.provider === "azure" || instance.provider === "deployments";
  return { ...common, kind: isPlain ? "resource" : "extension", id, name };
}
