import type { Output } from "../../output/output.ts";
import { printableLine } from "../../output/table.ts";
import type { ProgressView } from "./progress-view.ts";
import { createChangeFilter } from "./progress-view.ts";

const stateWidth = 9;

/** Append-only lines, `<time> <state> <type>/<name>`, for logs. */
export function createPlainView(output: Output, now: () => Date): ProgressView {
  const changed = createChangeFilter();
  return {
    update: (items) => {
      const time = now()
        .toISOString()
        .replace(/\.\d+Z$/, "Z");
      for (const { depth, state, type, name, change } of changed(items)) {
        const outcome = change === undefined ? "" : ` (${change})`;
        const what = printableLine(`${type}/${name}`);
        output.note(`${time} ${state.padEnd(stateWidth)} ${"  ".repeat(depth)}${what}${outcome}`);
      }
    },
    end: async () => {},
  };
}
