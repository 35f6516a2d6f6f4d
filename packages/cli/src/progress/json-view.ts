import type { Output } from "../output/output.ts";
import type { ProgressView } from "./progress-view.ts";
import { createChangeFilter, createOutageFilter } from "./progress-view.ts";
import { createStepFilter } from "./step-events.ts";

/** One JSON object a line, on stderr, because stdout holds the result and nothing else. */
export function createJsonView(output: Output, now: () => Date): ProgressView {
  const changed = createChangeFilter();
  const changedSteps = createStepFilter();
  return {
    update: (items) => {
      const time = now().toISOString();
      for (const { id, type, name, depth, state, change } of changed(items)) {
        output.note(JSON.stringify({ event: "resource", time, state, id, type, name, depth, change }));
      }
      for (const { item, path, state, step } of items.flatMap(changedSteps)) {
        const { detail, message, share } = step;
        output.note(JSON.stringify({ event: "step", time, state, id: item.id, step: path, detail, message, share }));
      }
    },
    away: createOutageFilter((isAway) =>
      output.note(
        JSON.stringify({ event: "connection", time: now().toISOString(), state: isAway ? "Lost" : "Restored" }),
      ),
    ),
    end: async () => {},
  };
}
