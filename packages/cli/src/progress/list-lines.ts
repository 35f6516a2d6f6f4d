import type { Colors } from "../output/colors.ts";
import { printableLine } from "../output/printable.ts";
import type { ProgressItem } from "./progress-item.ts";
import { stepLines } from "./step-lines.ts";

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

/**
 * One line per item, and below it one for each step that is running. Where there are too many, steps make room first,
 * then items that are done, then those that came last.
 */
export function listLines(items: readonly ProgressItem[], options: ListOptions): string[] {
  const rows = Math.max(options.rows, 2);
  const columns = alignedColumns(items);
  const line = (item: ProgressItem) => `${statusOf(item, options)} ${columns(item)}`.trimEnd();
  if (items.length <= rows) {
    let room = rows - items.length;
    return items.flatMap((item) => {
      const steps = indentedSteps(item, options).slice(0, room);
      room -= steps.length;
      return [line(item), ...steps];
    });
  }
  const open = items.filter((item) => item.state !== "Completed");
  const shown = open.slice(0, rows - 1);
  const done = `${items.length - open.length} completed`;
  const more = open.length > shown.length ? `, ${open.length - shown.length} more in progress` : "";
  return [options.colors.dim(`${done}${more}`), ...shown.map(line)];
}

function indentedSteps({ depth, steps }: ProgressItem, { colors }: ListOptions): string[] {
  const indent = " ".repeat(statusWidth + 1) + "  ".repeat(depth + 1);
  return stepLines(steps).map((line) => `${indent}${colors.dim(line)}`);
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
