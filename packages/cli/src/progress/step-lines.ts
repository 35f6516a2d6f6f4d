import type { OperationStep } from "@rad/client";
import { printableLine } from "../output/printable.ts";
import { itemState } from "./progress-item.ts";

/** The running steps as an indented tree: name, percent and detail. */
export function stepLines(steps: readonly OperationStep[], depth = 0): string[] {
  return steps
    .filter(({ state }) => itemState(state) === "Running")
    .flatMap((step) => [`${"  ".repeat(depth)}${stepText(step)}`, ...stepLines(step.steps, depth + 1)]);
}

function stepText({ name, share, detail }: OperationStep): string {
  const percent = share === undefined ? "" : ` ${percentText(share)}`;
  return printableLine(`${name}${percent}${detail === undefined ? "" : `  ${detail}`}`);
}

/** 100 % only for what is done. */
function percentText(share: number): string {
  return `${Math.floor(share * 100)}%`;
}
