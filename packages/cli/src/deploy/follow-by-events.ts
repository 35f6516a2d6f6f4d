import { type Client, isOutage } from "@rad/client";
import { isTerminal } from "@rad/core";
import type { OperationTree } from "./operation-tree.ts";

export interface FollowByEventsOptions {
  readonly client: Client;
  /** Gets everything that is heard. */
  readonly tree: OperationTree;
  readonly onChange: () => void;
  readonly onOutage?: ((isAway: boolean) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What happens within this time is shown together. */
const shortestPauseMs = 100;
/** How often resources are asked about their steps: soon at first, as a recipe may take half a second, then as they change. */
const stepsEveryMs = { first: 250, busy: 1_000, idle: 5_000 };
const pauseGrowth = 1.5;

/**
 * Follows the operation of a deployment by events.
 * @returns whether it has ended; `false` when that has to be found out in another way.
 * @throws ClientError when the control plane refuses, or cannot be reached for too long
 */
export async function followByEvents(options: FollowByEventsOptions, link: string): Promise<boolean> {
  const { client, tree, signal, onOutage } = options;
  const events = await client.operations.follow(link, { signal, onOutage });
  if (events === undefined) {
    return false;
  }
  using pacer = createPacer(options.onChange);
  const over = new AbortController();
  const watchingSteps = watchSteps({ ...options, onChange: pacer.changed }, over.signal);
  try {
    for await (const event of events) {
      if (event.kind === "operation") {
        tree.remember(event.deploymentId, [event.operation]);
        pacer.changed();
      } else if (isTerminal(event.status.state)) {
        return true;
      }
    }
    return false;
  } finally {
    over.abort();
    await watchingSteps;
  }
}

/**
 * Events tell of the deployment's own work. What its resources do meanwhile is asked for, a bounded number at once. A
 * deployment can be followed without that, so a failure here ends nothing else.
 */
async function watchSteps({ client, tree, onChange }: FollowByEventsOptions, over: AbortSignal): Promise<void> {
  let pauseMs = stepsEveryMs.first;
  let last = "";
  while (!over.aborted) {
    try {
      await client.sleep(pauseMs, over);
      await tree.refreshSteps(over);
    } catch (error) {
      if (over.aborted || !isOutage(error)) {
        return;
      }
    }
    const state = JSON.stringify(tree.items());
    pauseMs = Math.min(pauseMs * pauseGrowth, state === last ? stepsEveryMs.idle : stepsEveryMs.busy);
    if (state !== last) {
      onChange();
    }
    last = state;
  }
}

/** Calls back at once, and then not again before some time has passed. */
function createPacer(callBack: () => void): { readonly changed: () => void } & Disposable {
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;
  const pass = (): void => {
    timer = undefined;
    if (isDue) {
      show();
    }
  };
  const show = (): void => {
    isDue = false;
    timer = setTimeout(pass, shortestPauseMs);
    callBack();
  };
  return {
    changed: () => {
      isDue = true;
      if (timer === undefined) {
        show();
      }
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
