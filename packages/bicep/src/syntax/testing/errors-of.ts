import type { SyntaxFile } from "../syntax-file.ts";

/** All syntax errors of a file in one line: `013 6+1; 007 2:0+3` is BCP013 at column 6 and BCP007 on line 2. */
export function errorsOf(file: SyntaxFile): string {
  const lines = file.diagnostics.map(({ code, span }) => {
    const { line, column } = file.lineMap.position(span.start);
    const place = `${line > 1 ? `${line}:` : ""}${column - 1}+${span.end - span.start}`;
    return `${code.replace(/^BCP/, "")} ${place}`;
  });
  return lines.join("; ");
}
