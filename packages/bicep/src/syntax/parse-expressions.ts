import { syntaxErrors } from "./diagnostics.ts";
import type {
  ArrayElement,
  ArrayExpression,
  BinaryOperator,
  Expression,
  ForExpression,
  ForVariableBlock,
  FunctionArgument,
  Identifier,
  Lambda,
  LambdaParameters,
  LocalVariable,
  Node,
  ObjectElement,
  ObjectExpression,
  ObjectProperty,
  ParenthesizedExpression,
  Skipped,
  Spread,
  StringExpression,
  TernaryOperation,
  UnaryOperator,
} from "./nodes.ts";
import { integerValue } from "./integer-value.ts";
import { argumentList, newlineList, onlyItem, parenthesisList } from "./parse-lists.ts";
import type { ParenthesisParts } from "./parse-lists.ts";
import { noTokens, silences } from "./parser.ts";
import type { Complaint, Parser, Terminators } from "./parser.ts";
import { stringSegments } from "./string-value.ts";
import { Token } from "./tokens.ts";
import type { TokenKind } from "./tokens.ts";

/** Array and object literals are banned from the holes of strings and a few other places. */
export const Literals = { allowed: true, banned: false } as const;
type LiteralsAllowed = boolean;

const operandEnd: Terminators = ["stringRight", "}", ")", "]", "newline"];
const trueBranchEnd: Terminators = [":", ...operandEnd];
const holeEnd: Terminators = ["stringMiddle", "stringRight", "newline"];
const argumentEnd: Terminators = ["newline", ",", ")"];
const lambdaBodyEnd: Terminators = ["newline", ")"];
const arrayElementEnd: Terminators = ["newline", "]"];
const arraySpreadEnd: Terminators = [",", "newline", "]"];
const objectElementEnd: Terminators = ["newline", "}"];
const objectSpreadEnd: Terminators = [",", "newline", "}"];
const objectKeyEnd: Terminators = [":", "newline", "}"];
const loopSourceEnd: Terminators = [":", "]", "newline"];
const loopPartEnd: Terminators = ["]", "newline"];

// ------------------------------------------------------------------------------------------ operators

export function expression(parser: Parser, literals: LiteralsAllowed): Expression {
  parser.enter();
  const condition = binary(parser, literals, 0);
  const result = startsTernary(parser) ? ternary(parser, condition, literals) : condition;
  parser.leave();
  return result;
}

/** An expression, or skipping to a terminator. */
export function recoverExpression(
  parser: Parser,
  literals: LiteralsAllowed,
  stopAt: Terminators,
  isSilent = false,
): Expression {
  return startsExpression(parser.next.kind)
    ? parser.recover(expression, literals, stopAt, isSilent)
    : parser.fail(syntaxErrors.expectedExpression, stopAt, isSilent);
}

function startsExpression(kind: TokenKind): boolean {
  switch (kind) {
    case "identifier":
    case "stringComplete":
    case "stringLeft":
    case "{":
    case "[":
    case "(":
    case "integer":
    case "true":
    case "false":
    case "null":
    case "!":
    case "-":
      return true;
    default:
      return false;
  }
}

function startsTernary(parser: Parser): boolean {
  return parser.at("?") || startsLaterLine(parser, "?");
}

function startsLaterLine(parser: Parser, kind: TokenKind): boolean {
  return parser.at("newline") && parser.aheadPastNewlines(1).kind === kind;
}

function ternary(parser: Parser, condition: Expression, literals: LiteralsAllowed): TernaryOperation {
  const questionNewlines = parser.takeNewlines();
  const question = parser.take();
  const whenTrue = recoverExpression(parser, literals, trueBranchEnd);
  const colonNewlines = whenTrue.kind !== "Skipped" && startsLaterLine(parser, ":") ? parser.takeNewlines() : noTokens;
  const colon = parser.recoverToken(":", operandEnd, silences(whenTrue));
  const whenFalse = recoverExpression(parser, literals, operandEnd, silences(colon));
  return {
    kind: "TernaryOperation",
    id: parser.nextId(),
    start: condition.start,
    end: whenFalse.end,
    condition,
    questionNewlines,
    question,
    whenTrue,
    colonNewlines,
    colon,
    whenFalse,
  };
}

/** Operators that bind tighter than `floor`, by precedence climbing; all of them group to the left. */
function binary(parser: Parser, literals: LiteralsAllowed, floor: number): Expression {
  let left = unary(parser, literals);
  for (let chain = 1; ; chain += 1) {
    const precedence = precedenceOf(parser.next.kind);
    if (precedence <= floor) {
      return left;
    }
    const operatorToken = parser.take();
    const right = parser.recover((inner) => rightOperand(inner, literals, precedence), undefined, operandEnd);
    left = {
      kind: "BinaryOperation",
      id: parser.nextId(),
      start: left.start,
      end: right.end,
      operator: operatorToken.kind as BinaryOperator, // only operators have a precedence
      left,
      operatorToken,
      right,
    };
    parser.noteChain(chain);
  }
}

function rightOperand(parser: Parser, literals: LiteralsAllowed, floor: number): Expression {
  parser.enter();
  const operand = binary(parser, literals, floor);
  parser.leave();
  return operand;
}

/** 0 for everything that is no binary operator. */
function precedenceOf(kind: TokenKind): number {
  switch (kind) {
    case "newline": // what follows most expressions, so it is asked first
    case ")":
    case ",":
      return 0;
    case "*":
    case "/":
    case "%":
      return 100;
    case "+":
    case "-":
      return 90;
    case "<":
    case "<=":
    case ">":
    case ">=":
      return 80;
    case "==":
    case "!=":
    case "=~":
    case "!~":
      return 70;
    case "&&":
      return 50;
    case "||":
      return 40;
    case "??":
      return 30;
    default:
      return 0;
  }
}

function unary(parser: Parser, literals: LiteralsAllowed): Expression {
  const { kind } = parser.next;
  if (kind !== "!" && kind !== "-") {
    return member(parser, literals);
  }
  const operatorToken = parser.take();
  const operator: UnaryOperator = kind;
  const operand = parser.recover(member, literals, operandEnd);
  return {
    kind: "UnaryOperation",
    id: parser.nextId(),
    start: operatorToken.start,
    end: operand.end,
    operator,
    operatorToken,
    operand,
  };
}

// ------------------------------------------------------------------------------------------ members

function member(parser: Parser, literals: LiteralsAllowed): Expression {
  let target = primary(parser, literals);
  for (let chain = 1; ; chain += 1) {
    switch (parser.next.kind) {
      case ".":
        target = propertyOrCall(parser, target, literals);
        break;
      case "[":
        target = arrayAccess(parser, target, literals);
        break;
      case "::": {
        const doubleColon = parser.take();
        const name = parser.markIdentifier(syntaxErrors.expectedMemberName);
        target = {
          kind: "ResourceAccess",
          id: parser.nextId(),
          start: target.start,
          end: name.end,
          target,
          doubleColon,
          name,
        };
        break;
      }
      case "!": {
        const bang = parser.take();
        target = { kind: "NonNullAssertion", id: parser.nextId(), start: target.start, end: bang.end, target, bang };
        break;
      }
      default:
        return target;
    }
    parser.noteChain(chain);
  }
}

function propertyOrCall(parser: Parser, target: Expression, literals: LiteralsAllowed): Expression {
  const dot = parser.take();
  const safe = parser.takeIf("?");
  const name = parser.markIdentifier(syntaxErrors.expectedMemberName);
  if (!parser.at("(")) {
    return { kind: "PropertyAccess", id: parser.nextId(), start: target.start, end: name.end, target, dot, safe, name };
  }
  if (safe !== undefined) {
    parser.report(syntaxErrors.safeCall(safe));
  }
  const open = parser.take();
  const { items, elements: args, close } = callArguments(parser, literals);
  const { start } = target;
  return {
    kind: "InstanceFunctionCall",
    id: parser.nextId(),
    start,
    end: close.end,
    target,
    dot,
    safe,
    name,
    open,
    items,
    args,
    close,
  };
}

function arrayAccess(parser: Parser, target: Expression, literals: LiteralsAllowed): Expression {
  const open = parser.take();
  const { start } = target;
  if (parser.at("]")) {
    const index = parser.mark(syntaxErrors.emptyIndex);
    const close = parser.take();
    const none = undefined;
    return {
      kind: "ArrayAccess",
      id: parser.nextId(),
      start,
      end: close.end,
      target,
      open,
      safe: none,
      fromEnd: none,
      index,
      close,
    };
  }
  const safe = parser.takeIf("?");
  const fromEnd = parser.takeIf("^");
  const index = expression(parser, literals);
  const close = parser.expect("]");
  return { kind: "ArrayAccess", id: parser.nextId(), start, end: close.end, target, open, safe, fromEnd, index, close };
}

/** What follows the `(` of a call. */
export function callArguments(
  parser: Parser,
  literals: LiteralsAllowed,
): ReturnType<typeof argumentList<FunctionArgument>> {
  return argumentList(parser, ")", (inner) => {
    const argument = recoverExpression(inner, literals, argumentEnd);
    return {
      kind: "FunctionArgument",
      id: parser.nextId(),
      start: argument.start,
      end: argument.end,
      expression: argument,
    };
  });
}

// ------------------------------------------------------------------------------------------ primaries

function primary(parser: Parser, literals: LiteralsAllowed): Expression {
  const { next } = parser;
  const { kind, start, end } = next;
  switch (kind) {
    case "identifier":
      return nameOrCallOrLambda(parser, literals);
    case "stringComplete":
    case "stringLeft":
      return stringOrSkipped(parser);
    case "{":
      return literals ? objectExpression(parser, undefined) : parser.raise(syntaxErrors.literalNotAllowed);
    case "[":
      return literals ? arrayOrLoop(parser) : parser.raise(syntaxErrors.literalNotAllowed);
    case "integer": {
      const token = parser.take();
      return { kind: "IntegerLiteral", id: parser.nextId(), start, end, token, value: integerValue(parser, token) };
    }
    case "true":
    case "false":
      return { kind: "BooleanLiteral", id: parser.nextId(), start, end, token: parser.take(), value: kind === "true" };
    case "null":
      return { kind: "NullLiteral", id: parser.nextId(), start, end, token: parser.take() };
    case "(":
      return parenthesisOrLambda(parser, literals);
    default:
      return parser.raise(syntaxErrors.expectedExpression);
  }
}

function nameOrCallOrLambda(parser: Parser, literals: LiteralsAllowed): Expression {
  const name = parser.identifier();
  if (parser.at("(")) {
    return functionCall(parser, name, literals);
  }
  const { start, end } = name;
  if (parser.at("=>")) {
    return lambda(parser, { kind: "LocalVariable", id: parser.nextId(), start, end, name });
  }
  return { kind: "VariableAccess", id: parser.nextId(), start, end, name };
}

export function functionCall(
  parser: Parser,
  name: Identifier,
  literals: LiteralsAllowed,
): Expression & { kind: "FunctionCall" } {
  const open = parser.take();
  const { items, elements: args, close } = callArguments(parser, literals);
  return {
    kind: "FunctionCall",
    id: parser.nextId(),
    start: name.start,
    end: close.end,
    name,
    open,
    items,
    args,
    close,
  };
}

function arrayOrLoop(parser: Parser): Expression {
  return parser.isWord(parser.aheadPastNewlines(1), "for") ? forExpression(parser, loopValue) : arrayExpression(parser);
}

const loopValue = (parser: Parser): Expression => expression(parser, Literals.allowed);

// ------------------------------------------------------------------------------------------ parentheses, lambdas

function parenthesisOrLambda(parser: Parser, literals: LiteralsAllowed): Expression {
  const parts = parenthesisList(parser, expression, literals, true);
  return parser.at("=>") ? lambda(parser, lambdaParameters(parser, parts)) : parenthesized(parser, parts);
}

/** The condition of an `if`. */
export function parenthesizedCondition(parser: Parser): ParenthesizedExpression {
  return parenthesized(parser, parenthesisList(parser, expression, Literals.allowed, true));
}

function parenthesized(parser: Parser, parts: ParenthesisParts<Expression>): ParenthesizedExpression {
  const { open, close } = parts;
  const inner = onlyItem(parser, parts);
  return {
    kind: "ParenthesizedExpression",
    id: parser.nextId(),
    start: open.start,
    end: close.end,
    open,
    expression: inner,
    close,
  };
}

function lambdaParameters(parser: Parser, parts: ParenthesisParts<Expression>): LambdaParameters {
  const { open, close } = parts;
  const items = parts.items.map((item) => asVariable(parser, item));
  const variables = items.filter(isLocalVariable);
  return {
    kind: "LambdaParameters",
    id: parser.nextId(),
    start: open.start,
    end: close.end,
    open,
    items,
    variables,
    close,
  };
}

/** What was read as an expression declares a variable; anything but a plain name is skipped without a word. */
function asVariable(parser: Parser, item: Expression | Token): LocalVariable | Skipped | Token {
  if (item instanceof Token || item.kind === "Skipped") {
    return item;
  }
  const { start, end } = item;
  return item.kind === "VariableAccess"
    ? { kind: "LocalVariable", id: parser.nextId(), start, end, name: item.name }
    : { kind: "Skipped", id: parser.nextId(), start, end, items: [item] };
}

function isLocalVariable(item: Node | Token): item is LocalVariable {
  return item.kind === "LocalVariable";
}

function lambda(parser: Parser, parameters: LocalVariable | LambdaParameters): Lambda {
  const arrow = parser.take();
  const newlines = newlinesAfterArrow(parser);
  const body = recoverExpression(parser, Literals.allowed, lambdaBodyEnd);
  return {
    kind: "Lambda",
    id: parser.nextId(),
    start: parameters.start,
    end: body.end,
    parameters,
    arrow,
    newlines,
    body,
  };
}

/** The body may start on a later line, unless that line looks like the next declaration. */
export function newlinesAfterArrow(parser: Parser): readonly Token[] {
  if (!parser.at("newline")) {
    return noTokens;
  }
  const following = parser.aheadPastNewlines(1);
  const isDeclaration = following.kind === "identifier" && declarationWords.has(parser.textOf(following));
  return isDeclaration ? noTokens : parser.takeNewlines();
}

const declarationWords: ReadonlySet<string> = new Set([
  "assert",
  "import",
  "metadata",
  "param",
  "var",
  "resource",
  "output",
  "module",
  "type",
]);

// ------------------------------------------------------------------------------------------ strings

/** A string, or all of its parts skipped when it is malformed, about which the scanner has complained. */
export function stringOrSkipped(parser: Parser): StringExpression | Skipped {
  const first = parser.take();
  if (first.kind === "stringLeft") {
    return interpolatedString(parser, first);
  }
  const { start, end } = first;
  if (parser.isMalformed(first)) {
    return { kind: "Skipped", id: parser.nextId(), start, end, items: [first] };
  }
  const tokens = [first];
  const segments = stringSegments(parser.text, tokens);
  return { kind: "StringExpression", id: parser.nextId(), start, end, tokens, segments, expressions: noExpressions };
}

const noExpressions: readonly Expression[] = [];

function interpolatedString(parser: Parser, first: Token): StringExpression | Skipped {
  const tokens = [first];
  const expressions: Expression[] = [];
  const items: (Token | Node)[] = [first];
  let isWhole = !parser.isMalformed(first);
  for (;;) {
    const inside = hole(parser);
    expressions.push(inside);
    items.push(inside);
    if (parser.atLineEnd()) {
      return { kind: "Skipped", id: parser.nextId(), start: first.start, end: inside.end, items };
    }
    const piece = parser.take();
    tokens.push(piece);
    items.push(piece);
    isWhole &&= !parser.isMalformed(piece);
    if (piece.kind === "stringRight") {
      const { start } = first;
      const { end } = piece;
      return isWhole
        ? {
            kind: "StringExpression",
            id: parser.nextId(),
            start,
            end,
            tokens,
            segments: stringSegments(parser.text, tokens),
            expressions,
          }
        : { kind: "Skipped", id: parser.nextId(), start, end, items };
    }
  }
}

function hole(parser: Parser): Expression {
  const inside = recoverExpression(parser, Literals.banned, holeEnd);
  if (holeEnd.includes(parser.next.kind)) {
    return inside;
  }
  const from = parser.position;
  parser.skipTo(holeEnd);
  const surplus = parser.skippedFrom(from);
  parser.report(syntaxErrors.surplusInInterpolation(surplus));
  return { kind: "Skipped", id: parser.nextId(), start: inside.start, end: surplus.end, items: [inside, surplus] };
}

/**
 * A string where nothing else will do. Anything else takes the rest of the line with it, because what was meant for
 * the string is likely to be spread over several tokens.
 */
export function expectString(parser: Parser, complaint: Complaint): StringExpression {
  const first = parser.next;
  if (!parser.atString()) {
    parser.skipTo(holeEnd);
    return parser.raise(complaint, first);
  }
  const result = stringOrSkipped(parser);
  return result.kind === "Skipped" ? parser.raise(complaint, first) : result;
}

// ------------------------------------------------------------------------------------------ arrays, objects

function arrayExpression(parser: Parser): ArrayExpression {
  const open = parser.take();
  const { items, elements } = newlineList(parser, "]", recoverArrayElement);
  const close = parser.expect("]");
  return {
    kind: "ArrayExpression",
    id: parser.nextId(),
    start: open.start,
    end: close.end,
    open,
    items,
    elements,
    close,
  };
}

function recoverArrayElement(parser: Parser): ArrayElement {
  return parser.recover(arrayElement, undefined, arrayElementEnd);
}

function arrayElement(parser: Parser): ArrayElement {
  if (parser.at("...")) {
    return spread(parser, arraySpreadEnd);
  }
  const item = expression(parser, Literals.allowed);
  return { kind: "ArrayItem", id: parser.nextId(), start: item.start, end: item.end, value: item };
}

function spread(parser: Parser, stopAt: Terminators): Spread {
  const ellipsis = parser.take();
  const inner = recoverExpression(parser, Literals.allowed, stopAt);
  return { kind: "Spread", id: parser.nextId(), start: ellipsis.start, end: inner.end, ellipsis, expression: inner };
}

/** Reads an element that only some objects have, or `undefined` when none starts here. */
export type SpecialElement = (parser: Parser) => ObjectElement | undefined;

export function objectExpression(parser: Parser, special: SpecialElement | undefined): ObjectExpression {
  const open = parser.expect("{");
  const element = special === undefined ? recoverObjectElement : recoverElementOr(special);
  const { items, elements } = newlineList(parser, "}", element);
  const close = parser.expect("}");
  return {
    kind: "ObjectExpression",
    id: parser.nextId(),
    start: open.start,
    end: close.end,
    open,
    items,
    elements,
    close,
  };
}

function recoverObjectElement(parser: Parser): ObjectElement {
  return parser.recover(objectElement, undefined, objectElementEnd);
}

function recoverElementOr(special: SpecialElement): (parser: Parser) => ObjectElement {
  return (parser) => parser.recover((inner) => special(inner) ?? objectElement(inner), undefined, objectElementEnd);
}

function objectElement(parser: Parser): ObjectElement {
  return parser.at("...") ? spread(parser, objectSpreadEnd) : objectProperty(parser);
}

function objectProperty(parser: Parser): ObjectProperty {
  const key = parser.at("identifier")
    ? parser.identifier()
    : parser.recover(expectKey, syntaxErrors.expectedPropertyName, objectKeyEnd);
  const colon = parser.recoverToken(":", objectElementEnd, silences(key));
  const content = recoverExpression(parser, Literals.allowed, objectElementEnd, silences(colon));
  return {
    kind: "ObjectProperty",
    id: parser.nextId(),
    start: key.start,
    end: content.end,
    key,
    colon,
    value: content,
  };
}

/** The key of an object's or object type's property. */
export function expectKey(parser: Parser, complaint: Complaint): Identifier | StringExpression {
  if (parser.at("identifier")) {
    return parser.identifier();
  }
  const first = parser.next;
  if (!parser.atString()) {
    return parser.raise(complaint);
  }
  const key = stringOrSkipped(parser);
  return key.kind === "Skipped" ? parser.raise(complaint, first) : key;
}

// ------------------------------------------------------------------------------------------ loops

/** `[for …]`; the body depends on where the loop stands. */
export function forExpression(parser: Parser, loopBody: (parser: Parser) => ForExpression["body"]): ForExpression {
  const open = parser.expect("[");
  const openNewlines = parser.takeNewlines();
  const forKeyword = parser.expectWord("for");
  const reported = parser.diagnostics.length;
  const variables = loopVariables(parser);
  const isBadVariable = parser.diagnostics.length > reported;
  const inKeyword = parser.recover(expectIn, undefined, loopPartEnd, isBadVariable);
  const source = recoverExpression(parser, Literals.allowed, loopSourceEnd, silences(inKeyword));
  const colon = parser.recoverToken(":", loopPartEnd, silences(source));
  const body = parser.recover(loopBody, undefined, loopPartEnd, silences(colon));
  const closeNewlines = body.kind === "Skipped" ? noTokens : parser.takeNewlines();
  const close = parser.recoverToken("]", loopPartEnd, silences(body));
  return {
    kind: "ForExpression",
    id: parser.nextId(),
    start: open.start,
    end: close.end,
    open,
    openNewlines,
    forKeyword,
    variables,
    inKeyword,
    source,
    colon,
    body,
    closeNewlines,
    close,
  };
}

function expectIn(parser: Parser): Token {
  return parser.expectWord("in");
}

function loopVariables(parser: Parser): ForExpression["variables"] {
  if (parser.at("identifier")) {
    const name = parser.identifier();
    return { kind: "LocalVariable", id: parser.nextId(), start: name.start, end: name.end, name };
  }
  return parser.at("(") ? forVariableBlock(parser) : parser.mark(syntaxErrors.expectedLoopVariable);
}

function forVariableBlock(parser: Parser): ForVariableBlock {
  const reported = parser.diagnostics.length;
  const parts = parenthesisList(parser, expression, Literals.banned, false);
  const { open, close } = parts;
  const items = parts.items.map((item) => asVariable(parser, item));
  const variables = items.filter(isLocalVariable);
  const block: ForVariableBlock = {
    kind: "ForVariableBlock",
    id: parser.nextId(),
    start: open.start,
    end: close.end,
    open,
    items,
    variables,
    close,
  };
  if (variables.length !== 2 && parser.diagnostics.length === reported) {
    parser.report(syntaxErrors.expectedTwoLoopVariables(block));
  }
  return block;
}
