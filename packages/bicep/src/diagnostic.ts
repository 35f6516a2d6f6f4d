/** A range of the source in UTF-16 code units, `end` excluded. Tokens, trivia and tree nodes are spans themselves. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type DiagnosticLevel = "error" | "warning" | "info";

/** Something to tell the user about their text. `code` is stable: callers branch on it, never on the message. */
export interface Diagnostic {
  readonly code: string;
  readonly level: DiagnosticLevel;
  readonly span: Span;
  readonly message: string;
}

/** Where a phase hands in what it finds. */
export interface DiagnosticSink {
  report(diagnostic: Diagnostic): void;
}

/** A sink that keeps everything, in the order of arrival. */
export class DiagnosticList implements DiagnosticSink {
  readonly items: Diagnostic[] = [];

  report(diagnostic: Diagnostic): void {
    this.items.push(diagnostic);
  }
}

export function error(code: string, span: Span, message: string): Diagnostic {
  return diagnostic("error", code, span, message);
}

export function warning(code: string, span: Span, message: string): Diagnostic {
  return diagnostic("warning", code, span, message);
}

export function info(code: string, span: Span, message: string): Diagnostic {
  return diagnostic("info", code, span, message);
}

/** The order in which users see diagnostics: by start, ties in the order of arrival, exact repetitions once. */
export function orderDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  const distinct: Diagnostic[] = [];
  for (const item of diagnostics) {
    const key = `${item.span.start}:${item.span.end}:${item.level}:${item.code}:${item.message}`;
    if (!seen.has(key)) {
      seen.add(key);
      distinct.push(item);
    }
  }
  return distinct.sort((left, right) => left.span.start - right.span.start);
}

// Copies the span, because a caller may pass a whole tree node as one and a diagnostic should not keep a tree alive.
function diagnostic(level: DiagnosticLevel, code: string, span: Span, message: string): Diagnostic {
  return { code, level, span: { start: span.start, end: span.end }, message };
}
