import { syntaxErrors } from "./diagnostics.ts";
import type {
  Declaration,
  ExtendsDeclaration,
  ExtensionConfiguration,
  ParameterAssignment,
  UsingDeclaration,
} from "./nodes.ts";
import { decorators, startOf } from "./parse-decorators.ts";
import type { Decorators } from "./parse-decorators.ts";
import { expectString, Literals, recoverExpression, stringOrSkipped } from "./parse-expressions.ts";
import { extensionDeclaration, importDeclaration, withClause } from "./parse-imports.ts";
import { typeDeclaration, variableDeclaration } from "./parse-statements.ts";
import { silences } from "./parser.ts";
import type { Parser, Terminators } from "./parser.ts";
import type { Token } from "./tokens.ts";

const lineEnd: Terminators = ["newline"];
const nameEnd: Terminators = ["identifier", "newline"];

/** One statement of a `.bicepparam` file, or the newline that starts an empty line. */
export function parametersStatement(parser: Parser): Declaration | Token {
  const before = decorators(parser);
  const found = declaration(parser, before);
  if (found !== undefined) {
    return found;
  }
  if (before.leading.length === 0 && parser.at("newline")) {
    return parser.take();
  }
  return parser.raise(syntaxErrors.notInParametersFile);
}

function declaration(parser: Parser, before: Decorators): Declaration | undefined {
  if (!parser.at("identifier")) {
    return undefined;
  }
  switch (parser.textOf(parser.next)) {
    case "using":
      return usingDeclaration(parser, before);
    case "extends":
      return extendsDeclaration(parser, before);
    case "param":
      return parameterAssignment(parser, before);
    case "var":
      return variableDeclaration(parser, before);
    case "type":
      return typeDeclaration(parser, before);
    case "import":
      return importDeclaration(parser, before);
    case "extension":
      return extensionDeclaration(parser, before);
    case "extensionConfig":
      return extensionConfiguration(parser, before);
    default:
      return undefined;
  }
}

function usingDeclaration(parser: Parser, before: Decorators): UsingDeclaration {
  const keyword = parser.take();
  const path = usingPath(parser);
  const configuration = parser.atLineEnd()
    ? undefined
    : parser.recover(withClause, syntaxErrors.expectedWith, lineEnd, silences(path));
  return {
    kind: "UsingDeclaration",
    id: parser.nextId(),
    start: startOf(before, keyword.start),
    end: (configuration ?? path).end,
    ...before,
    keyword,
    path,
    configuration,
  };
}

function usingPath(parser: Parser): UsingDeclaration["path"] {
  const first = parser.next;
  if (first.kind === "identifier") {
    return parser.expectWord("none");
  }
  if (first.kind !== "stringComplete") {
    return parser.mark(syntaxErrors.expectedImportList);
  }
  const path = stringOrSkipped(parser);
  return path.kind === "Skipped" ? parser.raise(syntaxErrors.malformedUsingPath, first) : path;
}

function extendsDeclaration(parser: Parser, before: Decorators): ExtendsDeclaration {
  const keyword = parser.take();
  const path = parser.recover(expectString, syntaxErrors.expectedExtendsPath, lineEnd);
  return {
    kind: "ExtendsDeclaration",
    id: parser.nextId(),
    start: startOf(before, keyword.start),
    end: path.end,
    ...before,
    keyword,
    path,
  };
}

function parameterAssignment(parser: Parser, before: Decorators): ParameterAssignment {
  const keyword = parser.take();
  const name = parser.recoverIdentifier(syntaxErrors.expectedParameterName, nameEnd);
  const assignment = parser.recoverToken("=", lineEnd, silences(name));
  const content = recoverExpression(parser, Literals.allowed, lineEnd, silences(assignment));
  const start = startOf(before, keyword.start);
  return {
    kind: "ParameterAssignment",
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

function extensionConfiguration(parser: Parser, before: Decorators): ExtensionConfiguration {
  const keyword = parser.take();
  const alias = parser.recoverIdentifier(syntaxErrors.expectedExtensionAlias, nameEnd);
  const configuration = parser.recover(withClause, undefined, lineEnd, silences(alias));
  const start = startOf(before, keyword.start);
  return {
    kind: "ExtensionConfiguration",
    id: parser.nextId(),
    start,
    end: configuration.end,
    ...before,
    keyword,
    alias,
    configuration,
  };
}
