import { randomUUID } from "node:crypto";
import { Compilation, LineMap, type BicepHost, type FileDiagnostics } from "@rad/bicep";
import { declaredParameters } from "@rad/client/deploying";
import { atOnce, isJsonObject, objectMember, type JsonObject, type JsonValue } from "@rad/core";
import { evaluateOutputs, planTemplate, sliced, type ParameterInput, type Plan, type PlanError } from "@rad/templates";

export interface BicepSessionOptions {
  /** What the file uses is read from here, the file itself is not. */
  readonly host: BicepHost;
  /** Where the text counts as lying, so that relative paths in it lead somewhere. */
  readonly path: string;
  readonly text: string;
  /** The `parameters` of a deployment request. */
  readonly parameters: Readonly<Record<string, ParameterInput>>;
}

export type Answer =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "declared" }
  /** What was typed does not compile. Places are those in what was typed. */
  | { readonly kind: "diagnostics"; readonly diagnostics: FileDiagnostics }
  | { readonly kind: "error"; readonly code: string; readonly message: string };

export interface NamedValue {
  readonly name: string;
  readonly answer: Answer;
  /** Declared as such: a list of values is no place for it. */
  readonly secure: boolean;
}

const declaration = /^\s*(?:@[^\n]*\n\s*)*(?<keyword>var|func|type|param|import)\s+(?<name>\w+|[^\n]*)/u;
const otherStatement = /^\s*(?:resource|module|output|extension|targetScope|metadata|assert)\s+[\w']/u;

/**
 * A Bicep file to which statements and expressions are added one by one. An expression becomes a variable at the end of
 * the file, is compiled with it, and is evaluated by the template language: what is shown is what a deployment gets.
 */
export class BicepSession {
  readonly #options: BicepSessionOptions;
  readonly #compilation: Compilation;
  /** By name; declaring one again replaces it. */
  #declarations = new Map<string, string>();
  #text: string;

  constructor(options: BicepSessionOptions) {
    this.#options = options;
    this.#text = options.text;
    const { host, path } = options;
    this.#compilation = new Compilation({
      lint: false,
      host: {
        ...boundTo(host),
        readFile: (asked) => (asked === path ? { bytes: new TextEncoder().encode(this.#text) } : host.readFile(asked)),
      },
    });
  }

  /** Declares something, or evaluates an expression. */
  submit(input: string): Answer {
    if (otherStatement.test(input)) {
      const message = "Only expressions, and declarations with var, func, type, param or import, can be entered.";
      return { kind: "error", code: "NotSupportedHere", message };
    }
    const { keyword, name } = declaration.exec(input)?.groups ?? {};
    return keyword === undefined || name === undefined ? this.#evaluate(input) : this.#declare(name, input);
  }

  variables(): NamedValue[] {
    const variables = objectMember(this.#emit(this.#source()) ?? {}, "variables");
    return namesIn(variables).map((name) => ({ name, answer: this.#evaluate(name), secure: false }));
  }

  parameters(): NamedValue[] {
    const declared = declaredParameters(this.#emit(this.#source()) ?? {});
    return [...declared.values()].map(({ name, secure }) => ({ name, answer: this.#evaluate(name), secure }));
  }

  #declare(name: string, input: string): Answer {
    const declarations = new Map(this.#declarations);
    declarations.delete(name);
    const before = this.#source(declarations);
    const answer = this.#check(`${before}${input}\n`, before.length, input);
    if (answer !== undefined) {
      return answer;
    }
    this.#declarations = declarations.set(name, input);
    return { kind: "declared" };
  }

  #evaluate(input: string): Answer {
    const source = this.#source();
    const name = unusedName(source + input);
    const before = `${source}var ${name} = `;
    const text = `${before}${input}\n`;
    const answer = this.#check(text, before.length, input);
    if (answer !== undefined) {
      return answer;
    }
    const template = this.#emit(text);
    if (template === undefined || !namesIn(objectMember(template, "variables")).includes(name)) {
      return { kind: "error", code: "NotKnownYet", message: "This is known only after resources are deployed." };
    }
    return this.#evaluateVariable(template, name);
  }

  #source(declarations: ReadonlyMap<string, string> = this.#declarations): string {
    return [this.#options.text, ...declarations.values()].map((text) => `${text}\n`).join("");
  }

  /** Nothing when the text compiles. */
  #check(text: string, start: number, input: string): Answer | undefined {
    this.#use(text);
    const { diagnostics } = this.#compilation.fileDiagnostics(this.#options.path);
    const errors = diagnostics.filter(({ level }) => level === "error");
    const [first] = errors;
    if (first === undefined) {
      return undefined;
    }
    const here = errors.filter(({ span }) => span.end >= start);
    if (here.length === 0) {
      return { kind: "error", code: first.code, message: first.message };
    }
    const shift = (offset: number): number => Math.min(Math.max(offset - start, 0), input.length);
    const shifted = here.map((error) => ({
      ...error,
      span: { start: shift(error.span.start), end: shift(error.span.end) },
    }));
    const shown = { path: "console", text: input, lineMap: new LineMap(input), diagnostics: shifted };
    return { kind: "diagnostics", diagnostics: shown };
  }

  #emit(text: string): JsonObject | undefined {
    this.#use(text);
    const emitted = this.#compilation.emitTemplate(this.#options.path, { generatorVersion: "" });
    const template: unknown = emitted === undefined ? undefined : JSON.parse(emitted.text);
    return isJsonObject(template) ? template : undefined;
  }

  #use(text: string): void {
    if (text !== this.#text) {
      this.#text = text;
      this.#compilation.update(this.#options.path);
    }
  }

  #evaluateVariable(template: JsonObject, name: string): Answer {
    const outputs = { result: { value: `[variables('${name}')]` } };
    const planning = planTemplate({
      template: { ...withoutEffects(template), outputs },
      parameters: this.#inputs(template),
      deployment: { name: "console" },
      scopes: { radius: group, deployments: group },
      now: new Date(),
      newGuid: randomUUID,
    });
    const plan = atOnce(sliced(planning));
    return plan.kind === "failed" ? failure(plan.errors) : this.#readOutput(plan);
  }

  #readOutput(plan: Plan): Answer {
    const outputs = atOnce(sliced(evaluateOutputs(plan, { node: () => undefined, call: () => undefined })));
    if (outputs.kind === "ready") {
      return { kind: "value", value: outputs.value["result"]?.value ?? null };
    }
    return failure(outputs.kind === "failed" ? outputs.errors : []);
  }

  /** A parameter without a value is no error until somebody asks for it. */
  #inputs(template: JsonObject): Record<string, ParameterInput> {
    const inputs = new Map<string, ParameterInput>(Object.entries(this.#options.parameters));
    for (const [name, node] of Object.entries(objectMember(template, "parameters"))) {
      const isOptional = isJsonObject(node) && (node["defaultValue"] !== undefined || node["nullable"] === true);
      if (!inputs.has(name) && !isOptional) {
        inputs.set(name, { unknown: true });
      }
    }
    return Object.fromEntries(inputs);
  }
}

const group = "/planes/radius/local/resourceGroups/default";

/** Values only: nothing that would be deployed, configured or asserted. */
function withoutEffects(template: JsonObject): JsonObject {
  const { imports: _imports, extensions: _extensions, asserts: _asserts, resources, ...rest } = template;
  return { ...rest, resources: Array.isArray(resources) ? [] : {} };
}

function failure(errors: readonly PlanError[]): Answer {
  const [first] = errors;
  if (first === undefined || first.reason === "NotKnownYet") {
    const message = "This needs a parameter that has no value; give it one with -p name=value.";
    return { kind: "error", code: "NotKnownYet", message };
  }
  return { kind: "error", code: first.reason, message: first.message };
}

/** Loops have their names in a list of their own. */
function namesIn(variables: JsonObject): string[] {
  const loops = Array.isArray(variables["copy"]) ? variables["copy"].filter(isJsonObject) : [];
  const plain = Object.keys(variables).filter((name) => name !== "copy" || loops.length === 0);
  return [...plain, ...loops.flatMap(({ name }) => (typeof name === "string" ? [name] : []))];
}

function unusedName(text: string): string {
  let name = "answer";
  while (text.includes(name)) {
    name += "_";
  }
  return name;
}

/** The members of a host that is a class are not its own. */
function boundTo(host: BicepHost): BicepHost {
  return {
    readFile: (path) => host.readFile(path),
    listDirectory: (path) => host.listDirectory(path),
    readPackage: (path) => host.readPackage(path),
    artifact: (reference, kind, cacheRoot) => host.artifact(reference, kind, cacheRoot),
    restoreProblem: (reference) => host.restoreProblem?.(reference),
    builtInTypes: (extension) => host.builtInTypes?.(extension),
    environmentVariable: (name) => host.environmentVariable(name),
    parseYaml: host.parseYaml,
  };
}
