import { TemplateError } from "@rad/templates";
import type { ObjectValue, Value } from "@rad/templates";
import { error } from "../diagnostic.ts";
import type { Diagnostic, Span } from "../diagnostic.ts";
import type { ParameterAssignmentSymbol, SemanticModel, SourceFile } from "../semantics/index.ts";
import { walk } from "../syntax/index.ts";
import type { Expression, Node } from "../syntax/index.ts";
import { FunctionFlags } from "../types/index.ts";
import type { FileLoader } from "../types/index.ts";
import { call, text } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import { ExternalInputs } from "./external-inputs.ts";
import type { ExternalInput } from "./external-inputs.ts";
import { FileContext } from "./file-context.ts";
import type { EmitSession } from "./file-context.ts";
import { ImportClosure } from "./import-closure.ts";
import { jsonText } from "./json-text.ts";
import { expressionOfLiteral } from "./literals.ts";
import { LoadedFiles } from "./loaded-files.ts";
import type { AnyCall } from "./loaded-files.ts";
import { ParametersEvaluator } from "./parameters-evaluator.ts";
import type { Reduced } from "./parameters-evaluator.ts";
import { printExpression } from "./print-expression.ts";
import { settingsOf } from "./settings.ts";
import { EmitLimitError, SizeBudget } from "./size-budget.ts";
import { Faults } from "./faults.ts";
import { isProperty, plainKey } from "./values.ts";

export interface ParametersOptions {
  /** Loads the files that `loadTextContent` and its kin name. Without it only what types tell of them is known. */
  readonly fileLoader?: (file: SourceFile) => FileLoader;
}

export interface ParametersResult {
  readonly json: ObjectValue;
  readonly text: string;
  /** Values that could not be found (BCP338); such parameters are left out. */
  readonly diagnostics: readonly Diagnostic[];
}

const parametersSchema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#";

/** Compiles a parameters file: evaluates what it assigns, as far as that is known before a deployment starts. */
export function emitParametersFile(model: SemanticModel, options: ParametersOptions = {}): ParametersResult {
  const session: EmitSession = {
    generatorVersion: "",
    budget: new SizeBudget(),
    places: undefined,
    fileLoader: options.fileLoader,
  };
  const emitter = new ParametersEmitter(session, model);
  const json = emitter.emit();
  return { json, text: jsonText(json, session.budget), diagnostics: emitter.diagnostics };
}

/** One parameters file and those that it extends. */
interface Layer {
  readonly model: SemanticModel;
  readonly evaluator: ParametersEvaluator;
  readonly faults: Faults;
}

class ParametersEmitter {
  readonly diagnostics: Diagnostic[] = [];
  readonly #session: EmitSession;
  readonly #model: SemanticModel;
  /** The file itself first. */
  readonly #layers: readonly Layer[];
  readonly #inputs: ExternalInputs;

  constructor(session: EmitSession, model: SemanticModel) {
    this.#session = session;
    this.#model = model;
    this.#inputs = new ExternalInputs((node) => this.#readInput(node));
    this.#layers = this.#openLayers();
    this.#numberInputs();
  }

  emit(): ObjectValue {
    const result = new Map<string, Value>([
      ["$schema", parametersSchema],
      ["contentVersion", "1.0.0.0"],
      ["parameters", this.#parameters()],
    ]);
    const configurations = this.#configurations();
    if (configurations.size > 0) {
      result.set("extensionConfigs", configurations);
    }
    if (this.#inputs.definitions.size > 0) {
      result.set("externalInputDefinitions", this.#definitions());
    }
    const usingConfiguration = this.#usingConfiguration();
    if (usingConfiguration !== undefined) {
      result.set("usingConfig", usingConfiguration);
    }
    return result;
  }

  #openLayers(): Layer[] {
    const models: SemanticModel[] = [];
    for (let model: SemanticModel | undefined = this.#model; model && !models.includes(model);) {
      models.push(model);
      model = model.baseParameters;
    }
    const layers: Layer[] = [];
    for (const model of models.toReversed()) {
      const settings = settingsOf(model);
      const closure = new ImportClosure(this.#session, model, settings);
      const loaded = new LoadedFiles(model, this.#session.fileLoader?.(model.file));
      const file = new FileContext({
        session: this.#session,
        model,
        settings,
        names: closure,
        loaded,
        externalInputs: this.#inputs,
      });
      layers.unshift({
        model,
        evaluator: new ParametersEvaluator(file, closure, layers[0]?.evaluator),
        faults: new Faults(model),
      });
    }
    return layers;
  }

  /** The keys of external inputs count them in the order of parameters, then of variables, then of `using … with`. */
  #numberInputs(): void {
    for (const { model } of this.#layers) {
      if (!/externalInput|readCliArg|readEnvVar/.test(model.file.syntax.text)) {
        continue;
      }
      const { parameterAssignments, variables } = model.declarations;
      const values = [...parameterAssignments, ...variables].map(({ declaration }) => declaration.value);
      const configuration = model === this.#model ? usingConfigurationOf(model) : undefined;
      for (const value of configuration === undefined ? values : [...values, configuration]) {
        walk(value, (node) => {
          if ((node.kind === "FunctionCall" || node.kind === "InstanceFunctionCall") && isInput(model, node)) {
            this.#inputs.keyOf(node);
          }
        });
      }
    }
  }

  #parameters(): Map<string, Value> {
    const result = new Map<string, Value>();
    const declared = this.#model.usingTemplate?.parameters;
    for (const layer of this.#layers) {
      for (const symbol of layer.model.declarations.parameterAssignments) {
        const isWanted = declared === undefined || declared.has(symbol.name);
        if (isWanted && !result.has(symbol.name)) {
          const entry = this.#assignment(layer, symbol);
          if (entry !== undefined) {
            result.set(symbol.name, entry);
          }
        }
      }
    }
    return result;
  }

  #assignment(layer: Layer, { declaration }: ParameterAssignmentSymbol): Value | undefined {
    const { value } = declaration;
    if (!this.#isReadable(layer, value)) {
      return undefined;
    }
    return this.#attempt(value, () => {
      const secret = this.#secret(layer, value);
      if (secret !== undefined) {
        return new Map([["reference", secret]]);
      }
      const reduced = layer.evaluator.reduce(value);
      return reduced.kind === "value"
        ? new Map([["value", reduced.value]])
        : new Map([["expression", this.#print(reduced.expression)]]);
    });
  }

  /** Says what of a value is known only to the deployment. What has errors already needs no further word. */
  #isReadable(layer: Layer, value: Expression): boolean {
    if (layer.faults.affect(value)) {
      return false;
    }
    const unreadable = unreadableParts(layer.model, value);
    this.diagnostics.push(...unreadable);
    return unreadable.length === 0;
  }

  /** What `using … with { … }` says about the deployment: always one expression, even where its value is known. */
  #usingConfiguration(): Value | undefined {
    const [layer] = this.#layers;
    const value = usingConfigurationOf(this.#model);
    if (layer === undefined || value === undefined || !this.#isReadable(layer, value)) {
      return undefined;
    }
    return this.#attempt(value, () => {
      const expression = expressionOf(layer.evaluator.reduce(value));
      return expression && new Map([["expression", this.#print(expression)]]);
    });
  }

  /** `getSecret(subscription, group, vault, name, version?)` as the whole value. */
  #secret(layer: Layer, node: Expression): Value | undefined {
    if (!isSecret(layer.model, node)) {
      return undefined;
    }
    const [subscription, group, vault, name, version] = node.args.map((argument) =>
      layer.evaluator.reduce(argument.expression),
    );
    const reference = new Map<string, Value>([
      ["keyVault", new Map([["id", this.#vaultId([subscription, group, vault])]])],
      ["secretName", this.#valueOf(name)],
    ]);
    return version === undefined ? reference : reference.set("secretVersion", this.#valueOf(version));
  }

  #vaultId(parts: readonly (Reduced | undefined)[]): Value {
    const values = parts.map((part) =>
      part?.kind === "value" && typeof part.value === "string" ? part.value : undefined,
    );
    const [subscription, group, vault] = values;
    if (!values.includes(undefined)) {
      return `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.KeyVault/vaults/${vault}`;
    }
    const [first, second, third] = parts.map(expressionOf);
    const type = [text("Microsoft.KeyVault"), text("vaults")];
    const args = [first, second, ...type, third].filter((argument) => argument !== undefined);
    return this.#print(call("resourceId", ...args));
  }

  #valueOf(reduced: Reduced | undefined): Value {
    return reduced?.kind === "expression" ? this.#print(reduced.expression) : (reduced?.value ?? null);
  }

  #configurations(): Map<string, Value> {
    const result = new Map<string, Value>();
    for (const layer of this.#layers) {
      for (const { declaration, name } of layer.model.declarations.extensionConfigurations) {
        const clause = declaration.configuration;
        const object = clause.kind === "WithClause" ? clause.configuration : undefined;
        if (object?.kind === "ObjectExpression" && !result.has(name)) {
          const members = new Map<string, Value>();
          for (const property of object.elements.filter(isProperty)) {
            const entry = this.#configurationValue(layer, property.value);
            if (entry !== undefined) {
              members.set(plainKey(property.key) ?? "", entry);
            }
          }
          result.set(name, inOrder(members));
        }
      }
    }
    return inOrder(result);
  }

  #configurationValue(layer: Layer, node: Expression): Value | undefined {
    return this.#attempt(node, () => {
      const secret = this.#secret(layer, node);
      return secret === undefined
        ? new Map([["value", this.#valueOf(layer.evaluator.reduce(node))]])
        : new Map([["keyVaultReference", secret]]);
    });
  }

  #definitions(): Value {
    const entries = Array.from(this.#inputs.definitions, ([key, { kind, config }]): [string, Value] => {
      const definition = new Map<string, Value>([["kind", kind]]);
      return [key, config === undefined ? definition : definition.set("config", config)];
    });
    return inOrder(new Map(entries));
  }

  #readInput(node: AnyCall): ExternalInput {
    const [first, config] = node.args.map((argument) => this.#constant(argument.expression));
    switch (node.name.name) {
      case "readCliArg":
        return { kind: "sys.cliArg", config: first };
      case "readEnvVar":
        return { kind: "sys.envVar", config: first };
      default:
        return { kind: typeof first === "string" ? first : "", config };
    }
  }

  /** An argument of an external input; a constant, so any file's evaluator finds it. */
  #constant(node: Expression): Value {
    for (const { evaluator } of this.#layers) {
      try {
        const reduced = evaluator.reduce(node);
        if (reduced.kind === "value") {
          return reduced.value;
        }
      } catch (problem) {
        if (problem instanceof TemplateError) {
          continue;
        }
        throw problem;
      }
    }
    return null;
  }

  #print(expression: ArmExpression): string {
    return printExpression(expression, this.#session.budget);
  }

  #attempt(node: Span, run: () => Value | undefined): Value | undefined {
    try {
      return run();
    } catch (problem) {
      if (problem instanceof TemplateError || problem instanceof EmitLimitError) {
        this.diagnostics.push(error("BCP338", node, `This value cannot be evaluated: ${problem.message}`));
        return undefined;
      }
      throw problem;
    }
  }
}

/**
 * Uses of what only the deployment knows: parameters that are secrets or left to their defaults, and a secret that is
 * not the whole value, since what stands for it in the output is no expression.
 */
function unreadableParts(model: SemanticModel, value: Expression): Diagnostic[] {
  const found: Diagnostic[] = [];
  walk(value, (node) => {
    if (node !== value && isSecret(model, node)) {
      found.push(error("BCP338", value, "This value cannot be evaluated: a part of it is a secret, not known here."));
      return false;
    }
    const symbol = node.kind === "VariableAccess" ? model.symbolOf(node) : undefined;
    if (symbol?.kind === "parameterAssignment") {
      const assigned = symbol.declaration.value;
      if (isSecret(model, assigned)) {
        found.push(error("BCP368", node, `The value of "${symbol.name}" is a secret that is not known here.`));
      } else if (assigned.kind === "NullLiteral") {
        found.push(error("BCP369", node, `"${symbol.name}" is left to its default, which is not known here.`));
      }
    }
    return true;
  });
  return found;
}

function usingConfigurationOf(model: SemanticModel): Expression | undefined {
  const clause = model.declarations.using?.configuration;
  const value = clause?.kind === "WithClause" ? clause.configuration : undefined;
  return value?.kind === "ObjectExpression" ? value : undefined;
}

function isSecret(model: SemanticModel, node: Node): node is AnyCall {
  if (node.kind !== "FunctionCall" && node.kind !== "InstanceFunctionCall") {
    return false;
  }
  const symbol = model.symbolOf(node);
  return symbol?.kind === "builtInFunction" && symbol.name === "getSecret";
}

function isInput(model: SemanticModel, node: AnyCall): boolean {
  return ((model.callOf(node)?.overload.flags ?? 0) & FunctionFlags.ExternalInput) !== 0;
}

function expressionOf(reduced: Reduced | undefined): ArmExpression | undefined {
  return reduced?.kind === "value" ? expressionOfLiteral(reduced.value) : reduced?.expression;
}

function inOrder(members: ReadonlyMap<string, Value>): Map<string, Value> {
  return new Map(Array.from(members).sort(([left], [right]) => (left < right ? -1 : 1)));
}
