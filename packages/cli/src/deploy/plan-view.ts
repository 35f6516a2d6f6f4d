import type { WhatIfProgress } from "@rad/client";
import type { CommandContext } from "../command-context.ts";
import { describeId, itemState, type ProgressItem } from "../progress/progress-item.ts";
import { createProgressView } from "../progress/progress-view.ts";

/** Shows which recipes are being worked on while `work` asks for that. */
export async function showingRecipes<T>(
  context: CommandContext,
  heading: string,
  work: (onRecipe: (progress: WhatIfProgress) => void) => Promise<T>,
): Promise<T> {
  const view = await createProgressView(context, heading);
  const items = new Map<string, ProgressItem>();
  try {
    return await work(({ resourceId, state }) => {
      const item = {
        key: resourceId,
        id: resourceId,
        ...nameOf(resourceId),
        depth: 0,
        change: undefined,
        steps: [],
      };
      items.set(resourceId, { ...item, state: itemState(state) });
      view.update([...items.values()]);
    });
  } finally {
    await view.end();
  }
}

/** A recipe without a resource is named by its type: `Radius.Data/redisCaches/default`. */
function nameOf(id: string): { readonly type: string; readonly name: string } {
  const end = id.lastIndexOf("/");
  return id.startsWith("/") ? describeId(id) : { type: id.slice(0, end), name: id.slice(end + 1) };
}
