import type { Budget } from "../budget.ts";
import { isExpressionText } from "../expressions/expression-parser.ts";
import type { Pausing } from "../pausing.ts";
import { getMember } from "../values/members.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";
import type { Compiled, CompiledExpression, CompiledLiteral, ResourceRead } from "./compiled.ts";
import type { Compiler, CompileOptions } from "./compiler.ts";
import { compileNested } from "./compile-nested.ts";
import type { LoopName } from "./loop-names.ts";
import { placements } from "./placement.ts";
import { PlanProblem, type ProblemLog } from "./plan-problem.ts";
import { providerOf } from "./providers.ts";
import type { EntryLoop, EntryWait, ResourceEntry } from "./resource-entry.ts";
import { isDeploymentsType, splitVersionedType } from "./resource-names.ts";
import { readOptions } from "./resource-options.ts";
import type { ResourceSource, TemplateSource } from "./template-source.ts";

export interface ResourceCompilation {
  readonly source: TemplateSource;
  readonly compiler: Compiler;
  readonly log: ProblemLog;
  readonly budget: Budget;
  readonly listFunctions: Set<string>;
}

/** What surrounds a child that is written inside its parent. */
interface Parent {
  readonly type: string;
  readonly loops: readonly LoopName[];
}

/** Reads one resource; `undefined` when it is too broken to go on with, which is then in the log. */
export function compileResource(
  resource: ResourceSource,
  context: ResourceCompilation,
  parent?: Parent,
): Pausing<ResourceEntry | undefined> {
  return context.log.attemptSlices(resource.path, () => new ResourceReader(resource, context, parent).read());
}

/** Members of a resource that are for the engine; everything else is sent. */
const engineMembers = new Set([
  "copy",
  "condition",
  "existing",
  "import",
  "extension",
  "@options",
  "method",
  "type",
  "apiversion",
  "scope",
  "subscriptionid",
  "resourcegroup",
  "name",
  "dependson",
  "metadata",
  "comments",
  "resources",
  "asserts",
]);

class ResourceReader {
  readonly #node: ObjectValue;
  readonly #resource: ResourceSource;
  readonly #context: ResourceCompilation;
  readonly #parent: Parent | undefined;
  /** Around the members of the resource, outermost first. */
  readonly #loops: readonly LoopName[];
  readonly #reads: ResourceRead[] = [];

  constructor(resource: ResourceSource, context: ResourceCompilation, parent: Parent | undefined) {
    this.#resource = resource;
    this.#node = resource.node;
    this.#context = context;
    this.#parent = parent;
    this.#loops = [...(parent?.loops ?? []), ...ownLoop(this.#member("copy"))];
  }

  *read(): Pausing<ResourceEntry> {
    const { symbol, path } = this.#resource;
    const extension = this.#extension();
    const versioned = splitVersionedType(this.#literal("type") ?? this.#missing("type"));
    const type = this.#parent === undefined ? versioned.type : `${this.#parent.type}/${versioned.type}`;
    const provider = providerOf(extension?.name, type);
    const apiVersion = this.#literal("apiVersion") ?? versioned.version ?? "";
    if (apiVersion === "" && provider !== "aws" && provider !== "other") {
      this.#missing("apiVersion");
    }
    if (!/^[^/\s]+(?:\/[^/\s]+)+$/.test(type)) {
      throw new PlanProblem("InvalidShape", `"${type}" is no resource type such as Namespace/type.`, `${path}.type`);
    }
    const existing = this.#flag("existing");
    const { options, waitUntil } = readOptions(this.#member("@options") ?? null, `${path}.@options`);
    const isNested = isDeploymentsType(type) && provider === "deployments" && !existing;
    if (isNested && (waitUntil !== undefined || Object.keys(options).length > 0)) {
      throw new PlanProblem("Unsupported", "A nested deployment cannot have options.", `${path}.@options`);
    }
    const loop = yield* this.#loop();
    const inBody = extension !== undefined && provider !== "azure" && provider !== "deployments";
    return {
      symbol,
      path,
      type,
      apiVersion: apiVersion === "" ? undefined : apiVersion,
      extension: extension?.alias,
      existing,
      method: this.#method(),
      loop,
      condition: yield* this.#constant("condition", "a condition"),
      name: inBody ? yield* this.#nameInBody(provider === "radius") : yield* this.#name(),
      scope: yield* this.#constant("scope", "a scope"),
      subscriptionId: yield* this.#constant("subscriptionId", "a scope"),
      resourceGroup: yield* this.#constant("resourceGroup", "a scope"),
      dependsOn: yield* this.#dependsOn(),
      asserts: yield* this.#constant("asserts", "an assertion"),
      body: isNested
        ? { kind: "literal", value: null }
        : inBody
          ? yield* this.#extensionBody(provider === "radius")
          : yield* this.#body(),
      nested: isNested
        ? yield* compileNested(this.#node, path, {
            ...this.#context,
            limits: this.#context.source.limits,
            budget: this.#context.budget,
            loop: loop?.name,
            elsewhere: ["scope", "subscriptionId", "resourceGroup"].some(
              (name) => (this.#member(name) ?? null) !== null,
            ),
            compile: (value, at, constant) => this.#compile(value, at, constant),
          })
        : undefined,
      reads: this.#reads,
      options,
      waitUntil: waitUntil === undefined ? undefined : yield* this.#waitUntil(waitUntil.lambda, waitUntil.timeout),
      children: yield* this.#children(type),
    };
  }

  #extension(): { readonly alias: string; readonly name: string } | undefined {
    const alias = this.#literal("import") ?? this.#literal("extension");
    if (alias === undefined) {
      return undefined;
    }
    const extension = this.#context.source.extensions.get(alias.toLowerCase());
    if (extension === undefined) {
      throw new PlanProblem("UnknownExtension", `The template imports no extension as "${alias}".`);
    }
    return extension;
  }

  #method(): ResourceEntry["method"] {
    const method = (this.#literal("method") ?? "PUT").toUpperCase();
    if (method !== "PUT" && method !== "PATCH") {
      const message = 'The "method" of a resource is PUT or PATCH.';
      throw new PlanProblem("InvalidShape", message, `${this.#resource.path}.method`);
    }
    return method;
  }

  *#loop(): Pausing<EntryLoop | undefined> {
    const loop = this.#member("copy");
    if (loop === undefined) {
      return undefined;
    }
    const path = `${this.#resource.path}.copy`;
    const name = isObject(loop) ? getMember(loop, "name") : undefined;
    const count = isObject(loop) ? getMember(loop, "count") : undefined;
    if (!isObject(loop) || typeof name !== "string" || count === undefined) {
      throw new PlanProblem("InvalidLoop", "The loop of a resource needs a name and a count.", path);
    }
    const compiled = yield* this.#compile(count, `${path}.count`, "a loop");
    return { name, path, count: compiled, batchSize: batchSize(loop, path) };
  }

  *#name(): Pausing<Compiled | undefined> {
    return (yield* this.#constant("name", "the name of a resource")) ?? this.#missing("name");
  }

  /** The name of a Radius resource is part of its id, so it cannot wait for other resources. */
  *#nameInBody(required: boolean): Pausing<Compiled | undefined> {
    const name = getMember(this.#properties(), "name");
    if (!required) {
      return undefined;
    }
    if (name === undefined) {
      throw new PlanProblem("InvalidShape", 'The resource needs a "name".', `${this.#resource.path}.properties`);
    }
    return yield* this.#compile(name, `${this.#resource.path}.properties.name`, "the name of a resource");
  }

  #extensionBody(withoutName: boolean): Pausing<Compiled> {
    const properties = [...this.#properties()].filter(([name]) => !withoutName || name.toLowerCase() !== "name");
    return this.#compile(new Map(properties), `${this.#resource.path}.properties`);
  }

  #properties(): ObjectValue {
    const properties = this.#member("properties") ?? new Map<string, Value>();
    if (!isObject(properties)) {
      throw new PlanProblem("InvalidShape", '"properties" must be an object.', `${this.#resource.path}.properties`);
    }
    return properties;
  }

  *#body(): Pausing<Compiled> {
    const members: { readonly kind: "member"; readonly name: string; readonly value: Compiled }[] = [];
    for (const [name, value] of this.#node) {
      if (!engineMembers.has(name.toLowerCase())) {
        const path = `${this.#resource.path}.${name}`;
        const constant = name.toLowerCase() === "properties" ? undefined : `the ${name} of a resource`;
        members.push({ kind: "member", name, value: yield* this.#compile(value, path, constant) });
      }
    }
    const runtime = members.some(({ value }) => value.kind !== "literal" && value.runtime);
    return { kind: "object", members, runtime };
  }

  *#dependsOn(): Pausing<ResourceEntry["dependsOn"]> {
    const list = this.#member("dependsOn") ?? [];
    const path = `${this.#resource.path}.dependsOn`;
    if (!isArray(list)) {
      throw new PlanProblem("InvalidShape", '"dependsOn" must be an array of strings.', path);
    }
    const result: (CompiledLiteral | CompiledExpression)[] = [];
    for (const [index, item] of list.entries()) {
      const compiled = yield* this.#compile(item, `${path}[${index}]`, "dependsOn");
      if (typeof item !== "string" || compiled.kind === "array" || compiled.kind === "object") {
        throw new PlanProblem("InvalidShape", '"dependsOn" must be an array of strings.', `${path}[${index}]`);
      }
      result.push(compiled);
    }
    return result;
  }

  *#waitUntil(lambda: Value, timeout: Value): Pausing<EntryWait> {
    const path = `${this.#resource.path}.@options.waitUntil`;
    const compiled = yield* this.#compile(lambda, `${path}[0]`, "an option");
    const isLambda =
      compiled.kind === "expression" &&
      compiled.expression.kind === "call" &&
      compiled.expression.name.toLowerCase() === "lambda" &&
      compiled.expression.args.length === 2;
    if (!isLambda) {
      const message = "The first argument of waitUntil must be a lambda of one parameter.";
      throw new PlanProblem("InvalidShape", message, `${path}[0]`);
    }
    return { lambda: compiled, timeout: yield* this.#compile(timeout, `${path}[1]`, "an option"), path };
  }

  *#children(type: string): Pausing<ResourceEntry[]> {
    const list = this.#member("resources") ?? [];
    const path = `${this.#resource.path}.resources`;
    if (!isArray(list) || (this.#context.source.symbolic && list.length > 0)) {
      throw new PlanProblem(
        "InvalidShape",
        "Resources within a resource need language version 1.0 and an array.",
        path,
      );
    }
    const children: ResourceEntry[] = [];
    for (const [index, node] of list.entries()) {
      const childPath = `${path}[${index}]`;
      if (!isObject(node)) {
        this.#context.log.add("InvalidShape", childPath, "A resource must be an object.");
        continue;
      }
      const parent = { type, loops: this.#loops };
      const source = { symbol: undefined, path: childPath, node };
      const child = yield* compileResource(source, this.#context, parent);
      if (child !== undefined) {
        children.push(child);
      }
    }
    return children;
  }

  *#constant(name: string, what: string): Pausing<Compiled | undefined> {
    const value = this.#member(name);
    return value === undefined || value === null
      ? undefined
      : yield* this.#compile(value, `${this.#resource.path}.${name}`, what);
  }

  /** With `constant`, a description of the place: then the value must be known before anything is deployed. */
  #compile(value: Value, path: string, constant?: string): Pausing<Compiled> {
    const options: CompileOptions = {
      placement: constant === undefined ? placements.body : placements.constant(constant),
      looped: this.#loops.length > 0,
      loops: this.#loops,
      reads: this.#reads,
      listFunctions: this.#context.listFunctions,
    };
    return this.#context.compiler.compile(value, path, options);
  }

  #member(name: string): Value | undefined {
    return getMember(this.#node, name);
  }

  #literal(name: string): string | undefined {
    const value = this.#member(name);
    if (value === undefined) {
      return undefined;
    }
    if (typeof value !== "string" || isExpressionText(value)) {
      const message = `The "${name}" of a resource must be a text, not an expression.`;
      throw new PlanProblem("InvalidShape", message, `${this.#resource.path}.${name}`);
    }
    return value;
  }

  #flag(name: string): boolean {
    const value = this.#member(name) ?? false;
    if (typeof value !== "boolean") {
      throw new PlanProblem("InvalidShape", `"${name}" must be true or false.`, `${this.#resource.path}.${name}`);
    }
    return value;
  }

  #missing(name: string): never {
    throw new PlanProblem("InvalidShape", `The resource needs a "${name}".`);
  }
}

function ownLoop(copy: Value | undefined): LoopName[] {
  const name = copy !== undefined && isObject(copy) ? getMember(copy, "name") : undefined;
  return typeof name === "string" ? [{ name: name.toLowerCase(), unnamed: true }] : [];
}

function batchSize(loop: ObjectValue, path: string): number | undefined {
  const mode = getMember(loop, "mode") ?? "parallel";
  const size = getMember(loop, "batchSize");
  const lower = typeof mode === "string" ? mode.toLowerCase() : "";
  if (lower !== "parallel" && lower !== "serial") {
    throw new PlanProblem("InvalidLoop", "The mode of a loop is parallel or serial.", `${path}.mode`);
  }
  if (size !== undefined && (typeof size !== "bigint" || size < 1n)) {
    throw new PlanProblem(
      "InvalidLoop",
      "The batchSize of a loop must be an integer of 1 or more.",
      `${path}.batchSize`,
    );
  }
  return lower === "serial" ? Number(size ?? 1n) : undefined;
}
