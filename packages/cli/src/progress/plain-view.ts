import type { Output } from "../output/output.ts";
import { printableLine } from "../output/printable.ts";
import type { ItemState, ProgressItem } from "./progress-item.ts";
import type { ProgressView } from "./progress-view.ts";
import { createChangeFilter, createOutageFilter } from "./progress-view.ts";
import type { StepEvent } from "./step-events.ts";
import { createStepFilter } from "./step-events.ts";

const stateWidth = 9;

/** Append-only lines, `<time> <state> <type>/<name>`, for logs; steps have a line when they begin and when they end. */
export function createPlainView(output: Output, now: () => Date): ProgressView {
  const changed = createChangeFilter();
  const changedSteps = createStepFilter();
  const write = ({ depth, type, name }: ProgressItem, state: ItemState, more: string) => {
    const time = now()
      .toISOString()
      .replace(/\.\d+Z$/, "Z");
    output.note(`${time} ${state.padEnd(stateWidth)} ${"  ".repeat(depth)}${printableLine(`${type}/${name}${more}`)}`);
  };
  return {
    update: (items) => {
      const isNew = changed(items);
      for (const item of items) {
        if (isNew.includes(item)) {
          write(item, item.state, item.change === undefined ? "" : ` (${item.change})`);
        }
        for (const event of changedSteps(item)) {
          write(item, event.state, `: ${stepText(event)}`);
        }
      }
    },
    away: createOutageFilter((isAway) =>
      output.note(isAway ? "The control plane does not answer; waiting for it..." : "The control plane is back."),
    ),
    end: async () => {},
  };
}

function stepText({ path, state, step }: StepEvent): string {
  const remark = state === "Running" ? step.detail : step.message;
  return `${path.join(" > ")}${remark === undefined ? "" : ` - ${remark}`}`;
}
