import type { Value } from "@rad/templates";
import { literalText } from "../syntax/index.ts";
import type { ArrayExpression, Expression, ForExpression, ObjectExpression, ObjectProperty } from "../syntax/index.ts";
import { call, integer, text } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import { isScopeCall, isTypeErasure } from "./calls.ts";
import type { Env } from "./env.ts";
import { escapeName, escapeText, valueOfExpression, valueOfLiteral } from "./literals.ts";
import { printExpression } from "./print-expression.ts";

/** What a value of the source is in the template: JSON as far as it goes, text of expressions from there on. */
export function emitValue(env: Env, node: Expression): Value {
  const { budget } = env.file.session;
  const inner = withoutWrappers(env, node);
  switch (inner.kind) {
    case "ObjectExpression":
      return spreads(inner) ? emitExpression(env, inner) : emitObject(env, inner);
    case "ArrayExpression":
      return spreads(inner) ? emitExpression(env, inner) : emitArray(env, inner);
    case "StringExpression": {
      const whole = literalText(inner);
      return whole === undefined ? emitExpression(env, inner) : escapeText(whole);
    }
    case "BooleanLiteral":
    case "IntegerLiteral":
      return inner.value;
    case "NullLiteral":
      return null;
    case "UnaryOperation":
      return inner.operator === "-" && inner.operand.kind === "IntegerLiteral"
        ? -inner.operand.value
        : emitExpression(env, inner);
    case "FunctionCall":
    case "InstanceFunctionCall":
      if (isScopeCall(env, inner)) {
        return new Map();
      }
      return env.file.loaded.isLoad(inner) && env.file.loaded.variableOf(inner) === undefined
        ? valueOfLiteral(env.file.loaded.valueOf(inner), budget)
        : emitExpression(env, inner);
    default:
      return emitExpression(env, inner);
  }
}

export function emitObject(env: Env, node: ObjectExpression): Map<string, Value> {
  const result = new Map<string, Value>();
  emitMembers(env, node.elements, result);
  return result;
}

/**
 * Adds properties to an object of the template. Loops come first, together, in a member of their own; where a loop of
 * the object itself has that place, they become expressions.
 */
export function emitMembers(env: Env, elements: ObjectExpression["elements"], into: Map<string, Value>): void {
  const hasPlaceForLoops = !into.has("copy");
  if (hasPlaceForLoops && elements.some(isLoop)) {
    emitCopies(env, elements.filter(isLoop), into);
  }
  for (const property of elements) {
    if (property.kind !== "ObjectProperty" || (hasPlaceForLoops && isLoop(property))) {
      continue;
    }
    const name = emitKey(env, property);
    const { value } = property;
    into.set(
      name,
      isLoop(property)
        ? valueOfExpression(convertLoop(env, property.value), env.file.session.budget)
        : emitValue(env, value),
    );
    note(env, into, name, property);
  }
}

function emitCopies(env: Env, loops: readonly LoopProperty[], into: Map<string, Value>): void {
  into.set(
    "copy",
    loops.map(({ key, value }) => emitLoop(env, value, { name: plainKey(key) ?? "" })),
  );
  note(env, into, "copy", loops[0]?.value);
}

/** A loop as the template has it; the loops of outputs have no name. */
export function emitLoop(
  env: Env,
  loop: ForExpression,
  options: { readonly name?: string; readonly asExpression?: boolean },
): Map<string, Value> {
  const { name } = options;
  const inside = env.withTurn(loop, name === undefined ? call("copyIndex") : call("copyIndex", text(name)));
  const result = new Map<string, Value>();
  if (name !== undefined) {
    result.set("name", name);
  }
  result.set("count", emitCount(env, loop));
  if (loop.body.kind !== "IfCondition") {
    const emitInput = options.asExpression === true ? emitExpression : emitLoopInput;
    result.set("input", emitInput(inside, loop.body));
    note(env, result, "input", loop.body);
  }
  return result;
}

/** A loop as an expression, for places where templates cannot have loops. */
export function convertLoop(env: Env, loop: ForExpression): ArmExpression {
  const inside = env.withTurn(loop, call("lambdaVariables", text(turnVariable)));
  const turns = call("range", integer(0n), call("length", env.convert(loop.source)));
  return call("map", turns, call("lambda", text(turnVariable), inside.convert(loop.body)));
}

const turnVariable = "__turn";

export function emitCount(env: Env, loop: ForExpression): Value {
  return printExpression(call("length", env.convert(loop.source)), env.file.session.budget);
}

/** Remembers where a member of the template comes from, if anybody wants to know. */
export function note(
  env: Env,
  container: object,
  key: string | number,
  node: { readonly start: number; readonly end: number } | undefined,
): void {
  if (node !== undefined) {
    env.file.session.places?.note(container, key, env.file.model.file, node);
  }
}

/** The name of a property, when it is not put together at run time. */
export function plainKey(key: ObjectProperty["key"]): string | undefined {
  switch (key.kind) {
    case "Identifier":
      return key.name;
    case "StringExpression":
      return literalText(key);
    default:
      return undefined;
  }
}

export function isProperty(element: ObjectExpression["elements"][number]): element is ObjectProperty {
  return element.kind === "ObjectProperty";
}

/** The value of a property by name. */
export function propertyValue(body: ObjectExpression | undefined, name: string): Expression | undefined {
  for (const element of body?.elements ?? []) {
    if (element.kind === "ObjectProperty" && plainKey(element.key) === name) {
      return element.value;
    }
  }
  return undefined;
}

function emitArray(env: Env, node: ArrayExpression): Value {
  const result: Value[] = [];
  for (const element of node.elements) {
    if (element.kind === "ArrayItem") {
      note(env, result, result.length, element);
      result.push(emitValue(env, element.value));
    }
  }
  return result;
}

function emitKey(env: Env, { key }: ObjectProperty): string {
  const plain = plainKey(key);
  if (plain !== undefined || key.kind !== "StringExpression") {
    return escapeName(plain ?? "");
  }
  return printExpression(env.convert(key), env.file.session.budget);
}

/** Of the inputs of loops only objects and texts stay JSON. */
function emitLoopInput(env: Env, node: Expression): Value {
  const inner = withoutWrappers(env, node);
  if (inner.kind === "ObjectExpression" && !spreads(inner)) {
    return emitObject(env, inner);
  }
  const expression = env.convert(inner);
  switch (expression.kind) {
    case "integer":
      return printExpression(call("int", expression), env.file.session.budget);
    default:
      return valueOfExpression(expression, env.file.session.budget);
  }
}

function emitExpression(env: Env, node: Expression): Value {
  return valueOfExpression(env.convert(node), env.file.session.budget);
}

/** The expression itself, without what only the type system sees; variables that are emitted in place are opened. */
export function withoutWrappers(env: Env, node: Expression): Expression {
  switch (node.kind) {
    case "ParenthesizedExpression":
      return withoutWrappers(env, node.expression);
    case "NonNullAssertion":
      return withoutWrappers(env, node.target);
    case "FunctionCall":
    case "InstanceFunctionCall": {
      const [argument] = node.args;
      return argument !== undefined && isTypeErasure(env, node) ? withoutWrappers(env, argument.expression) : node;
    }
    case "VariableAccess": {
      const symbol = env.file.model.symbolOf(node);
      return symbol?.kind === "variable" && env.file.inlining.isInlined(symbol)
        ? withoutWrappers(env, symbol.declaration.value)
        : node;
    }
    default:
      return node;
  }
}

function spreads(node: ObjectExpression | ArrayExpression): boolean {
  return node.elements.some((element) => element.kind === "Spread");
}

type LoopProperty = ObjectProperty & { readonly value: ForExpression };

function isLoop(property: ObjectExpression["elements"][number]): property is LoopProperty {
  return property.kind === "ObjectProperty" && property.value.kind === "ForExpression";
}
