import { syntaxErrors } from "./diagnostics.ts";
import type {
  AsClause,
  ExtensionDeclaration,
  ImportDeclaration,
  ImportedSymbol,
  ImportFrom,
  ImportList,
  Skipped,
  StringExpression,
  WithClause,
} from "./nodes.ts";
import { startOf } from "./parse-decorators.ts";
import type { Decorators } from "./parse-decorators.ts";
import { expectString, objectExpression, stringOrSkipped } from "./parse-expressions.ts";
import { newlineList } from "./parse-lists.ts";
import { silences } from "./parser.ts";
import type { Complaint, Parser, Terminators } from "./parser.ts";

const lineEnd: Terminators = ["newline"];
const aliasEnd: Terminators = [",", "newline"];

// ------------------------------------------------------------------------------------------ import

export function importDeclaration(parser: Parser, before: Decorators): ImportDeclaration {
  const keyword = parser.take();
  const what = importedThings(parser);
  const from = parser.recover(importFrom, undefined, lineEnd);
  return {
    kind: "ImportDeclaration",
    id: parser.nextId(),
    start: startOf(before, keyword.start),
    end: from.end,
    ...before,
    keyword,
    what,
    from,
  };
}

function importedThings(parser: Parser): ImportDeclaration["what"] {
  switch (parser.next.kind) {
    case "{":
      return importList(parser);
    case "*": {
      const star = parser.take();
      const alias = parser.recover(namespaceAlias, undefined, lineEnd);
      return { kind: "WildcardImport", id: parser.nextId(), start: star.start, end: alias.end, star, alias };
    }
    case "newline":
    case "endOfFile":
    case "identifier":
      return parser.mark(syntaxErrors.expectedImportList);
    default:
      return takeWrong(parser, syntaxErrors.expectedImportList);
  }
}

/** Takes a token that should have been something else. */
function takeWrong(parser: Parser, complaint: Complaint): Skipped {
  const from = parser.position;
  parser.report(complaint(parser.take()));
  return parser.skippedFrom(from);
}

function namespaceAlias(parser: Parser): AsClause {
  const keyword = parser.expectWord("as");
  const name = parser.expectIdentifier(syntaxErrors.expectedNamespaceName);
  return { kind: "AsClause", id: parser.nextId(), start: keyword.start, end: name.end, keyword, name };
}

function importFrom(parser: Parser): ImportFrom {
  const keyword = parser.expectWord("from");
  const path = parser.recover(expectString, syntaxErrors.expectedModulePath, lineEnd);
  return { kind: "ImportFrom", id: parser.nextId(), start: keyword.start, end: path.end, keyword, path };
}

function importList(parser: Parser): ImportList {
  const open = parser.take();
  const { items, elements } = newlineList(parser, "}", importedSymbol);
  const close = parser.expect("}");
  return { kind: "ImportList", id: parser.nextId(), start: open.start, end: close.end, open, items, elements, close };
}

function importedSymbol(parser: Parser): ImportedSymbol {
  const name = importedName(parser);
  const alias = parser.atWord("as") ? symbolAlias(parser) : undefined;
  if (alias === undefined && name.kind === "StringExpression" && name.expressions.length === 0) {
    parser.report(syntaxErrors.quotedImportWithoutAlias(name));
  }
  return { kind: "ImportedSymbol", id: parser.nextId(), start: name.start, end: alias?.end ?? name.end, name, alias };
}

function importedName(parser: Parser): ImportedSymbol["name"] {
  if (parser.at("identifier")) {
    return parser.identifier();
  }
  if (!parser.atString()) {
    return takeWrong(parser, syntaxErrors.expectedImportedName);
  }
  const name = stringOrSkipped(parser);
  if (name.kind === "StringExpression" && name.expressions.length > 0) {
    parser.report(syntaxErrors.interpolatedImportName(name));
  }
  return name;
}

function symbolAlias(parser: Parser): AsClause {
  const keyword = parser.take();
  const name = parser.recoverIdentifier(syntaxErrors.expectedTypeName, aliasEnd);
  return { kind: "AsClause", id: parser.nextId(), start: keyword.start, end: name.end, keyword, name };
}

// ------------------------------------------------------------------------------------------ extension

export function extensionDeclaration(parser: Parser, before: Decorators): ExtensionDeclaration {
  const keyword = parser.take();
  const specification = extensionSpecification(parser);
  const hasConfiguration = !parser.atLineEnd() && !parser.atWord("as");
  const configuration = hasConfiguration
    ? parser.recover(withClause, syntaxErrors.expectedWithOrAs, lineEnd, silences(specification))
    : undefined;
  const alias = parser.atLineEnd()
    ? undefined
    : parser.recover(extensionAlias, undefined, lineEnd, silences(configuration));
  return {
    kind: "ExtensionDeclaration",
    id: parser.nextId(),
    start: startOf(before, keyword.start),
    end: (alias ?? configuration ?? specification).end,
    ...before,
    keyword,
    specification,
    configuration,
    alias,
  };
}

function extensionSpecification(parser: Parser): ExtensionDeclaration["specification"] {
  return parser.at("identifier")
    ? parser.identifier()
    : parser.recover<Complaint, StringExpression>(expectString, syntaxErrors.expectedExtension, lineEnd);
}

/** `with { … }`, for the statements that may be configured. */
export function withClause(parser: Parser, complaint: Complaint | undefined): WithClause {
  const keyword = parser.expectWord("with", complaint);
  const configuration = parser.recover(objectExpression, undefined, lineEnd);
  return {
    kind: "WithClause",
    id: parser.nextId(),
    start: keyword.start,
    end: configuration.end,
    keyword,
    configuration,
  };
}

function extensionAlias(parser: Parser): AsClause {
  const keyword = parser.expectWord("as", syntaxErrors.expectedWithOrAs);
  const name = parser.recoverIdentifier(syntaxErrors.expectedExtensionAlias, lineEnd);
  return { kind: "AsClause", id: parser.nextId(), start: keyword.start, end: name.end, keyword, name };
}
