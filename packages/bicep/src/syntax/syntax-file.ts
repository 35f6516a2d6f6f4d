import type { Diagnostic, Span } from "../diagnostic.ts";
import type { LineMap } from "./line-map.ts";
import type { Program } from "./nodes.ts";
import type { Pragma, Token } from "./tokens.ts";

/** A parsed file. Any text gives one; what is wrong with it is in the two lists of diagnostics. */
export interface SyntaxFile {
  readonly kind: "bicep" | "params";
  readonly text: string;
  readonly program: Program;
  /** All tokens in order, the end-of-file token last. */
  readonly tokens: readonly Token[];
  /** In source order. */
  readonly pragmas: readonly Pragma[];
  readonly lineMap: LineMap;
  /** Scanner then parser, without repetitions. All are errors, and no pragma or configuration turns them off. */
  readonly diagnostics: readonly Diagnostic[];
  readonly scannerDiagnostics: readonly Diagnostic[];
  readonly parserDiagnostics: readonly Diagnostic[];
}

/** The source of a node or token, without the trivia around it. */
export function nodeText(file: SyntaxFile, span: Span): string {
  return file.text.slice(span.start, span.end);
}
