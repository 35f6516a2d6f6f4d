import { syntaxErrors } from "./diagnostics.ts";
import { integerValue } from "./integer-value.ts";
import type {
  Identifier,
  ObjectType,
  ObjectTypeElement,
  ParenthesizedType,
  ResourceType,
  Skipped,
  TupleType,
  TupleTypeItem,
  TypeArgument,
  TypedLambda,
  TypedParameter,
  TypedParameters,
  TypeExpression,
  TypeInstantiation,
  UnaryOperator,
  UnionTypeMember,
} from "./nodes.ts";
import { decorators, startOf } from "./parse-decorators.ts";
import {
  expectKey,
  expression,
  expectString,
  Literals,
  newlinesAfterArrow,
  recoverExpression,
  stringOrSkipped,
} from "./parse-expressions.ts";
import { argumentList, newlineList, onlyItem, parenthesisList } from "./parse-lists.ts";
import { noTokens, silences } from "./parser.ts";
import type { Parser, Terminators } from "./parser.ts";
import type { Token } from "./tokens.ts";

const resourceTypeEnd: Terminators = ["=", "newline"];
const operandEnd: Terminators = ["stringRight", "}", ")", "]", "newline"];
const argumentEnd: Terminators = ["newline", ",", ">"];
const memberEnd: Terminators = ["newline", "}"];
const memberKeyEnd: Terminators = [":", "newline", "}"];
const tupleItemEnd: Terminators = ["newline", "]"];
const parameterTypeEnd: Terminators = ["newline", ",", ")"];
const lambdaPartEnd: Terminators = ["newline", ")"];
const endOfFile: Terminators = [];

// ------------------------------------------------------------------------------------------ whole types

/** The type in a declaration, where `resource 'T@v'` is possible too. */
export function declaredType(parser: Parser): TypeExpression {
  return startsResourceType(parser) ? resourceType(parser, true) : typeExpression(parser);
}

/** The type of an output, which may leave a resource's type open. */
export function outputType(parser: Parser): TypeExpression {
  return startsResourceType(parser) ? resourceType(parser, parser.atString(1)) : typeExpression(parser);
}

function startsResourceType(parser: Parser): boolean {
  return parser.atWord("resource") && parser.ahead(1).kind !== "<";
}

function resourceType(parser: Parser, hasType: boolean): ResourceType {
  const keyword = parser.take();
  const { start } = keyword;
  if (!hasType) {
    return { kind: "ResourceType", id: parser.nextId(), start, end: keyword.end, keyword, type: undefined };
  }
  const type = parser.recover(expectString, syntaxErrors.expectedResourceType, resourceTypeEnd);
  return { kind: "ResourceType", id: parser.nextId(), start, end: type.end, keyword, type };
}

/** One type, or several with bars between them. */
function typeExpression(parser: Parser): TypeExpression {
  parser.enter();
  const result = union(parser);
  parser.leave();
  return result;
}

function union(parser: Parser): TypeExpression {
  const items: (UnionTypeMember | Skipped | Token)[] = [];
  const members: UnionTypeMember[] = [];
  const isLedByBar = takeBar(parser, items);
  const first = unary(parser);
  if (!isLedByBar && !startsBar(parser)) {
    return first;
  }
  addMember(first);
  while (takeBar(parser, items)) {
    if (parser.at("newline")) {
      items.push(parser.mark(syntaxErrors.expectedTypeLiteral));
    } else {
      addMember(parser.recover(unary, undefined, endOfFile));
    }
  }
  const start = items[0]?.start ?? first.start;
  return { kind: "UnionType", id: parser.nextId(), start, end: items.at(-1)?.end ?? first.end, items, members };

  function addMember(type: TypeExpression): void {
    const member: UnionTypeMember = {
      kind: "UnionTypeMember",
      id: parser.nextId(),
      start: type.start,
      end: type.end,
      type,
    };
    items.push(member);
    members.push(member);
  }
}

/** A bar may start its line, after a single run of line breaks. */
function startsBar(parser: Parser): boolean {
  const { kind } = parser.next;
  return kind === "|" || (kind === "newline" && parser.ahead(1).kind === "|");
}

function takeBar(parser: Parser, items: (UnionTypeMember | Skipped | Token)[]): boolean {
  if (!startsBar(parser)) {
    return false;
  }
  if (parser.at("newline")) {
    items.push(parser.take());
  }
  items.push(parser.take());
  return true;
}

// ------------------------------------------------------------------------------------------ operators, members

function unary(parser: Parser): TypeExpression {
  const { kind } = parser.next;
  if (kind !== "!" && kind !== "-") {
    return member(parser);
  }
  const operatorToken = parser.take();
  const operator: UnaryOperator = kind;
  const operand = parser.recover(member, undefined, operandEnd);
  const { start } = operatorToken;
  return { kind: "UnaryTypeOperation", id: parser.nextId(), start, end: operand.end, operator, operatorToken, operand };
}

function member(parser: Parser): TypeExpression {
  let target = primary(parser);
  for (let chain = 1; ; chain += 1) {
    const { start } = target;
    switch (parser.next.kind) {
      case "?": {
        const question = parser.take();
        target = { kind: "NullableType", id: parser.nextId(), start, end: question.end, base: target, question };
        break;
      }
      case "!": {
        const bang = parser.take();
        target = { kind: "NonNullableType", id: parser.nextId(), start, end: bang.end, base: target, bang };
        break;
      }
      case "[":
        target = bracketed(parser, target);
        break;
      case ".":
        target = dotted(parser, target);
        break;
      default:
        return target;
    }
    parser.noteChain(chain);
  }
}

/** `T[]`, `T[*]` or `T[0]` */
function bracketed(parser: Parser, target: TypeExpression): TypeExpression {
  const { start } = target;
  const open = parser.take();
  if (parser.at("]")) {
    const close = parser.take();
    return { kind: "ArrayType", id: parser.nextId(), start, end: close.end, item: target, open, close };
  }
  const star = parser.takeIf("*");
  if (star !== undefined) {
    const close = parser.expect("]");
    return { kind: "TypeItemsAccess", id: parser.nextId(), start, end: close.end, target, open, star, close };
  }
  const index = expression(parser, Literals.banned);
  const close = parser.expect("]");
  return { kind: "TypeArrayAccess", id: parser.nextId(), start, end: close.end, target, open, index, close };
}

/** `T.name`, `T.*` or `T.name<…>` */
function dotted(parser: Parser, target: TypeExpression): TypeExpression {
  const { start } = target;
  const dot = parser.take();
  const star = parser.takeIf("*");
  if (star !== undefined) {
    return { kind: "TypeAdditionalPropertiesAccess", id: parser.nextId(), start, end: star.end, target, dot, star };
  }
  const name = parser.markIdentifier(syntaxErrors.expectedMemberName);
  if (!parser.at("<")) {
    return { kind: "TypePropertyAccess", id: parser.nextId(), start, end: name.end, target, dot, name };
  }
  const { open, items, args, close } = typeArguments(parser);
  return {
    kind: "InstanceTypeInstantiation",
    id: parser.nextId(),
    start,
    end: close.end,
    target,
    dot,
    name,
    open,
    items,
    args,
    close,
  };
}

type TypeArguments = Pick<TypeInstantiation, "open" | "items" | "args" | "close">;

function typeArguments(parser: Parser): TypeArguments {
  const open = parser.take();
  const { items, elements: args, close } = argumentList(parser, ">", typeArgument);
  return { open, items, args, close };
}

function typeArgument(parser: Parser): TypeArgument {
  const type = parser.recover(typeExpression, undefined, argumentEnd);
  return { kind: "TypeArgument", id: parser.nextId(), start: type.start, end: type.end, type };
}

// ------------------------------------------------------------------------------------------ primaries

function primary(parser: Parser): TypeExpression {
  const { kind, start, end } = parser.next;
  switch (kind) {
    case "identifier":
      return named(parser, parser.identifier());
    case "stringComplete":
    case "stringLeft": {
      const value = stringOrSkipped(parser);
      return value.kind === "Skipped"
        ? value
        : { kind: "StringTypeLiteral", id: parser.nextId(), start, end: value.end, value };
    }
    case "integer": {
      const token = parser.take();
      return { kind: "IntegerTypeLiteral", id: parser.nextId(), start, end, token, value: integerValue(parser, token) };
    }
    case "true":
    case "false":
      return {
        kind: "BooleanTypeLiteral",
        id: parser.nextId(),
        start,
        end,
        token: parser.take(),
        value: kind === "true",
      };
    case "null":
      return { kind: "NullTypeLiteral", id: parser.nextId(), start, end, token: parser.take() };
    case "{":
      return objectType(parser);
    case "[":
      return tupleType(parser);
    case "(":
      return parenthesizedType(parser);
    default:
      return parser.raise(syntaxErrors.expectedType);
  }
}

function named(parser: Parser, name: Identifier): TypeExpression {
  const { start } = name;
  if (!parser.at("<")) {
    return { kind: "TypeReference", id: parser.nextId(), start, end: name.end, name };
  }
  const { open, items, args, close } = typeArguments(parser);
  return { kind: "TypeInstantiation", id: parser.nextId(), start, end: close.end, name, open, items, args, close };
}

function parenthesizedType(parser: Parser): ParenthesizedType {
  const parts = parenthesisList(parser, typeExpression, undefined, false);
  const { open, close } = parts;
  const type = onlyItem(parser, parts);
  return { kind: "ParenthesizedType", id: parser.nextId(), start: open.start, end: close.end, open, type, close };
}

function tupleType(parser: Parser): TupleType {
  const open = parser.take();
  const { items, elements } = newlineList(parser, "]", recoverTupleItem);
  const close = parser.expect("]");
  return { kind: "TupleType", id: parser.nextId(), start: open.start, end: close.end, open, items, elements, close };
}

function recoverTupleItem(parser: Parser): TupleTypeItem | Skipped {
  return parser.recover(tupleItem, undefined, tupleItemEnd);
}

function tupleItem(parser: Parser): TupleTypeItem {
  const before = decorators(parser);
  const type = typeExpression(parser);
  return {
    kind: "TupleTypeItem",
    id: parser.nextId(),
    start: startOf(before, type.start),
    end: type.end,
    ...before,
    type,
  };
}

function objectType(parser: Parser): ObjectType {
  const open = parser.take();
  const { items, elements } = newlineList(parser, "}", recoverObjectTypeElement);
  const close = parser.expect("}");
  return { kind: "ObjectType", id: parser.nextId(), start: open.start, end: close.end, open, items, elements, close };
}

function recoverObjectTypeElement(parser: Parser): ObjectTypeElement {
  return parser.recover(objectTypeElement, undefined, memberEnd);
}

function objectTypeElement(parser: Parser): ObjectTypeElement {
  const before = decorators(parser);
  const star = parser.takeIf("*");
  if (star !== undefined) {
    const { colon, type } = memberType(parser, star);
    const start = startOf(before, star.start);
    return {
      kind: "ObjectTypeAdditionalProperties",
      id: parser.nextId(),
      start,
      end: type.end,
      ...before,
      star,
      colon,
      type,
    };
  }
  const key = parser.recover(expectKey, syntaxErrors.expectedTypePropertyName, memberKeyEnd);
  const { colon, type } = memberType(parser, key);
  return {
    kind: "ObjectTypeProperty",
    id: parser.nextId(),
    start: startOf(before, key.start),
    end: type.end,
    ...before,
    key,
    colon,
    type,
  };
}

function memberType(
  parser: Parser,
  key: Parameters<typeof silences>[0],
): Pick<ObjectTypeElement & { kind: "ObjectTypeProperty" }, "colon" | "type"> {
  const colon = parser.recoverToken(":", memberEnd, silences(key));
  const type = parser.recover(typeExpression, undefined, memberEnd, silences(colon));
  return { colon, type };
}

// ------------------------------------------------------------------------------------------ functions

/** What follows the name of a function. No slot silences another here. */
export function typedLambda(parser: Parser): TypedLambda {
  const parameters = typedParameters(parser);
  const returnType = parser.recover(declaredType, undefined, lambdaPartEnd);
  const arrow = parser.recoverToken("=>", lambdaPartEnd);
  const newlines = arrow.kind === "Skipped" ? noTokens : newlinesAfterArrow(parser);
  const body = recoverExpression(parser, Literals.allowed, lambdaPartEnd);
  const { start } = parameters;
  return {
    kind: "TypedLambda",
    id: parser.nextId(),
    start,
    end: body.end,
    parameters,
    returnType,
    arrow,
    newlines,
    body,
  };
}

function typedParameters(parser: Parser): TypedParameters {
  const { open, items, close } = parenthesisList(parser, typedParameter, undefined, true);
  const parameters = items.filter((item) => item.kind === "TypedParameter");
  return {
    kind: "TypedParameters",
    id: parser.nextId(),
    start: open.start,
    end: close.end,
    open,
    items,
    parameters,
    close,
  };
}

function typedParameter(parser: Parser): TypedParameter {
  const name = parser.markIdentifier(syntaxErrors.expectedVariableName);
  const type = parser.recover(declaredType, undefined, parameterTypeEnd);
  return { kind: "TypedParameter", id: parser.nextId(), start: name.start, end: type.end, name, type };
}
