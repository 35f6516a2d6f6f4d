import { printable } from "./printable.ts";

export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string | undefined;
}

const minColumnWidth = 10;
const gap = 2;

/** The cells of each line: headings first, also for no rows. A cell with line breaks takes several lines. */
export function tableLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[][] {
  const headings = columns.map((column) => [column.heading]);
  const cells = rows.map((row) => columns.map((column) => cellLines(column.value(row) ?? "")));
  return [headings, ...cells].flatMap(toLines);
}

/** Pads all columns but the last with spaces. @param width of a text, as a terminal shows it */
export function alignColumns(lines: readonly (readonly string[])[], width: (text: string) => number): string {
  const widths = (lines[0] ?? []).map((_, index) => {
    const longest = Math.max(...lines.map((line) => width(line[index] ?? "")));
    return Math.max(minColumnWidth, longest + gap);
  });
  const renderLine = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => (index === cells.length - 1 ? cell : cell + " ".repeat((widths[index] ?? 0) - width(cell))))
      .join("");
  return lines.map((line) => `${renderLine(line)}\n`).join("");
}

function cellLines(text: string): string[] {
  return printable(text.replaceAll("\r\n", "\n")).split("\n");
}

function toLines(cells: readonly (readonly string[])[]): string[][] {
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => cells.map((lines) => lines[line] ?? ""));
}
