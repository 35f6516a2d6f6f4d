import { syntaxErrors } from "./diagnostics.ts";
import type {
  DanglingDecorators,
  ForExpression,
  IfCondition,
  ModuleDeclaration,
  ObjectElement,
  ObjectExpression,
  ResourceBody,
  ResourceDeclaration,
  Skipped,
} from "./nodes.ts";
import { decorators, startOf } from "./parse-decorators.ts";
import type { Decorators } from "./parse-decorators.ts";
import { expectString, forExpression, objectExpression, parenthesizedCondition } from "./parse-expressions.ts";
import { noTokens, silences } from "./parser.ts";
import type { Parser, Terminators } from "./parser.ts";

const nameEnd: Terminators = ["stringComplete", "stringLeft", "newline"];
const typeEnd: Terminators = ["=", "newline"];
const assignmentEnd: Terminators = ["{", "newline"];
const lineEnd: Terminators = ["newline"];
const conditionEnd: Terminators = ["{", "newline"];
const loopConditionEnd: Terminators = ["{", "]", "newline"];
const loopLineEnd: Terminators = ["newline", "]"];

export function resourceDeclaration(parser: Parser, before: Decorators): ResourceDeclaration {
  const keyword = parser.take();
  const name = parser.recoverIdentifier(syntaxErrors.expectedResourceName, nameEnd);
  const type = parser.recover(expectString, syntaxErrors.expectedResourceType, typeEnd, silences(name));
  const existing = parser.atWord("existing") ? parser.take() : undefined;
  const assignment = parser.recoverToken("=", assignmentEnd, silences(type));
  const newlines = assignment.kind === "=" && startsIf(parser) ? parser.takeNewlines() : noTokens;
  const body = parser.recover(resourceBody, undefined, lineEnd, silences(assignment));
  return {
    kind: "ResourceDeclaration",
    id: parser.nextId(),
    start: startOf(before, keyword.start),
    end: body.end,
    ...before,
    keyword,
    name,
    type,
    existing,
    assignment,
    newlines,
    body,
  };
}

export function moduleDeclaration(parser: Parser, before: Decorators): ModuleDeclaration {
  const keyword = parser.take();
  const name = parser.recoverIdentifier(syntaxErrors.expectedModuleName, nameEnd);
  const path = parser.recover(expectString, syntaxErrors.expectedModulePath, typeEnd, silences(name));
  const assignment = parser.recoverToken("=", assignmentEnd, silences(path));
  const newlines = startsIf(parser) ? parser.takeNewlines() : noTokens;
  const body = parser.recover(moduleBody, undefined, lineEnd, silences(assignment));
  return {
    kind: "ModuleDeclaration",
    id: parser.nextId(),
    start: startOf(before, keyword.start),
    end: body.end,
    ...before,
    keyword,
    name,
    path,
    assignment,
    newlines,
    body,
  };
}

function startsIf(parser: Parser): boolean {
  return parser.at("newline") && parser.isWord(parser.aheadPastNewlines(1), "if");
}

// ------------------------------------------------------------------------------------------ bodies

/** Reads the object of a body: that of a resource may hold resources, that of a module may not. */
type ObjectRule = (parser: Parser) => ObjectExpression;

const resourceObject: ObjectRule = (parser) => objectExpression(parser, nestedResource);
const moduleObject: ObjectRule = (parser) => objectExpression(parser, undefined);

const resourceBody = (parser: Parser): ResourceBody => body(parser, resourceObject);
const moduleBody = (parser: Parser): ResourceBody => body(parser, moduleObject);

function body(parser: Parser, object: ObjectRule): ResourceBody {
  if (parser.at("{")) {
    return object(parser);
  }
  if (parser.at("[")) {
    return forExpression(parser, (inner) => loopBody(inner, object));
  }
  return parser.atWord("if")
    ? ifCondition(parser, object, conditionEnd, lineEnd)
    : parser.raise(syntaxErrors.expectedResourceBody);
}

function loopBody(parser: Parser, object: ObjectRule): ForExpression["body"] {
  if (parser.at("{")) {
    return object(parser);
  }
  return parser.atWord("if")
    ? ifCondition(parser, object, loopConditionEnd, loopLineEnd)
    : parser.raise(syntaxErrors.expectedLoopBody);
}

function ifCondition(
  parser: Parser,
  object: ObjectRule,
  stopCondition: Terminators,
  stopBody: Terminators,
): IfCondition {
  const keyword = parser.take();
  const condition = parser.recover(parenthesizedCondition, undefined, stopCondition);
  const isUnfinished = condition.kind === "ParenthesizedExpression" && condition.close.kind === "Skipped";
  const content = parser.recover(object, undefined, stopBody, isUnfinished || silences(condition));
  return {
    kind: "IfCondition",
    id: parser.nextId(),
    start: keyword.start,
    end: content.end,
    keyword,
    condition,
    body: content,
  };
}

// ------------------------------------------------------------------------------------------ nested resources

/** A resource inside the body of another, if one starts here. */
function nestedResource(parser: Parser): ObjectElement | undefined {
  const isResource = parser.atWord("resource") && parser.ahead(1).kind === "identifier";
  return isResource || parser.at("@") ? parser.recover(nestedDeclaration, undefined, lineEnd) : undefined;
}

function nestedDeclaration(parser: Parser): ResourceDeclaration | DanglingDecorators | Skipped {
  parser.enter();
  const before = decorators(parser);
  const result = parser.atWord("resource") ? resourceDeclaration(parser, before) : danglingDecorators(parser, before);
  parser.leave();
  return result;
}

export function danglingDecorators(parser: Parser, before: Decorators): DanglingDecorators {
  const start = startOf(before, 0);
  return {
    kind: "DanglingDecorators",
    id: parser.nextId(),
    start,
    end: before.leading.at(-1)?.end ?? start,
    ...before,
  };
}
