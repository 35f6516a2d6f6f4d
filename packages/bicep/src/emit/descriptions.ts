/** The text of `@description`: lines as templates break them, without the indentation that all lines after the first share. */
export function normalizeDescription(description: string): string {
  const lines = description.split(/\r\n|\n|\r/);
  const [first = "", ...others] = lines;
  const indented = others.filter((line) => line.trim() !== "");
  const common = indented.reduce((least, line) => Math.min(least, indentationOf(line)), Number.POSITIVE_INFINITY);
  return [first, ...others.map((line) => line.slice(Math.min(common, indentationOf(line))))].join("\n");
}

function indentationOf(line: string): number {
  return line.length - line.trimStart().length;
}
