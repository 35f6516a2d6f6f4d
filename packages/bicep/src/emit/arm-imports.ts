import { isArray, isObject, parseTemplateString } from "@rad/templates";
import type { Value } from "@rad/templates";
import { call, text, userCall } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import { qualifiedFunction } from "./import-names.ts";
import { printExpression } from "./print-expression.ts";
import type { SizeBudget } from "./size-budget.ts";

/** A kind of thing that templates declare and others import, and its name in the template. */
export interface ArmName {
  readonly kind: "variable" | "type" | "function";
  readonly name: string;
}

/** How something is called in the template that imports it. */
export type Rename = (name: ArmName) => string;

/** What a JSON template declares. A variable is a value, or a loop that makes one. */
export type ArmDeclaration =
  | { readonly kind: ArmName["kind"]; readonly value: Value }
  | { readonly kind: "loop"; readonly count: Value; readonly input: Value };

export function armDeclaration(
  document: ReadonlyMap<string, unknown>,
  { kind, name }: ArmName,
): ArmDeclaration | undefined {
  const value = declaredValue(document, { kind, name });
  if (value !== undefined) {
    return { kind, value };
  }
  return kind === "variable" ? armLoop(document, name) : undefined;
}

function declaredValue(document: ReadonlyMap<string, unknown>, { kind, name }: ArmName): Value | undefined {
  switch (kind) {
    case "variable":
      return memberOf(memberOf(document, "variables"), name);
    case "type":
      return memberOf(memberOf(document, "definitions"), name);
    default:
      return armFunction(document, name);
  }
}

function armLoop(document: ReadonlyMap<string, unknown>, name: string): ArmDeclaration | undefined {
  const loops = memberOf(memberOf(document, "variables"), "copy");
  for (const loop of loops !== undefined && isArray(loops) ? loops : []) {
    if (isObject(loop) && loop.get("name") === name) {
      return { kind: "loop", count: loop.get("count") ?? 0n, input: loop.get("input") ?? null };
    }
  }
  return undefined;
}

/** `name` has the namespace in front, unless it is the one that compilers use. */
function armFunction(document: ReadonlyMap<string, unknown>, name: string): Value | undefined {
  const qualified = qualifiedFunction(name);
  const dot = qualified.indexOf(".");
  const namespaces = memberOf(document, "functions");
  for (const namespace of namespaces !== undefined && isArray(namespaces) ? namespaces : []) {
    if (isObject(namespace) && namespace.get("namespace") === qualified.slice(0, dot)) {
      return memberOf(namespace.get("members"), qualified.slice(dot + 1));
    }
  }
  return undefined;
}

/** Calls `found` for everything that a declaration refers to by name. */
export function forEachArmName(declaration: ArmDeclaration, found: (name: ArmName) => void): void {
  const parts = declaration.kind === "loop" ? [declaration.count, declaration.input] : [declaration.value];
  for (const part of parts) {
    renameArm(part, (name) => {
      found(name);
      return name.name;
    });
  }
}

/** A part of a template with other names; the budget counts what is printed. */
export function renameArm(value: Value, rename: Rename, budget?: SizeBudget): Value {
  if (typeof value === "string") {
    return renameText(value, rename, budget);
  }
  if (isArray(value)) {
    return value.map((item) => renameArm(item, rename, budget));
  }
  if (!isObject(value)) {
    return value;
  }
  const result = new Map<string, Value>();
  for (const [name, member] of value) {
    const isReference = name === "$ref" && typeof member === "string" && member.startsWith(definitions);
    result.set(
      renameText(name, rename, budget),
      isReference ? renameReference(member, rename) : renameArm(member, rename, budget),
    );
  }
  return result;
}

const definitions = "#/definitions/";

function renameReference(reference: string, rename: Rename): string {
  const [name = "", ...path] = reference.slice(definitions.length).split("/");
  return `${definitions}${[rename({ kind: "type", name }), ...path].join("/")}`;
}

function renameText(source: string, rename: Rename, budget: SizeBudget | undefined): string {
  if (!source.startsWith("[") || !source.endsWith("]")) {
    return source;
  }
  let parsed;
  try {
    parsed = parseTemplateString(source);
  } catch {
    return source; // not an expression that we understand, so nothing that we could have renamed
  }
  if (parsed.kind === "literal") {
    return source;
  }
  const renamed = renameExpression(parsed.expression, rename);
  return budget === undefined ? source : printExpression(renamed, budget);
}

function renameExpression(expression: ArmExpression, rename: Rename): ArmExpression {
  switch (expression.kind) {
    case "string":
    case "integer":
      return expression;
    case "property":
      return { ...expression, base: renameExpression(expression.base, rename) };
    case "index":
      return {
        ...expression,
        base: renameExpression(expression.base, rename),
        index: renameExpression(expression.index, rename),
      };
    default: {
      const [first] = expression.args;
      const name = expression.name.toLowerCase();
      const isNaming = name === "variables" || (name === "copyindex" && expression.args.length > 0);
      if (expression.namespace === undefined && isNaming && first?.kind === "string") {
        const others = expression.args.slice(1).map((argument) => renameExpression(argument, rename));
        return call(expression.name, text(rename({ kind: "variable", name: first.value })), ...others);
      }
      const args = expression.args.map((argument) => renameExpression(argument, rename));
      if (expression.namespace === undefined) {
        return call(expression.name, ...args);
      }
      const own = `${expression.namespace}.${expression.name}`;
      const function_ = own.startsWith("__bicep.") ? expression.name : own;
      return userCall(qualifiedFunction(rename({ kind: "function", name: function_ })), args);
    }
  }
}

/** A member of an object of a template; nothing when there is no object or no such member. */
export function memberOf(container: unknown, name: string): Value | undefined {
  return container instanceof Map ? (container as ReadonlyMap<string, Value>).get(name) : undefined;
}
