import { type Client, type Deployment, isOutage, longestOutageMs, type StartedDeployment } from "@rad/client";
import { isTerminal } from "@rad/core";
import type { ProgressItem } from "../progress/progress-item.ts";
import { settledItems } from "../progress/progress-item.ts";
import { followByEvents } from "./follow-by-events.ts";
import { OperationTree } from "./operation-tree.ts";

export interface Followed {
  readonly deployment: Deployment;
  readonly items: readonly ProgressItem[];
  /** What the control plane did for it, but advises against. */
  readonly warnings: readonly string[];
}

/** Who is told what happens to a deployment. */
export interface Watcher {
  readonly onProgress: (items: readonly ProgressItem[]) => void;
  /** The control plane is away, or back; may be called several times with the same. */
  readonly onOutage?: ((isAway: boolean) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const firstPollMs = 100;
const pollGrowth = 1.5;
/** While something happens, and while nothing does. */
const longestPollMs = { busy: 1_000, idle: 5_000 };

/**
 * Waits for a deployment to end, however it ends, and tells about its resources on the way: by events, or by looking
 * where there are none.
 * @throws ClientError when the control plane cannot be reached for too long, or no longer knows the deployment
 */
export async function followDeployment(
  client: Client,
  { id, operationLink }: Pick<StartedDeployment, "id" | "operationLink">,
  { onProgress, onOutage, signal }: Watcher,
): Promise<Followed> {
  const tree = new OperationTree(client, id);
  const isComplete =
    operationLink !== undefined &&
    (await followByEvents({ client, tree, signal, onOutage, onChange: () => onProgress(tree.items()) }, operationLink));
  return await lookUntilEnded({ client, id, tree, isComplete, onProgress, onOutage, signal });
}

interface Look extends Watcher {
  readonly client: Client;
  readonly id: string;
  readonly tree: OperationTree;
  /** The deployment has ended, and the tree has all that it did. */
  readonly isComplete: boolean;
}

/** Looks often at first, whenever something happens, and at once when it has ended. */
async function lookUntilEnded({ client, id, tree, isComplete, onProgress, onOutage, signal }: Look): Promise<Followed> {
  using listening = listenForEnd(client, id);
  let needsLists = !isComplete;
  let delayMs = firstPollMs;
  let outageMs = 0;
  let last = "";
  for (;;) {
    try {
      // The deployment first: once it has ended, its operations are complete.
      const deployment = await client.deployments.get(id);
      if (needsLists) {
        await tree.refresh();
      }
      if (isTerminal(deployment.state)) {
        const settled = settledItems(tree.items(), deployment);
        onProgress(settled);
        return { deployment, items: settled, warnings: tree.warnings() };
      }
      needsLists = true; // somebody has started it again
      await tree.refreshSteps();
      outageMs = 0;
      onOutage?.(false);
      const items = tree.items();
      onProgress(items);
      const state = JSON.stringify(items);
      delayMs = Math.min(delayMs * pollGrowth, state === last ? longestPollMs.idle : longestPollMs.busy);
      last = state;
    } catch (error) {
      if (!isOutage(error) || outageMs > longestOutageMs) {
        throw error;
      }
      outageMs += delayMs;
      onOutage?.(true);
    }
    await listening.pause(delayMs, signal);
  }
}

interface EndListener extends Disposable {
  /** Over at once, the first time, when the deployment has ended and the control plane could tell. */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** Listens from the first pause on: before that nobody waits. */
function listenForEnd(client: Client, id: string): EndListener {
  const over = new AbortController();
  const never = new Promise<void>(() => {});
  const listen = (): Promise<void> =>
    client.deployments.waitForEnd(id, { signal: over.signal }).then(
      (hasEnded) => (hasEnded ? undefined : never),
      () => never, // whoever looks in between finds the same fault, and knows what to do about it
    );
  let ended: Promise<void> | undefined;
  return {
    pause: async (ms, signal) => {
      ended ??= listen();
      const enough = new AbortController();
      const sleeping = client.sleep(ms, AbortSignal.any([enough.signal, ...(signal === undefined ? [] : [signal])]));
      const isHeard = await Promise.race([sleeping.then(() => false), ended.then(() => true)]);
      if (isHeard) {
        ended = never; // somebody may have started it again, so from now on only looking tells
      }
      enough.abort(); // a timer that is left would keep the program from ending
    },
    [Symbol.dispose]: () => over.abort(),
  };
}
