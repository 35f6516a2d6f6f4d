import stringWidth from "string-width";
import type { Column } from "./table-layout.ts";
import { alignColumns, tableLines } from "./table-layout.ts";

export type { Column } from "./table-layout.ts";

/**
 * Renders rows under headings, whatever characters are in them. Loaded for other texts than ASCII only: what it takes to
 * know the width of an emoji takes 40 ms.
 */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return alignColumns(tableLines(columns, rows), stringWidth);
}
