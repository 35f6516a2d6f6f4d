import type { JsonObject, JsonValue } from "@rad/core";
import type { Budget } from "../budget.ts";
import { define, type FunctionDefinition } from "../functions/function-call.ts";
import { getMember } from "../values/members.ts";
import { opaque } from "../values/opaque-value.ts";
import { isObject, type ObjectValue, type Value } from "../values/value.ts";
import { evaluateCompiled, type CompiledEnvironment } from "./evaluate-compiled.ts";
import { toSmallJson } from "./measured-json.ts";
import type { ExtensionUse, PlanLimits } from "./plan.ts";
import { PlanProblem, type ProblemLog } from "./plan-problem.ts";
import { defineMember } from "./define-member.ts";

import type { CompiledExtension, Program } from "./program.ts";
import { secretPointers, textsAt } from "./secret-pointers.ts";

export interface ExtensionDeps {
  readonly program: Program;
  readonly log: ProblemLog;
  readonly limits: PlanLimits;
  /** By alias, then by property: `{value}` or `{keyVaultReference}`, handed in by a parent. */
  readonly given: Value;
  /** Nobody is to look at what is secure. */
  readonly isOpaque?: boolean;
  readonly environment: () => CompiledEnvironment;
}

/** The extensions of a template with their configuration, which is evaluated once. */
export class ExtensionValues {
  readonly #deps: ExtensionDeps;
  readonly #given: ObjectValue;
  readonly #configs = new Map<string, ObjectValue>();

  constructor(deps: ExtensionDeps) {
    this.#deps = deps;
    this.#given = isObject(deps.given) ? deps.given : new Map<string, Value>();
    for (const alias of this.#given.keys()) {
      if (!deps.program.extensions.has(alias.toLowerCase())) {
        const message = `The template has no extension "${alias}" to configure.`;
        deps.log.add("UnknownExtension", `extensionConfigs.${alias}`, message);
      }
    }
  }

  /** `extensions(alias)`: `{config: {property: {value}}}`. */
  function(): FunctionDefinition {
    return define("extensions", 1, (call) => {
      const extension = this.#deps.program.extensions.get(call.string(0).toLowerCase());
      if (extension === undefined) {
        throw call.invalid(`the template imports no extension as "${call.string(0)}"`);
      }
      return new Map([["config", this.#config(extension)]]);
    });
  }

  use(alias: string): ExtensionUse {
    const extension = this.#deps.program.extensions.get(alias.toLowerCase());
    if (extension === undefined) {
      throw new PlanProblem("UnknownExtension", `The template imports no extension as "${alias}".`);
    }
    const { source } = extension;
    const config: JsonObject = {};
    for (const [name, wrapped] of this.#config(extension)) {
      defineMember<JsonValue>(config, name, this.#plainValue(wrapped, source.alias, name));
    }
    return { alias: source.alias, name: source.name, version: source.version, config };
  }

  /** Texts in the configurations that somebody asked for, where they are secret; `blind` does not know any secret. */
  secretTexts(blind: () => ExtensionValues, budget: Budget): string[] {
    return [...this.#configs].flatMap(([key, config]) => {
      const extension = config.size === 0 ? undefined : this.#deps.program.extensions.get(key);
      return extension === undefined ? [] : textsAt(config, secretPointers(config, blind().#config(extension), budget));
    });
  }

  #plainValue(wrapped: Value, alias: string, property: string): JsonValue {
    const value = isObject(wrapped) ? getMember(wrapped, "value") : undefined;
    if (value === undefined) {
      const message = `The configuration "${property}" of the extension "${alias}" needs a value; a key vault cannot be read here.`;
      throw new PlanProblem("Unsupported", message, `extensionConfigs.${alias}.${property}`);
    }
    return toSmallJson(value, this.#deps.limits.resourceLength, this.#deps.environment().budget);
  }

  #config(extension: CompiledExtension): ObjectValue {
    const key = extension.source.alias.toLowerCase();
    const known = this.#configs.get(key);
    if (known !== undefined) {
      return known;
    }
    const environment = this.#deps.environment();
    const config = new Map<string, Value>();
    for (const [name, compiled] of extension.config) {
      const value = environment.loops.outside(() => evaluateCompiled(compiled, environment));
      config.set(name, new Map([["value", value]]));
    }
    const given = getMember(this.#given, extension.source.alias) ?? null;
    if (isObject(given)) {
      for (const [name, value] of given) {
        const declared = [...config.keys()].find((candidate) => candidate.toLowerCase() === name.toLowerCase());
        config.set(declared ?? name, value);
      }
    }
    if (this.#deps.isOpaque === true) {
      const secure = [...config.keys()].filter((name) => extension.secureConfig.has(name.toLowerCase()));
      secure.forEach((name) => config.set(name, new Map([["value", opaque()]])));
    }
    this.#configs.set(key, config);
    return config;
  }
}
