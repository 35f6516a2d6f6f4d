import type { Diagnostic, Span } from "../diagnostic.ts";
import type { SyntaxFile } from "../syntax/index.ts";

/**
 * Leaves out what `#disable-next-line` and `#disable-diagnostics` switch off: warnings, infos and every finding of the
 * linter. Errors of the compiler stay. Whether a diagnostic lies inside is decided by where it starts.
 */
export function applyPragmas(file: SyntaxFile, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  if (file.pragmas.length === 0) {
    return [...diagnostics];
  }
  const disabled = disabledSpans(file);
  return diagnostics.filter((diagnostic) => {
    if (diagnostic.level === "error" && isCompilerCode(diagnostic.code)) {
      return true;
    }
    return !isInside(disabled.get(diagnostic.code) ?? [], diagnostic.span.start);
  });
}

/** Codes of the compiler; a finding of the linter has the name of its rule instead. */
function isCompilerCode(code: string): boolean {
  return code.startsWith("BCP");
}

/** By code, the parts of the file where it is switched off: in source order, not overlapping. */
function disabledSpans(file: SyntaxFile): ReadonlyMap<string, readonly Span[]> {
  const spans = new Map<string, Span[]>();
  const open = new Map<string, number>();
  const endOfFile = file.text.length + 1;
  for (const pragma of file.pragmas) {
    for (const { text } of pragma.codes) {
      const start = open.get(text);
      if (pragma.name === "disable-next-line") {
        add(spans, text, { start: pragma.start, end: endOfNextLine(file, pragma.end) });
      } else if (pragma.name === "disable-diagnostics") {
        open.set(text, start ?? pragma.start);
      } else if (start !== undefined) {
        add(spans, text, { start, end: pragma.start });
        open.delete(text);
      }
    }
  }
  for (const [code, start] of open) {
    add(spans, code, { start, end: endOfFile });
  }
  for (const [code, list] of spans) {
    spans.set(code, merged(list));
  }
  return spans;
}

function add(spans: Map<string, Span[]>, code: string, span: Span): void {
  const known = spans.get(code);
  if (known === undefined) {
    spans.set(code, [span]);
  } else {
    known.push(span);
  }
}

function endOfNextLine(file: SyntaxFile, offset: number): number {
  const after = file.lineMap.position(offset).line + 2;
  return after <= file.lineMap.lineCount ? file.lineMap.lineStart(after) : file.text.length + 1;
}

function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((left, right) => left.start - right.start)) {
    const last = result.at(-1);
    if (last !== undefined && span.start <= last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    } else {
      result.push(span);
    }
  }
  return result;
}

function isInside(spans: readonly Span[], offset: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const span = spans[low - 1];
  return span !== undefined && offset < span.end;
}
