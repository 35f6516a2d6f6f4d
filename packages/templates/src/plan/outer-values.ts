import type { JsonValue } from "@rad/core";
import type { Pausing } from "../pausing.ts";
import { isArray, isObject, type Value } from "../values/value.ts";
import type { ParameterInput } from "./plan.ts";
import type { TemplateSource } from "./template-source.ts";

/**
 * Values that this deployment puts into a nested template with outer scope, in the place of expressions that are its
 * own. One that rests on a secret goes along as part of a parameter instead: what is written into a template cannot be
 * told from what was there before.
 */
export class OuterValues {
  /** No other parameter is called like that. */
  readonly #name: string;
  readonly #values: Value[] = [];
  readonly #secrets: string[] = [];

  constructor({ parameters }: TemplateSource) {
    let name = "outerValues";
    while (parameters.has(name.toLowerCase())) {
      name += "_";
    }
    this.#name = name;
  }

  /** How to write a value into the template; `secrets` are JSON pointers of its parts that rest on a secret. */
  written(value: Value, secrets: readonly string[]): Value {
    if (secrets.length === 0) {
      return escaped(value);
    }
    const member = `v${this.#values.push(value) - 1}`;
    this.#secrets.push(...secrets.map((pointer) => `/${member}${pointer}`));
    return `[parameters('${this.#name}').${member}]`;
  }

  declarations(): readonly (readonly [string, Value])[] {
    return this.#values.length === 0 ? [] : [[this.#name, new Map([["type", "object"]])]];
  }

  *parameters(json: (value: Value) => Pausing<JsonValue>): Pausing<Record<string, ParameterInput>> {
    if (this.#values.length === 0) {
      return {};
    }
    const members = this.#values.map((value, index) => [`v${index}`, value] as const);
    return { [this.#name]: { value: yield* json(new Map(members)), secrets: this.#secrets } };
  }
}

/** Writes a value so that evaluating it gives the same value again. */
function escaped(value: Value): Value {
  if (typeof value === "string") {
    return escapedText(value);
  }
  if (isArray(value)) {
    return value.map(escaped);
  }
  if (!isObject(value)) {
    return value;
  }
  return new Map([...value].map(([name, member]) => [escapedName(name), escaped(member)]));
}

function escapedText(text: string): string {
  return text.startsWith("[") && text.endsWith("]") ? `[${text}` : text;
}

/** A member called `copy` would be a loop. */
function escapedName(name: string): string {
  return name.toLowerCase() === "copy" ? `[string('${name}')]` : escapedText(name);
}
