import { syntaxErrors } from "./diagnostics.ts";
import type {
  AssertDeclaration,
  DanglingDecorators,
  Declaration,
  FunctionDeclaration,
  MetadataDeclaration,
  OutputDeclaration,
  ParameterDeclaration,
  ParameterDefault,
  TargetScope,
  TestDeclaration,
  TypeDeclaration,
  VariableDeclaration,
} from "./nodes.ts";
import { decorators, startOf } from "./parse-decorators.ts";
import type { Decorators } from "./parse-decorators.ts";
import { expectString, Literals, objectExpression, recoverExpression } from "./parse-expressions.ts";
import { extensionDeclaration, importDeclaration } from "./parse-imports.ts";
import { danglingDecorators, moduleDeclaration, resourceDeclaration } from "./parse-resources.ts";
import { declaredType, outputType, typedLambda } from "./parse-types.ts";
import { silences } from "./parser.ts";
import type { Parser, Terminators } from "./parser.ts";
import type { Token } from "./tokens.ts";

const lineEnd: Terminators = ["newline"];
const assignmentEnd: Terminators = ["=", "newline"];
const nameEnd: Terminators = ["identifier", "newline"];
const typeEnd: Terminators = ["=", "{", "newline"];
const pathNameEnd: Terminators = ["stringComplete", "stringLeft", "newline"];
const objectStart: Terminators = ["{", "newline"];

/** One statement of a `.bicep` file, or the newline that starts an empty line. */
export function statement(parser: Parser): Declaration | DanglingDecorators | Token {
  const before = decorators(parser);
  const found = declaration(parser, before);
  if (found !== undefined) {
    return found;
  }
  if (before.leading.length > 0) {
    return danglingDecorators(parser, before);
  }
  return parser.takeIf("newline") ?? parser.raise(syntaxErrors.expectedDeclaration);
}

function declaration(parser: Parser, before: Decorators): Declaration | undefined {
  if (!parser.at("identifier")) {
    return undefined;
  }
  switch (parser.textOf(parser.next)) {
    case "targetScope":
      return targetScope(parser, before);
    case "metadata":
      return metadataDeclaration(parser, before);
    case "param":
      return parameterDeclaration(parser, before);
    case "var":
      return variableDeclaration(parser, before);
    case "type":
      return typeDeclaration(parser, before);
    case "func":
      return functionDeclaration(parser, before);
    case "resource":
      return resourceDeclaration(parser, before);
    case "module":
      return moduleDeclaration(parser, before);
    case "output":
      return outputDeclaration(parser, before);
    case "assert":
      return assertDeclaration(parser, before);
    case "test":
      return testDeclaration(parser, before);
    case "extension":
      return extensionDeclaration(parser, before);
    case "import":
      return parser.atString(1) ? extensionDeclaration(parser, before) : importDeclaration(parser, before);
    default:
      return undefined;
  }
}

function targetScope(parser: Parser, before: Decorators): TargetScope {
  const keyword = parser.take();
  const assignment = parser.recoverToken("=", lineEnd);
  const content = recoverExpression(parser, Literals.allowed, lineEnd);
  const start = startOf(before, keyword.start);
  return {
    kind: "TargetScope",
    id: parser.nextId(),
    start,
    end: content.end,
    ...before,
    keyword,
    assignment,
    value: content,
  };
}

function metadataDeclaration(parser: Parser, before: Decorators): MetadataDeclaration {
  const keyword = parser.take();
  const name = parser.recoverIdentifier(syntaxErrors.expectedMetadataName, assignmentEnd);
  const assignment = parser.recoverToken("=", lineEnd, silences(name));
  const content = recoverExpression(parser, Literals.allowed, lineEnd, silences(assignment));
  const start = startOf(before, keyword.start);
  return {
    kind: "MetadataDeclaration",
    id: parser.nextId(),
    start,
    end: content.end,
    ...before,
    keyword,
    name,
    assignment,
    value: content,
  };
}

function assertDeclaration(parser: Parser, before: Decorators): AssertDeclaration {
  const keyword = parser.take();
  const name = parser.recoverIdentifier(syntaxErrors.expectedAssertName, assignmentEnd);
  const assignment = parser.recoverToken("=", lineEnd, silences(name));
  const content = recoverExpression(parser, Literals.allowed, lineEnd, silences(assignment));
  const start = startOf(before, keyword.start);
  return {
    kind: "AssertDeclaration",
    id: parser.nextId(),
    start,
    end: content.end,
    ...before,
    keyword,
    name,
    assignment,
    value: content,
  };
}

function parameterDeclaration(parser: Parser, before: Decorators): ParameterDeclaration {
  const keyword = parser.take();
  const name = parser.recoverIdentifier(syntaxErrors.expectedParameterName, nameEnd);
  const type = parser.recover(declaredType, undefined, typeEnd, silences(name));
  const modifier = parser.recover(parameterDefault, undefined, lineEnd, silences(type));
  const start = startOf(before, keyword.start);
  const end = modifier?.end ?? type.end;
  return { kind: "ParameterDeclaration", id: parser.nextId(), start, end, ...before, keyword, name, type, modifier };
}

function parameterDefault(parser: Parser): ParameterDefault | undefined {
  if (parser.atLineEnd()) {
    return undefined;
  }
  const assignment = parser.takeIf("=") ?? parser.raise(syntaxErrors.expectedParameterDefault);
  const content = recoverExpression(parser, Literals.allowed, lineEnd);
  return {
    kind: "ParameterDefault",
    id: parser.nextId(),
    start: assignment.start,
    end: content.end,
    assignment,
    value: content,
  };
}

export function variableDeclaration(parser: Parser, before: Decorators): VariableDeclaration {
  const keyword = parser.take();
  const name = parser.recoverIdentifier(syntaxErrors.expectedVariableName, nameEnd);
  const isTyped = !parser.at("=") && !parser.atLineEnd();
  const type = isTyped ? parser.recover(declaredType, undefined, assignmentEnd, silences(name)) : undefined;
  const assignment = parser.recoverToken("=", lineEnd, silences(type ?? name));
  const content = recoverExpression(parser, Literals.allowed, lineEnd, silences(assignment));
  return {
    kind: "VariableDeclaration",
    id: parser.nextId(),
    start: startOf(before, keyword.start),
    end: content.end,
    ...before,
    keyword,
    name,
    type,
    assignment,
    value: content,
  };
}

export function typeDeclaration(parser: Parser, before: Decorators): TypeDeclaration {
  const keyword = parser.take();
  const name = parser.recoverIdentifier(syntaxErrors.expectedTypeName, assignmentEnd);
  const assignment = parser.recoverToken("=", lineEnd, silences(name));
  const type = parser.recover(declaredType, undefined, typeEnd, silences(name));
  const start = startOf(before, keyword.start);
  return {
    kind: "TypeDeclaration",
    id: parser.nextId(),
    start,
    end: type.end,
    ...before,
    keyword,
    name,
    assignment,
    value: type,
  };
}

function functionDeclaration(parser: Parser, before: Decorators): FunctionDeclaration {
  const keyword = parser.take();
  const name = parser.recoverIdentifier(syntaxErrors.expectedVariableName, assignmentEnd);
  const lambda = parser.recover(typedLambda, undefined, lineEnd, silences(name));
  const start = startOf(before, keyword.start);
  return { kind: "FunctionDeclaration", id: parser.nextId(), start, end: lambda.end, ...before, keyword, name, lambda };
}

function outputDeclaration(parser: Parser, before: Decorators): OutputDeclaration {
  const keyword = parser.take();
  const name = parser.recoverIdentifier(syntaxErrors.expectedOutputName, nameEnd);
  const type = parser.recover(outputType, undefined, assignmentEnd, silences(name));
  const assignment = parser.recoverToken("=", lineEnd, silences(type));
  const content = recoverExpression(parser, Literals.allowed, lineEnd, silences(assignment));
  return {
    kind: "OutputDeclaration",
    id: parser.nextId(),
    start: startOf(before, keyword.start),
    end: content.end,
    ...before,
    keyword,
    name,
    type,
    assignment,
    value: content,
  };
}

function testDeclaration(parser: Parser, before: Decorators): TestDeclaration {
  const keyword = parser.take();
  const name = parser.recoverIdentifier(syntaxErrors.expectedTestName, pathNameEnd);
  const path = parser.recover(expectString, syntaxErrors.expectedTestPath, assignmentEnd, silences(name));
  const assignment = parser.recoverToken("=", objectStart, silences(path));
  const content = parser.recover(objectExpression, undefined, lineEnd, silences(assignment));
  const start = startOf(before, keyword.start);
  return {
    kind: "TestDeclaration",
    id: parser.nextId(),
    start,
    end: content.end,
    ...before,
    keyword,
    name,
    path,
    assignment,
    value: content,
  };
}
