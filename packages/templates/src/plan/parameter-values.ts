import { parseTemplateString } from "../expressions/expression-parser.ts";
import { evaluateExpression } from "../expressions/evaluate.ts";
import { define, type FunctionDefinition } from "../functions/function-call.ts";
import { functionTable } from "../functions/pure-functions.ts";
import type { Pausing } from "../pausing.ts";
import { fromJson, fromJsonPausing } from "../values/json-conversion.ts";
import { kindOf, type ObjectValue, type Value } from "../values/value.ts";
import { defineMember } from "./define-member.ts";
import { evaluateCompiled, type CompiledEnvironment } from "./evaluate-compiled.ts";
import { SharedRoom } from "./measured-json.ts";
import type { ParameterInput, PlanInput, PlanLimits, PlannedParameter } from "./plan.ts";
import { AlreadyReported, Pending, PlanProblem, type ProblemLog } from "./plan-problem.ts";
import type { Program } from "./program.ts";
import type { Declaration } from "./template-source.ts";
import { checkType, type TypeChecker } from "./type-check.ts";
import { apiTypeName, type TypeDefinitions, type TypeName } from "./type-node.ts";

export interface ParameterDeps {
  readonly program: Program;
  readonly input: PlanInput;
  readonly limits: PlanLimits;
  readonly log: ProblemLog;
  readonly definitions: TypeDefinitions;
  /** For default values: no variables, no loops. */
  readonly environment: () => CompiledEnvironment;
  readonly holds: TypeChecker["holds"];
}

type Slot = { readonly state: "evaluating" | "failed" | "unknown" } | ({ readonly state: "known" } & KnownParameter);

export interface KnownParameter {
  readonly value: Value;
  /** By its type, or that of a part of it. */
  readonly secure: boolean;
  /** Nobody gave it. */
  readonly byDefault: boolean;
}

/** Parameters: what was given, or else the default, checked against the type. Evaluated when first asked for. */
export class ParameterValues {
  readonly #deps: ParameterDeps;
  readonly #given: ReadonlyMap<string, ParameterInput>;
  readonly #values = new Map<string, Value>();
  readonly #slots = new Map<string, Slot>();
  /** Names that are being evaluated, for telling a circle. */
  readonly #chain: string[] = [];
  /** Expressions that cannot work have been reported already; evaluating them would say so in other words. */
  readonly #areDefaultsBroken: boolean;
  readonly secrets: string[] = [];

  constructor(deps: ParameterDeps) {
    this.#deps = deps;
    this.#areDefaultsBroken = deps.log.failed;
    const given = Object.entries(deps.input.parameters ?? {});
    this.#given = new Map(given.map(([name, input]) => [name.toLowerCase(), input]));
    const names = given.map(([name]) => name);
    if (names.length > deps.limits.parameters) {
      const message = `At most ${deps.limits.parameters} parameters are allowed, not ${names.length}.`;
      throw new PlanProblem("LimitExceeded", message, "parameters");
    }
    this.#refuseUndeclared(names);
    this.#refuseRepeated(names);
  }

  /** `undefined` when there is no such parameter. */
  get(name: string): Value | undefined {
    const key = name.toLowerCase();
    const declaration = this.#deps.program.source.parameters.get(key);
    if (declaration === undefined) {
      return undefined;
    }
    const slot = this.#slots.get(key) ?? this.#resolve(key, declaration);
    switch (slot.state) {
      case "known":
        return slot.value;
      case "unknown":
        throw new Pending();
      case "failed":
        throw new AlreadyReported();
      case "evaluating":
        throw new PlanProblem("Cycle", `The parameters ${circle(this.#chain, declaration.name)} need one another.`);
      default:
        return slot satisfies never;
    }
  }

  /** By lower-case name; nothing where it is not known, or not valid. */
  known(key: string): KnownParameter | undefined {
    const slot = this.#slots.get(key);
    return slot?.state === "known" ? slot : undefined;
  }

  /** JSON pointers within a given value that are secret, whatever the type says. */
  givenSecrets(key: string): readonly string[] {
    const given = this.#given.get(key);
    return given === undefined || !("secrets" in given) ? [] : (given.secrets ?? []);
  }

  /** To be called first: given values may be large. */
  *readGiven(): Pausing<void> {
    const { budget } = this.#deps.environment();
    for (const [key, given] of this.#given) {
      if ("value" in given) {
        this.#values.set(key, yield* fromJsonPausing(given.value, budget));
      }
    }
  }

  /** What was given, as `deployment()` shows it: not where a value is secure, or a part of it. */
  publicValues(): ObjectValue {
    const result = new Map<string, Value>();
    for (const [key, declaration] of this.#deps.program.source.parameters) {
      const given = this.#values.get(key);
      if (given === undefined) {
        continue;
      }
      const slot = this.#slots.get(key) ?? this.#resolve(key, declaration);
      if (slot.state === "known" && !slot.secure && this.givenSecrets(key).length === 0) {
        result.set(declaration.name, new Map([["value", given]]));
      }
    }
    return result;
  }

  /** Everything in the order of the template. Whatever fails is in the log then. */
  *resolveAll(): Pausing<Readonly<Record<string, PlannedParameter>>> {
    const result: Record<string, PlannedParameter> = {};
    const { budget } = this.#deps.environment();
    const room = new SharedRoom(this.#deps.limits.templateLength, budget);
    for (const [key, declaration] of this.#deps.program.source.parameters) {
      if (budget.isDue) {
        yield budget;
      }
      const slot = this.#slots.get(key) ?? this.#resolve(key, declaration);
      const planned = yield* this.#deps.log.attemptSlices(declaration.path, () =>
        this.#planned(declaration, slot, room),
      );
      if (planned !== undefined) {
        defineMember(result, declaration.name, planned);
      }
    }
    return result;
  }

  *#planned(declaration: Declaration, slot: Slot, room: SharedRoom): Pausing<PlannedParameter> {
    const { definitions } = this.#deps;
    const type = definitions.typeOf(definitions.resolve(declaration.node));
    const secureType = type === "securestring" || type === "secureobject";
    if (slot.state !== "known") {
      return { type: type === undefined ? "Object" : apiTypeName(type), secure: secureType };
    }
    return {
      type: apiTypeName(type ?? typeOfValue(slot.value)),
      secure: slot.secure,
      value: yield* room.toJson(slot.value, `parameters.${declaration.name}`),
    };
  }

  #resolve(key: string, declaration: Declaration): Slot {
    this.#slots.set(key, { state: "evaluating" });
    this.#chain.push(declaration.name);
    let slot: Slot;
    try {
      slot = this.#evaluate(key, declaration);
    } catch (error) {
      if (error instanceof Pending) {
        slot = { state: "unknown" };
      } else {
        slot = { state: "failed" };
        this.#deps.log.report(error, declaration.path);
      }
    } finally {
      this.#chain.pop();
    }
    this.#slots.set(key, slot);
    return slot;
  }

  #evaluate(key: string, declaration: Declaration): Slot {
    const { program, definitions } = this.#deps;
    const given = this.#givenValue(key, declaration);
    const byDefault = program.defaults.get(key);
    if (given !== undefined && (given !== null || byDefault === undefined)) {
      return this.#checked(given, declaration, `parameters.${declaration.name}`, false);
    }
    if (byDefault !== undefined && this.#areDefaultsBroken) {
      throw new AlreadyReported();
    }
    if (byDefault !== undefined) {
      const value = evaluateCompiled(byDefault, this.#deps.environment());
      return this.#checked(value, declaration, `${declaration.path}.defaultValue`, true);
    }
    if (definitions.isNullable(declaration.node)) {
      return { state: "known", value: null, secure: definitions.isSecure(declaration.node), byDefault: true };
    }
    const path = `parameters.${declaration.name}`;
    throw new PlanProblem("MissingParameter", `The parameter "${declaration.name}" has no value and no default.`, path);
  }

  #givenValue(key: string, declaration: Declaration): Value | undefined {
    const given = this.#given.get(key);
    if (given === undefined) {
      return undefined;
    }
    if ("unknown" in given) {
      throw new Pending();
    }
    const path = `parameters.${declaration.name}`;
    if ("reference" in given) {
      const message = `The parameter "${declaration.name}" refers to a key vault, which cannot be read here.`;
      throw new PlanProblem("Unsupported", message, path);
    }
    return "expression" in given ? this.#evaluateInput(given.expression, path) : this.#values.get(key);
  }

  /** An expression of a parameters file sees the pure functions and what was fetched for it. */
  #evaluateInput(text: string, path: string): Value {
    const parsed = parseTemplateString(text, this.#deps.limits);
    if (parsed.kind === "literal") {
      return parsed.value;
    }
    const functions = functionTable([this.#externalInputs()]);
    try {
      return evaluateExpression(parsed.expression, { functions }, this.#deps.environment().budget);
    } catch (error) {
      this.#deps.log.report(error, path);
      throw new AlreadyReported();
    }
  }

  #externalInputs(): FunctionDefinition {
    const inputs = this.#deps.input.externalInputs ?? {};
    return define("externalInputs", 1, (call) => {
      const key = call.string(0);
      const value = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
      if (value === undefined) {
        throw call.invalid(`there is no external input "${key}"`);
      }
      return fromJson(value, call.budget);
    });
  }

  #checked(value: Value, declaration: Declaration, path: string, byDefault: boolean): Slot {
    const { log, limits, definitions, holds } = this.#deps;
    const secrets: string[] = [];
    const wrong: { readonly path: string; readonly message: string }[] = [];
    const secure = checkType(value, declaration.node, path, {
      definitions,
      budget: this.#deps.environment().budget,
      secrets,
      isSecret: byDefault || this.givenSecrets(declaration.name.toLowerCase()).length > 0,
      report: (at, message) => wrong.push({ path: at, message }),
      ...(holds === undefined ? {} : { holds }),
    });
    if (this.secrets.length + secrets.length > limits.secrets) {
      const message = `Secure parameters have more than ${limits.secrets} texts. Put them into fewer, or into a secret store.`;
      throw new PlanProblem("LimitExceeded", message, path);
    }
    log.hide(secrets);
    this.secrets.push(...secrets);
    if (wrong.length === 0) {
      return { state: "known", value, secure, byDefault };
    }
    for (const { path: at, message } of wrong) {
      log.add("InvalidParameter", at, `The parameter "${declaration.name}" is not valid: ${message}.`);
    }
    return { state: "failed" };
  }

  #refuseUndeclared(names: readonly string[]): void {
    const { parameters } = this.#deps.program.source;
    const unknown = names.filter((name) => !parameters.has(name.toLowerCase()));
    if (unknown.length > 0) {
      const declared = [...parameters.values()].map(({ name }) => name).join(", ");
      const has = declared === "" ? "has no parameters" : `has these: ${declared}`;
      const message = `The template does not declare ${unknown.map((name) => `"${name}"`).join(", ")}; it ${has}.`;
      this.#deps.log.add("UnknownParameter", `parameters.${unknown[0]}`, message);
    }
  }

  /** JSON tells names apart that are one to a template; guessing which of them was meant helps nobody. */
  #refuseRepeated(names: readonly string[]): void {
    const seen = new Map<string, string>();
    for (const name of names) {
      const other = seen.get(name.toLowerCase());
      if (other !== undefined) {
        const message = `The parameter "${name}" is given twice, also as "${other}".`;
        this.#deps.log.add("InvalidParameter", `parameters.${name}`, message);
      }
      seen.set(name.toLowerCase(), name);
    }
  }
}

/** `a → b → a` */
export function circle(chain: readonly string[], name: string): string {
  const start = chain.findIndex((link) => link.toLowerCase() === name.toLowerCase());
  return [...chain.slice(Math.max(start, 0)), name].join(" → ");
}

/** The type to show where none is declared. */
export function typeOfValue(value: Value): TypeName {
  const kind = kindOf(value);
  switch (kind) {
    case "string":
    case "int":
    case "bool":
    case "array":
      return kind;
    default:
      return "object";
  }
}
