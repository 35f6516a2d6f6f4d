import type { OperationStatus } from "@rad/client";
import type { CommandContext } from "../command-context.ts";
import type { ProgressItem } from "../progress/progress-item.ts";
import { itemState } from "../progress/progress-item.ts";
import type { ProgressView } from "../progress/progress-view.ts";

export interface ShownOperation {
  /** Takes what the control plane says about the operation, as often as it says it. */
  readonly update: (status: OperationStatus) => void;
  /** Leaves what was said last on the screen. */
  readonly end: () => Promise<void>;
}

/**
 * Shows the steps of an operation on a resource, from the first step on: most operations have none and are over at
 * once. Shows nothing in JSON format, whose readers want the result.
 */
export function showOperation(
  context: CommandContext,
  resource: Pick<ProgressItem, "id" | "type" | "name">,
): ShownOperation {
  const { output } = context;
  let view: ProgressView | undefined;
  let drawing = Promise.resolve();

  const draw = (items: readonly Pick<ProgressItem, "state" | "steps">[]) => {
    drawing = drawing.then(async () => {
      view ??= await openView(context);
      for (const item of items) {
        view.update([{ key: resource.id, ...resource, depth: 0, change: undefined, ...item }]);
      }
    });
  };
  let hasSteps = false;
  return {
    update: ({ state: ending, status, steps }) => {
      output.debug(`${resource.type}/${resource.name} ${status}`);
      hasSteps ||= steps.length > 0;
      if (!hasSteps || output.format === "json") {
        return;
      }
      const state = itemState(ending);
      // The last steps end before the operation does.
      draw([{ state: "Running", steps }, ...(state === "Running" ? [] : [{ state, steps: [] }])]);
    },
    end: async () => {
      await drawing;
      await view?.end();
    },
  };
}

/** Loaded late: drawing on a terminal needs a library. */
async function openView(context: CommandContext): Promise<ProgressView> {
  const { createProgressView } = await import("../progress/progress-view.ts");
  return createProgressView(context, "Operation In Progress...");
}
