import type { Budget } from "../budget.ts";
import type { Pausing } from "../pausing.ts";
import { getMember } from "../values/members.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";
import type { ScopeKind } from "./azure-scope.ts";
import type { PlanLimits } from "./plan.ts";
import type { ProblemLog } from "./plan-problem.ts";
import { readLoopList } from "./read-loop.ts";

/** A template taken apart into its sections. Nothing in it is parsed or evaluated yet. */
export interface TemplateSource {
  readonly document: ObjectValue;
  readonly path: string;
  readonly limits: PlanLimits;
  /** Resources have symbolic names, and types can be declared: language version 2. */
  readonly symbolic: boolean;
  readonly scopeKind: ScopeKind;
  readonly definitions: ObjectValue;
  /** Keyed by lower-case name, like all that follow. */
  readonly parameters: ReadonlyMap<string, Declaration>;
  readonly variables: ReadonlyMap<string, VariableSource>;
  readonly functions: ReadonlyMap<string, FunctionSource>;
  readonly extensions: ReadonlyMap<string, ExtensionSource>;
  readonly resources: readonly ResourceSource[];
  readonly outputs: ReadonlyMap<string, Declaration>;
  readonly asserts: ReadonlyMap<string, { readonly name: string; readonly path: string; readonly value: Value }>;
}

/** A name with a type node that carries more: a default value, a value … */
export interface Declaration {
  readonly name: string;
  readonly path: string;
  readonly node: ObjectValue;
}

export interface VariableSource {
  readonly name: string;
  readonly path: string;
  readonly value: Value;
  /** Set for the entries of `variables.copy`; then `value` is the input of each round. */
  readonly count: Value | undefined;
}

export interface FunctionSource {
  /** `namespace.name` */
  readonly name: string;
  readonly path: string;
  readonly parameters: readonly Declaration[];
  readonly output: ObjectValue;
}

export interface ExtensionSource {
  readonly alias: string;
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly config: ObjectValue;
  /** `extensions` wraps each value of `config`, `imports` does not. */
  readonly wrapped: boolean;
}

export interface ResourceSource {
  readonly symbol: string | undefined;
  readonly path: string;
  readonly node: ObjectValue;
}

export interface TemplateReading {
  readonly path: string;
  readonly log: ProblemLog;
  readonly limits: PlanLimits;
  readonly budget: Budget;
}

/** `undefined` when the sections cannot even be told apart; other mistakes are reported and left out. */
export function* readTemplate(
  template: Value,
  { path, log, limits, budget }: TemplateReading,
): Pausing<TemplateSource | undefined> {
  if (!isObject(template)) {
    log.add("InvalidShape", path, "A template must be an object.");
    return undefined;
  }
  const reader = new SectionReader(template, path, log, budget);
  yield* reader.refuseTwins(template, path, "the template");
  const scopeKind = reader.scopeKind();
  const symbolic = reader.isSymbolic();
  reader.contentVersion();
  const source: TemplateSource = {
    document: template,
    path,
    limits,
    symbolic,
    scopeKind,
    definitions: yield* reader.definitions(),
    parameters: reader.declarations("parameters", limits.parameters),
    variables: reader.variables(limits.variables),
    functions: yield* reader.functions(),
    extensions: reader.extensions(),
    resources: yield* reader.resources(symbolic, limits.resources),
    outputs: reader.declarations("outputs", limits.outputs),
    asserts: reader.asserts(limits.asserts),
  };
  return source;
}

const scopeKinds = new Map<string, ScopeKind>([
  ["deploymenttemplate.json", "resourceGroup"],
  ["subscriptiondeploymenttemplate.json", "subscription"],
  ["managementgroupdeploymenttemplate.json", "managementGroup"],
  ["tenantdeploymenttemplate.json", "tenant"],
]);

const languageVersions = new Set(["1.0", "1.9-experimental", "2.0", "2.1-experimental", "2.2-experimental"]);

const symbolicName = /^[^[\]\r\n]+$/;

const noMembers: ObjectValue = new Map();

class SectionReader {
  readonly #template: ObjectValue;
  readonly #path: string;
  readonly #log: ProblemLog;
  readonly #budget: Budget;

  constructor(template: ObjectValue, path: string, log: ProblemLog, budget: Budget) {
    this.#template = template;
    this.#path = path;
    this.#log = log;
    this.#budget = budget;
  }

  scopeKind(): ScopeKind {
    const schema = this.#member("$schema");
    const text = typeof schema === "string" ? schema.replace(/#?$/, "") : "";
    const kind = scopeKinds.get(text.slice(text.lastIndexOf("/") + 1).toLowerCase());
    if (kind === undefined) {
      const message =
        typeof schema === "string"
          ? `"${schema}" is not the schema of a deployment template.`
          : "A template needs a $schema, which says where it deploys.";
      this.#wrong("$schema", message);
    }
    return kind ?? "resourceGroup";
  }

  isSymbolic(): boolean {
    const version = this.#member("languageVersion") ?? "1.0";
    if (typeof version !== "string" || !languageVersions.has(version.toLowerCase())) {
      const known = [...languageVersions].join(", ");
      this.#wrong("languageVersion", `The language version must be one of ${known}.`);
      return isObject(this.#member("resources") ?? null);
    }
    return version !== "1.0";
  }

  contentVersion(): void {
    const version = this.#member("contentVersion");
    if (typeof version !== "string" || !/^\d+\.\d+\.\d+\.\d+$/.test(version)) {
      this.#wrong("contentVersion", "A template needs a contentVersion of four numbers, such as 1.0.0.0.");
    }
  }

  /** A section that is an object; empty when it is missing. */
  section(name: string): ObjectValue {
    const section = this.#member(name) ?? null;
    if (section === null) {
      return noMembers;
    }
    if (!isObject(section)) {
      this.#wrong(name, `"${name}" must be an object.`);
      return noMembers;
    }
    return section;
  }

  *definitions(): Pausing<ObjectValue> {
    const definitions = this.section("definitions");
    yield* this.refuseTwins(definitions, `${this.#path}.definitions`, "definitions");
    return definitions;
  }

  /** Members whose names differ in letter case only. */
  *refuseTwins(object: ObjectValue, path: string, where: string): Pausing<void> {
    const seen = new Map<string, { readonly path: string }>();
    for (const name of object.keys()) {
      yield* this.#turn(4);
      this.#put(seen, name, { path: `${path}.${name}` }, where);
    }
  }

  declarations(section: string, limit: number): ReadonlyMap<string, Declaration> {
    const result = new Map<string, Declaration>();
    for (const [name, node] of this.#limited(section, limit)) {
      const path = `${this.#path}.${section}.${name}`;
      if (isObject(node)) {
        this.#put(result, name, { name, path, node }, section);
      } else {
        this.#log.add("InvalidShape", path, `"${name}" in "${section}" must be an object.`);
      }
    }
    return result;
  }

  variables(limit: number): ReadonlyMap<string, VariableSource> {
    const result = new Map<string, VariableSource>();
    for (const [name, value] of this.#limited("variables", limit)) {
      const path = `${this.#path}.variables.${name}`;
      if (name.toLowerCase() === "copy" && isArray(value)) {
        for (const loop of readLoopList(value, path, this.#log)) {
          this.#put(result, loop.name, { ...loop, value: loop.input }, "variables");
        }
      } else {
        this.#put(result, name, { name, path, value, count: undefined }, "variables");
      }
    }
    this.#hasTooMany("variables", result.size, limit);
    return result;
  }

  *functions(): Pausing<ReadonlyMap<string, FunctionSource>> {
    const result = new Map<string, FunctionSource>();
    for (const [group, path] of this.#list("functions")) {
      const namespace = isObject(group) ? getMember(group, "namespace") : undefined;
      const members = isObject(group) ? getMember(group, "members") : undefined;
      if (typeof namespace !== "string" || members === undefined || !isObject(members)) {
        this.#log.add("InvalidShape", path, "An entry of functions needs a namespace and members.");
        continue;
      }
      for (const [name, member] of members) {
        yield* this.#turn(20);
        const read = this.#function(`${namespace}.${name}`, `${path}.members.${name}`, member);
        if (read !== undefined) {
          this.#put(result, read.name, read, "functions");
        }
      }
    }
    return result;
  }

  extensions(): ReadonlyMap<string, ExtensionSource> {
    const result = new Map<string, ExtensionSource>();
    const sections = [
      { section: "imports", nameMember: "provider", wrapped: false },
      { section: "extensions", nameMember: "name", wrapped: true },
    ];
    for (const { section, nameMember, wrapped } of sections) {
      for (const [alias, entry] of this.section(section)) {
        const path = `${this.#path}.${section}.${alias}`;
        const name = isObject(entry) ? getMember(entry, nameMember) : undefined;
        const version = isObject(entry) ? getMember(entry, "version") : undefined;
        const config = (isObject(entry) ? getMember(entry, "config") : undefined) ?? noMembers;
        if (typeof name !== "string" || typeof version !== "string" || !isObject(config)) {
          this.#log.add("InvalidShape", path, `An extension needs a ${nameMember} and a version.`);
        } else {
          this.#put(result, alias, { alias, path, name, version, config, wrapped }, section);
        }
      }
    }
    return result;
  }

  *resources(symbolic: boolean, limit: number): Pausing<ResourceSource[]> {
    const section = this.#member("resources");
    const path = `${this.#path}.resources`;
    if (section === undefined || !(symbolic ? isObject(section) : isArray(section))) {
      const form = symbolic ? "an object of resources by symbolic name" : "an array of resources";
      this.#wrong("resources", `A template of this language version needs "resources", ${form}.`);
      return [];
    }
    if (
      this.#hasTooMany("resources", isObject(section) ? section.size : isArray(section) ? section.length : 0, limit)
    ) {
      return [];
    }
    if (isObject(section)) {
      const bySymbol = new Map<string, ResourceSource>();
      for (const [symbol, node] of section) {
        const resource = yield* this.#resource(symbol, node, `${path}.${symbol}`);
        if (resource !== undefined) {
          this.#put(bySymbol, symbol, resource, "resources");
        }
      }
      return [...bySymbol.values()];
    }
    const resources: ResourceSource[] = [];
    for (const [index, node] of isArray(section) ? section.entries() : []) {
      const resource = yield* this.#resource(undefined, node, `${path}[${index}]`);
      if (resource !== undefined) {
        resources.push(resource);
      }
    }
    return resources;
  }

  asserts(limit: number) {
    const result = new Map<string, { readonly name: string; readonly path: string; readonly value: Value }>();
    for (const [name, value] of this.#limited("asserts", limit)) {
      this.#put(result, name, { name, path: `${this.#path}.asserts.${name}`, value }, "asserts");
    }
    return result;
  }

  *#resource(symbol: string | undefined, node: Value, path: string): Pausing<ResourceSource | undefined> {
    if (symbol !== undefined && !symbolicName.test(symbol)) {
      // The keys of a plan's nodes are made from it: `loop[2]` is the third resource of a loop.
      const message = `"${symbol}" is no symbolic name: it must not be empty and has no brackets and no line breaks.`;
      this.#log.add("InvalidName", path, message);
      return undefined;
    }
    if (isObject(node)) {
      yield* this.refuseTwins(node, path, "the resource");
      return { symbol, path, node };
    }
    this.#log.add("InvalidShape", path, "A resource must be an object.");
    return undefined;
  }

  #function(name: string, path: string, member: Value): FunctionSource | undefined {
    const output = isObject(member) ? getMember(member, "output") : undefined;
    const parameters = (isObject(member) ? getMember(member, "parameters") : undefined) ?? [];
    if (output === undefined || !isObject(output) || !isArray(parameters)) {
      this.#log.add("InvalidShape", path, `The function "${name}" needs an output, and its parameters are an array.`);
      return undefined;
    }
    const declared = new Map<string, Declaration>();
    parameters.forEach((node, index) => {
      const parameterPath = `${path}.parameters[${index}]`;
      const parameter = isObject(node) ? getMember(node, "name") : undefined;
      if (isObject(node) && typeof parameter === "string") {
        this.#put(declared, parameter, { name: parameter, path: parameterPath, node }, "parameters");
      } else {
        this.#log.add("InvalidShape", parameterPath, `A parameter of the function "${name}" needs a name.`);
      }
    });
    return { name, path, parameters: [...declared.values()], output };
  }

  /** JSON tells names apart that are one to a template; guessing which of them was meant helps nobody. */
  #put<T extends { readonly path: string }>(entries: Map<string, T>, name: string, entry: T, where: string): void {
    const other = entries.get(name.toLowerCase());
    if (other === undefined) {
      entries.set(name.toLowerCase(), entry);
    } else {
      this.#log.add("InvalidShape", entry.path, `"${name}" is in ${where} twice, also at ${other.path}.`);
    }
  }

  /** Entries of a section that is an array, each with its path. */
  #list(name: string): (readonly [Value, string])[] {
    const section = this.#member(name) ?? null;
    if (section === null) {
      return [];
    }
    if (!isArray(section)) {
      this.#wrong(name, `"${name}" must be an array.`);
      return [];
    }
    return section.map((entry, index) => [entry, `${this.#path}.${name}[${index}]`]);
  }

  #member(name: string): Value | undefined {
    return getMember(this.#template, name);
  }

  /** A section that is refused as a whole when it has too many members. */
  #limited(name: string, limit: number): ObjectValue {
    const section = this.section(name);
    return this.#hasTooMany(name, section.size, limit) ? noMembers : section;
  }

  #hasTooMany(section: string, count: number, limit: number): boolean {
    if (count > limit) {
      const message = `At most ${limit} ${section} are allowed, not ${count}.`;
      this.#log.add("LimitExceeded", `${this.#path}.${section}`, message);
    }
    return count > limit;
  }

  *#turn(steps: number): Pausing<void> {
    this.#budget.spend(steps);
    if (this.#budget.isDue) {
      yield this.#budget;
    }
  }

  #wrong(section: string, message: string): void {
    this.#log.add("InvalidShape", `${this.#path}.${section}`, message);
  }
}
