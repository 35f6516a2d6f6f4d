import { ScopeFlags } from "./flags.ts";
import type { LambdaType, Type } from "./model.ts";
import { parentTypeOf } from "./resource-reference.ts";

/** The type as messages show it: what an author would write. Ranges and flags do not show; very long ones are cut. */
export function printType(type: Type): string {
  return new Printer().type(type);
}

/** The beginning of the text, long enough to put types in order. */
export function printForOrder(type: Type): string {
  const printer = new Printer(64);
  return type.kind === "lambda" ? printer.member(type) : printer.type(type);
}

// Types share their parts, so the whole text of one can be far larger than its source.
const maxParts = 1000;

class Printer {
  readonly #maxParts: number;
  #parts = 0;

  constructor(limit = maxParts) {
    this.#maxParts = limit;
  }

  type(type: Type): string {
    this.#parts += 1;
    if (this.#parts > this.#maxParts) {
      return "…";
    }
    switch (type.kind) {
      case "any":
      case "never":
      case "error":
      case "null":
      case "string":
      case "int":
      case "bool":
      case "module":
      case "test":
        return type.kind;
      case "stringLiteral":
        return quote(type.value);
      case "intLiteral":
      case "boolLiteral":
        return String(type.value);
      case "array":
        return type.item.kind === "any" ? "array" : `${this.member(type.item)}[]`;
      case "tuple":
        return type.items.length === 0 ? "<empty array>" : `[${this.#list(type.items, ", ")}]`;
      case "object":
      case "discriminated":
      case "namespace":
        return type.name;
      case "union":
        return this.#list(type.members, " | ");
      case "resource":
        return type.reference.text;
      case "scope":
        return scopeNames(type.scopes).join(" | ");
      case "dependency":
        return "module[] | (resource | module) | resource[]";
      case "parent":
        return parentTypeOf(type.child) ?? "resource";
      case "lambda":
        return this.#lambda(type);
      default:
        return type satisfies never;
    }
  }

  member(type: Type): string {
    const text = this.type(type);
    switch (type.kind) {
      case "union":
      case "lambda":
      case "dependency":
        return `(${text})`;
      case "scope":
      case "discriminated":
        return text.includes(" | ") ? `(${text})` : text;
      default:
        return text;
    }
  }

  #list(types: readonly Type[], separator: ", " | " | "): string {
    const texts: string[] = [];
    for (const type of types) {
      if (this.#parts >= this.#maxParts) {
        texts.push("…");
        break;
      }
      texts.push(separator === ", " ? this.type(type) : this.member(type));
    }
    return texts.join(separator);
  }

  #lambda(type: LambdaType): string {
    const [only] = type.parameters;
    if (type.parameters.length === 1 && only !== undefined && type.optionalParameters.length === 0) {
      return `${this.member(only)} => ${this.member(type.result)}`;
    }
    const optional = type.optionalParameters.length === 0 ? "" : `[, ${this.#list(type.optionalParameters, ", ")}]`;
    return `(${this.#list(type.parameters, ", ")}${optional}) => ${this.member(type.result)}`;
  }
}

/** The text of an object type written by a user: `{ a: string, *: int }`. The types come as text, to allow for cycles. */
export function printObject(
  properties: Iterable<{ readonly name: string; readonly type: string }>,
  additional: string | undefined,
): string {
  const parts = Array.from(properties, ({ name, type }) => `${isIdentifier(name) ? name : quote(name)}: ${type}`);
  if (additional !== undefined) {
    parts.push(`*: ${additional}`);
  }
  return parts.length === 0 ? "object" : `{ ${parts.join(", ")} }`;
}

/** A string literal in the language's own quoting. */
export function quote(text: string): string {
  return mustBeEscaped.test(text) ? `'${escape(text)}'` : `'${text}'`;
}

const mustBeEscaped = /[\\'\r\n\t]|\$\{/;

function escape(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\'")
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    .replaceAll("${", "\\${");
}

const scopeNameTable = [
  [ScopeFlags.Resource, "resource"],
  [ScopeFlags.Module, "module"],
  [ScopeFlags.Tenant, "tenant"],
  [ScopeFlags.ManagementGroup, "managementGroup"],
  [ScopeFlags.Subscription, "subscription"],
  [ScopeFlags.ResourceGroup, "resourceGroup"],
  [ScopeFlags.Local, "local"],
] as const;

/** The scopes of a set, as authors know them. */
export function scopeNames(scopes: number): string[] {
  return scopeNameTable.filter(([flag]) => (scopes & flag) !== 0).map(([, name]) => name);
}

function isIdentifier(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/u.test(name);
}
