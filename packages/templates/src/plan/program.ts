import type { Budget } from "../budget.ts";
import type { FunctionDefinition } from "../functions/function-call.ts";
import type { Pausing } from "../pausing.ts";
import { getMember } from "../values/members.ts";
import { isObject, type ObjectValue, type Value } from "../values/value.ts";
import type { Compiled, ResourceRead } from "./compiled.ts";
import { Compiler, type CompileOptions } from "./compiler.ts";
import { compileResource, type ResourceCompilation } from "./compile-resource.ts";
import { extensionSymbols } from "./known-identities.ts";
import type { LoopName } from "./loop-names.ts";
import { placements } from "./placement.ts";
import type { ProblemLog } from "./plan-problem.ts";
import type { ResourceEntry } from "./resource-entry.ts";
import { SharedExpressions } from "./shared-expressions.ts";
import type { ExtensionSource, FunctionSource, TemplateSource } from "./template-source.ts";

/** A template with every string parsed and every name looked up. Nothing has a value yet. */
export interface Program {
  readonly source: TemplateSource;
  readonly compiler: Compiler;
  readonly shared: SharedExpressions;
  /** By lower-case name, like the others; only parameters that have a default. */
  readonly defaults: ReadonlyMap<string, Compiled>;
  readonly variables: ReadonlyMap<string, CompiledVariable>;
  readonly functions: ReadonlyMap<string, CompiledFunction>;
  readonly extensions: ReadonlyMap<string, CompiledExtension>;
  readonly resources: readonly ResourceEntry[];
  readonly outputs: readonly CompiledOutput[];
  readonly asserts: readonly { readonly name: string; readonly path: string; readonly value: Compiled }[];
  /** `listKeys` and its like that are called anywhere, as written there. */
  readonly listFunctions: ReadonlySet<string>;
}

export interface CompiledVariable {
  readonly name: string;
  readonly path: string;
  readonly value: Compiled;
  /** Set when the variable is a loop; then `value` is the input of each round. */
  readonly count: Compiled | undefined;
}

export interface CompiledFunction {
  readonly source: FunctionSource;
  readonly body: Compiled;
}

export interface CompiledExtension {
  readonly source: ExtensionSource;
  readonly config: ReadonlyMap<string, Compiled>;
  /** Lower-case names of the properties that are secure by their type. */
  readonly secureConfig: ReadonlySet<string>;
}

export interface CompiledOutput {
  readonly name: string;
  readonly path: string;
  readonly node: ObjectValue;
  readonly value: Compiled;
  readonly count: Compiled | undefined;
  readonly condition: Compiled | undefined;
  readonly reads: readonly ResourceRead[];
}

/** Functions whose numbers of arguments are known, though what they answer depends on the moment. */
export type FunctionSignatures = ReadonlyMap<string, Pick<FunctionDefinition, "name" | "minArgs" | "maxArgs">>;

export interface ProgramDeps {
  readonly signatures: FunctionSignatures;
  readonly log: ProblemLog;
  readonly budget: Budget;
}

/** Reports whatever can be found wrong without evaluating anything. `loops` are those around the whole template. */
export function* compileProgram(
  source: TemplateSource,
  { signatures, log, budget }: ProgramDeps,
  loops: readonly LoopName[] = [],
): Pausing<Program> {
  const shared = new SharedExpressions();
  const listFunctions = new Set<string>();
  const compiler = new Compiler({
    log,
    limits: source.limits,
    budget,
    shared,
    functions: new Map([...signatures, ...userSignatures(source)]),
    parameters: new Set(source.parameters.keys()),
    variables: new Set(source.variables.keys()),
    extensionSymbols: extensionSymbols(source),
    loops,
  });
  return {
    source,
    compiler,
    shared,
    listFunctions,
    defaults: yield* compileDefaults(source, compiler),
    variables: yield* compileVariables(source, compiler),
    functions: yield* compileFunctions(source, compiler, log),
    extensions: yield* compileExtensions(source, compiler),
    resources: yield* compileResources({ source, compiler, log, budget, listFunctions }),
    outputs: yield* compileOutputs(source, compiler, log, listFunctions),
    asserts: yield* compileAsserts(source, compiler),
  };
}

function* compileResources(context: ResourceCompilation): Pausing<ResourceEntry[]> {
  const entries: ResourceEntry[] = [];
  for (const resource of context.source.resources) {
    const entry = yield* compileResource(resource, context);
    if (entry !== undefined) {
      entries.push(entry);
    }
  }
  return entries;
}

function* compileAsserts(source: TemplateSource, compiler: Compiler): Pausing<Program["asserts"]> {
  const placement = placements.constant("an assertion");
  const asserts: { readonly name: string; readonly path: string; readonly value: Compiled }[] = [];
  for (const { name, path, value } of source.asserts.values()) {
    asserts.push({ name, path, value: yield* compiler.compile(value, path, { placement }) });
  }
  return asserts;
}

function userSignatures(source: TemplateSource): FunctionSignatures {
  return new Map(
    [...source.functions].map(([key, { name, parameters }]) => [
      key,
      { name, minArgs: parameters.length, maxArgs: parameters.length },
    ]),
  );
}

function* compileDefaults(source: TemplateSource, compiler: Compiler): Pausing<Map<string, Compiled>> {
  const defaults = new Map<string, Compiled>();
  for (const [key, { node, path }] of source.parameters) {
    const value = getMember(node, "defaultValue");
    if (value !== undefined) {
      const options = { placement: placements.parameterDefault };
      defaults.set(key, yield* compiler.compile(value, `${path}.defaultValue`, options));
    }
  }
  return defaults;
}

function* compileVariables(source: TemplateSource, compiler: Compiler): Pausing<Map<string, CompiledVariable>> {
  const variables = new Map<string, CompiledVariable>();
  for (const [key, { name, path, value, count }] of source.variables) {
    const options: CompileOptions = { placement: placements.variable };
    variables.set(key, {
      name,
      path,
      value: yield* compiler.compile(value, count === undefined ? path : `${path}.input`, {
        ...options,
        looped: count !== undefined,
        loops: count === undefined ? [] : [{ name: key, unnamed: false }],
      }),
      count: count === undefined ? undefined : yield* compiler.compile(count, `${path}.count`, options),
    });
  }
  return variables;
}

function* compileFunctions(
  source: TemplateSource,
  compiler: Compiler,
  log: ProblemLog,
): Pausing<Map<string, CompiledFunction>> {
  const functions = new Map<string, CompiledFunction>();
  for (const [key, declared] of source.functions) {
    const value = getMember(declared.output, "value");
    if (value === undefined) {
      log.add(
        "InvalidShape",
        `${declared.path}.output`,
        `The output of the function "${declared.name}" needs a value.`,
      );
      continue;
    }
    const parameters = new Set(declared.parameters.map(({ name }) => name.toLowerCase()));
    const body = yield* compiler.compile(value, `${declared.path}.output.value`, {
      placement: placements.functionBody,
      parameters,
    });
    functions.set(key, { source: declared, body });
  }
  return functions;
}

function* compileExtensions(source: TemplateSource, compiler: Compiler): Pausing<Map<string, CompiledExtension>> {
  const extensions = new Map<string, CompiledExtension>();
  const options = { placement: placements.constant("the configuration of an extension") };
  for (const [key, extension] of source.extensions) {
    const config = new Map<string, Compiled>();
    for (const [name, entry] of extension.config) {
      const path = `${extension.path}.config.${name}`;
      if (!extension.wrapped) {
        config.set(name, yield* compiler.compile(entry, path, options));
        continue;
      }
      const value = isObject(entry) ? getMember(entry, "defaultValue") : undefined;
      if (value !== undefined) {
        config.set(name, yield* compiler.compile(value, `${path}.defaultValue`, options));
      }
    }
    extensions.set(key, { source: extension, config, secureConfig: secureProperties(extension) });
  }
  return extensions;
}

function secureProperties({ config, wrapped }: ExtensionSource): ReadonlySet<string> {
  const isSecure = (entry: Value): boolean => {
    const type = wrapped && isObject(entry) ? getMember(entry, "type") : undefined;
    return typeof type === "string" && type.toLowerCase().startsWith("secure");
  };
  return new Set([...config].flatMap(([name, entry]) => (isSecure(entry) ? [name.toLowerCase()] : [])));
}

function* compileOutputs(
  source: TemplateSource,
  compiler: Compiler,
  log: ProblemLog,
  listFunctions: Set<string>,
): Pausing<CompiledOutput[]> {
  const outputs: CompiledOutput[] = [];
  for (const { name, path, node } of source.outputs.values()) {
    const reads: ResourceRead[] = [];
    const options: CompileOptions = { placement: placements.output, reads, listFunctions };
    const loop = getMember(node, "copy");
    const condition = getMember(node, "condition");
    const count = loop !== undefined && isObject(loop) ? getMember(loop, "count") : undefined;
    const input = loop !== undefined && isObject(loop) ? getMember(loop, "input") : undefined;
    const value = loop === undefined ? getMember(node, "value") : input;
    if (value === undefined || (loop !== undefined && count === undefined)) {
      log.add("InvalidShape", path, `The output "${name}" needs a value, or a loop with a count and an input.`);
      continue;
    }
    const planned: CompileOptions = { placement: placements.constant("a condition or a loop") };
    outputs.push({
      name,
      path,
      node,
      value: yield* compiler.compile(value, loop === undefined ? `${path}.value` : `${path}.copy.input`, {
        ...options,
        looped: loop !== undefined,
        loops: loop === undefined ? [] : [{ name: name.toLowerCase(), unnamed: true }],
      }),
      count: count === undefined ? undefined : yield* compiler.compile(count, `${path}.copy.count`, planned),
      condition: condition === undefined ? undefined : yield* compiler.compile(condition, `${path}.condition`, planned),
      reads,
    });
  }
  return outputs;
}
