import type { Colors } from "../../output/colors.ts";
import { printable } from "../../output/table.ts";
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
  if (items.length <= rows) {
    return items.map((item) => itemLine(item, options));
  }
  const open = items.filter((item) => item.state !== "Completed");
  const shown = open.slice(0, rows - 1);
  const done = `${items.length - open.length} completed`;
  const more = open.length > shown.length ? `, ${open.length - shown.length} more under way` : "";
  return [options.colors.dim(`${done}${more}`), ...shown.map((item) => itemLine(item, options))];
}

/** Name and type as they stand in every list of resources. */
export function nameAndType(item: Pick<ProgressItem, "name" | "type">, indent = ""): string {
  return `${`${indent}${printable(item.name)}`.padEnd(nameWidth)} ${printable(item.type).padEnd(typeWidth)}`;
}

function itemLine(item: ProgressItem, { tick, colors }: ListOptions): string {
  return `${statusOf(item, tick, colors)} ${nameAndType(item, "  ".repeat(item.depth))}`.trimEnd();
}

function statusOf(item: ProgressItem, tick: number, colors: Colors): string {
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
