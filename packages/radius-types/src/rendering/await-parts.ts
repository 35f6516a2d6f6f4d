import type { Clock } from "@rad/core";
import type { KubernetesObject, ObjectTarget, ReadyOptions } from "@rad/kubernetes";
import type { HandlerContext } from "@rad/resources";
import type { KubernetesPart } from "./renderer.ts";

/** How long the objects of a resource may take to do their work, over all attempts. */
export const readyMs = 10 * 60_000;

/** How long one attempt waits. Then it ends, and a later one looks again: waiting keeps a lease alive. */
const patienceMs = 60_000;

/**
 * Waits until all awaited objects do their work.
 * @param parts as they were applied
 * @returns whether they do; if not, the attempt has waited long enough, and there is time for another one.
 * @throws ApiError with the reason why one of them does not.
 */
export async function awaitParts(
  context: HandlerContext,
  target: ObjectTarget,
  parts: readonly KubernetesPart[],
  clock: Clock,
): Promise<boolean> {
  const awaited = parts.filter((part) => part.awaited === true);
  if (awaited.length === 0 || target.kind === "folder") {
    return true;
  }
  const waitedMs = Math.max(0, clock.now().getTime() - context.startedAt.getTime());
  const leftMs = readyMs - waitedMs;
  const wait = new Wait(context, target, { timeoutMs: Math.max(1_000, leftMs), waitedMs });
  try {
    return await context.withoutSlot(() =>
      Promise.race([
        Promise.all(awaited.map(({ object }) => wait.until(object))).then(() => true),
        // The last attempt waits for the target, which gives the reason.
        leftMs > patienceMs ? wait.patience(clock) : never,
      ]),
    );
  } finally {
    wait.end();
  }
}

const never = new Promise<never>(() => {});

/** The wait of one attempt for objects, each of which is a step. */
class Wait {
  readonly #context: HandlerContext;
  readonly #target: ObjectTarget;
  readonly #times: Pick<ReadyOptions, "timeoutMs" | "waitedMs">;
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  #isOverdue = false;

  constructor(context: HandlerContext, target: ObjectTarget, times: Pick<ReadyOptions, "timeoutMs" | "waitedMs">) {
    this.#context = context;
    this.#target = target;
    this.#times = times;
    this.#signal = AbortSignal.any([context.signal, this.#end.signal]);
  }

  async until(object: KubernetesObject): Promise<void> {
    const { kind, metadata } = object;
    await this.#context.step(`Wait for ${kind} '${metadata.name}'`, async (step) => {
      const progress = (message: string): void => step.detail(message);
      try {
        await this.#target.ready(object, { signal: this.#signal, ...this.#times, progress });
      } catch (error) {
        // The step stays unfinished, and the next attempt takes it up.
        await (this.#isOverdue ? never : undefined);
        throw error;
      }
    });
  }

  async patience(clock: Clock): Promise<boolean> {
    await clock.sleep(patienceMs, this.#signal).catch(() => never);
    this.#isOverdue = true;
    return false;
  }

  /** Leaves no watch and no timer behind. */
  end(): void {
    this.#end.abort();
  }
}
