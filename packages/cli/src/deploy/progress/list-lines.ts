import type { Colors } from "../../output/colors.ts";
import { printableLine } from "../../output/table.ts";
import type { ProgressItem } from "./progress-item.ts";

export interface ListOptions {
  /** How many lines fit. */
  readonly rows: number;
  /** Counts up; running lines are animated by it. */
  readonly tick: number;
  readonly colors: Colors;
}

const statusWidth = 20;
const nameWidth = 15;
const typeWidth = 20;
const maxDots = 3;

/** One line per item. Where there are too many, those that are done make room, then those that came last. */
export function listLines(items: readonly ProgressItem[], options: ListOptions): string[] {
  const rows = Math.max(options.rows, 2);
  const columns = alignedColumns(items);
  const line = (item: ProgressItem) => `${statusOf(item, options)} ${columns(item)}`.trimEnd();
  if (items.length <= rows) {
    return items.map(line);
  }
  const open = items.filter((item) => item.state !== "Completed");
  const shown = open.slice(0, rows - 1);
  const done = `${items.length - open.length} completed`;
  const more = open.length > shown.length ? `, ${open.length - shown.length} more under way` : "";
  return [options.colors.dim(`${done}${more}`), ...shown.map(line)];
}

type Named = Pick<ProgressItem, "name" | "type"> & { readonly depth?: number };

/** Name and type as they stand in lists of resources, below each other for all of `items`. */
export function alignedColumns<Item extends Named>(items: readonly Item[]): (item: Item) => string {
  const nameOf = ({ name, depth = 0 }: Named) => "  ".repeat(depth) + printableLine(name);
  const names = widest(items.map(nameOf), nameWidth);
  const types = widest(
    items.map(({ type }) => printableLine(type)),
    typeWidth,
  );
  return (item) => `${nameOf(item).padEnd(names)} ${printableLine(item.type).padEnd(types)}`;
}

function widest(texts: readonly string[], atLeast: number): number {
  return texts.reduce((width, text) => Math.max(width, text.length), atLeast);
}

function statusOf(item: ProgressItem, { tick, colors }: ListOptions): string {
  switch (item.state) {
    case "Running":
      return colors.yellow(".".repeat((tick % maxDots) + 1).padEnd(statusWidth));
    case "Completed":
      return colors.green("Completed".padEnd(statusWidth));
    case "Failed":
      return colors.red("Failed".padEnd(statusWidth));
    case "Canceled":
      return colors.yellow("Canceled".padEnd(statusWidth));
    default:
      return item.state satisfies never;
  }
}
