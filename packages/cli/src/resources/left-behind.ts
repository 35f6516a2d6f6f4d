import type { OperationStatus } from "@rad/client";
import type { Output } from "../output/output.ts";
import { printableLine } from "../output/printable.ts";

/** Remembers what a forced deletion says last: what it could not delete, and leaves behind. */
export function watchLeftBehind(display: string): {
  readonly update: (status: Pick<OperationStatus, "steps">) => void;
  readonly warn: (output: Output) => void;
} {
  let last: OperationStatus["steps"][number] | undefined;
  return {
    update: ({ steps }) => {
      last = steps.at(-1) ?? last;
    },
    warn: (output) => {
      if (last?.detail !== undefined) {
        output.note(printableLine(`Warning: ${display} was deleted by force. ${last.name}: ${last.detail}`));
      }
    },
  };
}
