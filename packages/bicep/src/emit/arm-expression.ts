import type { Expression } from "@rad/templates";

/** An expression of the template language, as the emitter builds it: positions mean nothing here. */
export type ArmExpression = Expression;

const minInt32 = -(2n ** 31n);
const maxInt32 = 2n ** 31n - 1n;

export function text(value: string): ArmExpression {
  return { kind: "string", value, position: 0 };
}

/** The grammar of expressions holds 32 bits; wider integers are read from text. */
export function integer(value: bigint): ArmExpression {
  if (value < minInt32 || value > maxInt32) {
    return call("json", text(value.toString()));
  }
  return { kind: "integer", value, position: 0 };
}

export function call(name: string, ...args: readonly ArmExpression[]): ArmExpression {
  return callWith(name, args);
}

export function callWith(name: string, args: readonly ArmExpression[]): ArmExpression {
  return { kind: "call", namespace: undefined, name, args, position: 0 };
}

/** A call of a function that the template declares itself; `qualified` is `namespace.name`. */
export function userCall(qualified: string, args: readonly ArmExpression[]): ArmExpression {
  const dot = qualified.indexOf(".");
  return { kind: "call", namespace: qualified.slice(0, dot), name: qualified.slice(dot + 1), args, position: 0 };
}

export function property(base: ArmExpression, name: string): ArmExpression {
  if (!isPlainName(name)) {
    return index(base, text(name));
  }
  return { kind: "property", base: accessible(base), name, position: 0 };
}

export function index(base: ArmExpression, at: ArmExpression): ArmExpression {
  return { kind: "index", base: accessible(base), index: at, position: 0 };
}

/** `name` followed by members, such as `subscription().subscriptionId`. */
export function memberOf(name: string, ...members: readonly string[]): ArmExpression {
  return members.reduce<ArmExpression>((base, member) => property(base, member), call(name));
}

/** Whether a name can follow a dot. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** In the grammar of expressions an access can follow only a call. */
function accessible(base: ArmExpression): ArmExpression {
  switch (base.kind) {
    case "string":
      return call("string", base);
    case "integer":
      return call("int", base);
    default:
      return base;
  }
}
