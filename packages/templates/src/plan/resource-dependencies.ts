import { evaluateExpression } from "../expressions/evaluate.ts";
import type { Expression } from "../expressions/expression.ts";
import type { Pausing } from "../pausing.ts";
import type { Compiled, CompiledLoop, ResourceRead } from "./compiled.ts";
import { DependencyGraph } from "./dependency-graph.ts";
import { evaluateCompiled, evaluateCount, type CompiledEnvironment } from "./evaluate-compiled.ts";
import type { ResourceExpansion } from "./expand-resources.ts";
import { PlanProblem, quietly, type ProblemLog } from "./plan-problem.ts";
import type { Target } from "./resource-index.ts";
import type { ResourceInstance } from "./resource-instance.ts";

export interface ReadDeps {
  readonly expansion: ResourceExpansion;
  readonly environment: () => CompiledEnvironment;
}

export interface DependencyDeps extends ReadDeps {
  readonly log: ProblemLog;
  /** Whether a text rests on a secret. */
  readonly isSecret: (compiled: Compiled) => boolean;
}

/** Orders the resources: by `dependsOn`, by what they read of one another, and by the batches of serial loops. */
export function* orderResources(deps: DependencyDeps): Pausing<DependencyGraph> {
  const { expansion, log } = deps;
  const { budget, loops } = deps.environment();
  const graph = new DependencyGraph();
  for (const instance of expansion.instances) {
    graph.addNode(instance.key);
  }
  for (const instance of expansion.instances) {
    yield* loops.allSlices(instance.rounds, function* () {
      yield* addDeclared(instance, graph, deps);
      for (const target of yield* readTargets(instance.entry.reads, deps)) {
        addEdge(instance, target, graph);
      }
    });
  }
  for (const { entry, instances } of expansion.loops) {
    if (entry.loop?.batchSize !== undefined) {
      addBatches(instances, entry.loop.batchSize, graph);
    }
  }
  const cycle = yield* graph.findCycle(budget);
  if (cycle !== undefined) {
    log.add("Cycle", pathOf(cycle[0], expansion), `The resources ${cycle.join(" → ")} need one another.`);
  }
  return graph;
}

/** The resources that calls read, as far as that can be told before anything runs. */
export function* readTargets(reads: readonly ResourceRead[], deps: ReadDeps): Pausing<Target[]> {
  const { budget } = deps.environment();
  const targets: Target[] = [];
  for (const read of reads) {
    if (budget.isDue) {
      yield budget;
    }
    for (const target of yield* withinLoops(read.loops, deps, () => targetOf(read.target, deps))) {
      targets.push(target);
    }
  }
  return targets;
}

/** Finding the target, and remembering the edge. */
const edgeSteps = 6;

function* addDeclared(instance: ResourceInstance, graph: DependencyGraph, deps: DependencyDeps): Pausing<void> {
  const { budget } = deps.environment();
  for (const [index, compiled] of instance.entry.dependsOn.entries()) {
    budget.spend(edgeSteps);
    if (budget.isDue) {
      yield budget;
    }
    const path = `${instance.entry.path}.dependsOn[${index}]`;
    deps.log.attempt(path, () => {
      const text = evaluateCompiled(compiled, deps.environment());
      if (typeof text !== "string") {
        throw new PlanProblem("InvalidShape", "An entry of dependsOn must be a text.", path);
      }
      const target = deps.expansion.index.find(text);
      if (target === undefined) {
        if (deps.expansion.index.hasFailed(text)) {
          return;
        }
        const problem = deps.expansion.index.isAmbiguous(text)
          ? "stands for several resources; their ids or type/name tell them apart"
          : "is not defined in the template";
        const shown = deps.isSecret(compiled) ? "that dependsOn names by a secret" : `"${text}"`;
        throw new PlanProblem("UnknownDependency", `The resource ${shown} ${problem}.`, path);
      }
      addEdge(instance, target, graph);
    });
  }
}

function addEdge(from: ResourceInstance, target: Target, graph: DependencyGraph): void {
  if (target.kind === "instance") {
    graph.addEdge(from.key, target.instance.key);
    return;
  }
  const joined = graph.join(`${target.name}[*]`, target.instances);
  if (joined !== undefined) {
    graph.addEdge(from.key, joined);
  }
}

/** Each batch waits for the whole of the one before it. */
function addBatches(instances: readonly ResourceInstance[], size: number, graph: DependencyGraph): void {
  let before: string | undefined;
  for (let start = 0; start < instances.length; start += size) {
    const batch = instances.slice(start, start + size);
    for (const { key } of batch) {
      if (before !== undefined) {
        graph.addEdge(key, before);
      }
    }
    before = graph.join(`${batch[0]?.key}…`, batch);
  }
}

/** Runs for every round of the loops around a call. */
function* withinLoops(
  loops: readonly CompiledLoop[],
  deps: ReadDeps,
  run: () => Target | undefined,
): Pausing<readonly Target[]> {
  const [loop, ...inner] = loops;
  if (loop === undefined) {
    const target = run();
    return target === undefined ? [] : [target];
  }
  const environment = deps.environment();
  const count = quietly(() => evaluateCount(loop.count, loop.path, environment)) ?? 0;
  const found: Target[] = [];
  for (let index = 0; index < count; index += 1) {
    environment.budget.spend(edgeSteps);
    if (environment.budget.isDue) {
      yield environment.budget;
    }
    const round = { loop: loop.name.toLowerCase(), index, unnamed: false };
    const targets = yield* environment.loops.withinSlices(round, () => withinLoops(inner, deps, run));
    found.push(...targets);
  }
  return found;
}

/** Nothing when the name of the resource itself depends on what is deployed: then the template has to say more. */
function targetOf(expression: Expression, deps: ReadDeps): Target | undefined {
  const text =
    expression.kind === "string"
      ? expression.value
      : quietly(() => evaluateExpression(expression, deps.environment().scope, deps.environment().budget));
  return deps.expansion.index.find(typeof text === "string" ? text : (loopIn(expression) ?? ""));
}

/** Which round it is may be up to a lambda; that it is one of the loop can be told from `format('loop[{0}]', …)`. */
function loopIn(expression: Expression): string | undefined {
  if (expression.kind !== "call" || expression.name.toLowerCase() !== "format") {
    return undefined;
  }
  const [format] = expression.args;
  return format?.kind === "string" ? /^(.+)\[\{0\}\]$/.exec(format.value)?.[1] : undefined;
}

function pathOf(key: string | undefined, expansion: ResourceExpansion): string {
  const instance = expansion.instances.find((candidate) => candidate.key === key);
  return instance?.entry.path ?? "$.resources";
}
