import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";

export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string | undefined;
}

const minColumnWidth = 10;
const gap = 2;

/**
 * Renders rows under headings, padded with spaces. Headings are printed even for no rows, a cell with line breaks takes
 * several lines, and the last column is not padded.
 */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const headings = columns.map((column) => [column.heading]);
  const cells = rows.map((row) => columns.map((column) => cellLines(column.value(row) ?? "")));
  const lines = [headings, ...cells].flatMap(toLines);
  const widths = columns.map((_, index) => {
    const longest = Math.max(...lines.map((line) => stringWidth(line[index] ?? "")));
    return Math.max(minColumnWidth, longest + gap);
  });
  return lines.map((line) => `${renderLine(line, widths)}\n`).join("");
}

/** What a server sends is shown, not obeyed: no escape sequence or other control character reaches the terminal. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, " ");
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text).replaceAll(/[\n\u2028\u2029]/g, " ");
}

function cellLines(text: string): string[] {
  return printable(text.replaceAll("\r\n", "\n")).split("\n");
}

function toLines(cells: readonly (readonly string[])[]): string[][] {
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => cells.map((lines) => lines[line] ?? ""));
}

function renderLine(cells: readonly string[], widths: readonly number[]): string {
  const last = cells.length - 1;
  return cells
    .map((cell, index) => (index === last ? cell : cell + " ".repeat((widths[index] ?? 0) - stringWidth(cell))))
    .join("");
}
