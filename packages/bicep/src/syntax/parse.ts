import { syntaxErrors } from "./diagnostics.ts";
import { LineMap } from "./line-map.ts";
import type { Program, Skipped, Statement } from "./nodes.ts";
import { parametersStatement } from "./parse-parameters-file.ts";
import { statement } from "./parse-statements.ts";
import { Parser } from "./parser.ts";
import type { Terminators } from "./parser.ts";
import { scan } from "./scanner.ts";
import type { ScanResult } from "./scanner.ts";
import type { SyntaxFile } from "./syntax-file.ts";
import { Token } from "./tokens.ts";
import { depthOf } from "./walk.ts";
import { orderDiagnostics } from "../diagnostic.ts";

/** Parses a `.bicep` file. Any text gives a tree. */
export function parseBicep(text: string): SyntaxFile {
  return parse(text, "bicep");
}

/** Parses a `.bicepparam` file. Any text gives a tree. */
export function parseParams(text: string): SyntaxFile {
  return parse(text, "params");
}

function parse(text: string, kind: SyntaxFile["kind"]): SyntaxFile {
  return parseTokens(text, kind, scan(text));
}

/** Parses what was scanned from `text`. */
export function parseTokens(text: string, kind: SyntaxFile["kind"], scanned: ScanResult): SyntaxFile {
  const parser = new Parser(text, scanned);
  const program = parseProgram(parser, kind === "bicep" ? statement : parametersStatement);
  const scannerDiagnostics = scanned.diagnostics;
  const parserDiagnostics = parser.diagnostics;
  return {
    kind,
    text,
    program,
    tokens: scanned.tokens,
    pragmas: scanned.pragmas,
    lineMap: new LineMap(text),
    diagnostics: orderDiagnostics([...scannerDiagnostics, ...parserDiagnostics]),
    scannerDiagnostics,
    parserDiagnostics,
  };
}

/**
 * The deepest tree we hand out. The phases that follow walk trees by recursion, and this many levels fit on their
 * stacks many times over.
 */
const maxDepth = 512;

/** How many nodes one level of nesting adds at most, chains of operators and members apart. */
const nodesPerLevel = 14;

type StatementRule = (parser: Parser) => Statement | Token;

function parseProgram(parser: Parser, rule: StatementRule): Program {
  const items: (Statement | Skipped | Token)[] = [];
  const statements: Statement[] = [];
  while (!parser.at("endOfFile")) {
    const item = boundedStatement(parser, rule);
    items.push(item);
    if (item instanceof Token || item.kind === "Skipped") {
      continue;
    }
    statements.push(item);
    if (item.kind !== "DanglingDecorators" && !parser.at("endOfFile")) {
      items.push(parser.takeIf("newline") ?? surplusTokens(parser));
    }
  }
  const endOfFile = parser.next;
  return {
    kind: "Program",
    id: parser.nextId(),
    start: items[0]?.start ?? 0,
    end: endOfFile.end,
    items,
    statements,
    endOfFile,
  };
}

/** What follows a declaration on its line, that line's end included. */
function surplusTokens(parser: Parser): Skipped {
  const from = parser.position;
  parser.report(syntaxErrors.expectedNewline(parser.next));
  parser.skipTo(lineEnd);
  parser.take();
  return parser.skippedFrom(from);
}

const lineEnd: Terminators = ["newline"];

/** A statement whose tree is not too deep; one that is becomes skipped text. */
function boundedStatement(parser: Parser, rule: StatementRule): Statement | Skipped | Token {
  const from = parser.position;
  parser.resetDepth();
  const item = parser.recoverStatement(rule);
  const bound = (parser.deepestNesting + 1) * (nodesPerLevel + parser.longestChain);
  if (bound <= maxDepth || item instanceof Token || depthOf(item) <= maxDepth) {
    return item;
  }
  parser.report(syntaxErrors.nestingTooDeep("keyword" in item ? item.keyword : item));
  return parser.skippedFrom(from);
}
