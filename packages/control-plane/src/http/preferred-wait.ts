import type { OperationWaiter } from "@rad/operations";
import type { Store } from "@rad/store";
import type { Answer } from "@rad/modules";
import type { ApiRequest } from "../api/api-request.ts";

/** Shorter than what common proxies allow an answer to take. */
const longestWaitSeconds = 30;

/** How long the caller would like to be kept waiting: `Prefer: wait=10` (RFC 7240). Others may be in the list. */
export function preferredWait(prefer: string | undefined): number | undefined {
  const seconds = prefer === undefined ? undefined : /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?:[;,]|$)/i.exec(prefer)?.[1];
  return seconds === undefined ? undefined : Math.min(Number(seconds), longestWaitSeconds);
}

export interface PreferredWaitsDeps {
  readonly store: Store;
  readonly waiter: OperationWaiter;
  /** Nobody waits any longer when the server is about to stop. */
  readonly closing: AbortSignal;
}

/**
 * Puts the answer to a GET off while an operation is under way, for callers who would otherwise ask again and again.
 * They hear of its end at once, with one request instead of many.
 */
export class PreferredWaits {
  readonly #deps: PreferredWaitsDeps;

  constructor(deps: PreferredWaitsDeps) {
    this.#deps = deps;
  }

  /** Until it has ended, or as long as the caller wants to. */
  async forOperation(request: ApiRequest, operationId: string): Promise<void> {
    const { waiter, closing } = this.#deps;
    const seconds = request.waitSeconds;
    if (seconds === undefined || seconds === 0) {
      return;
    }
    const startedAt = performance.now();
    const over = new AbortController();
    using _limits = limitWait(over, seconds * 1_000, [closing, request.disconnected()]);
    try {
      await waiter.wait(operationId, over.signal);
    } catch (error) {
      if (!over.signal.aborted) {
        throw error;
      }
    } finally {
      request.reportWait(performance.now() - startedAt);
    }
  }

  /** For whatever is under way on a resource. */
  async forResource(request: ApiRequest): Promise<void> {
    const document = await this.#deps.store.get(request.id.toString());
    if (document?.operationId !== undefined) {
      await this.forOperation(request, document.operationId);
    }
  }
}

/** Says that the server knows what waiting is, however long it took. */
export function withWaitApplied({ waitSeconds }: ApiRequest, answer: Answer): Answer {
  return waitSeconds === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, "Preference-Applied": `wait=${waitSeconds}` } };
}

/** Unlike signals of the platform with a time limit, it does not stay in memory until the time is over. */
function limitWait(wait: AbortController, ms: number, others: readonly AbortSignal[]): Disposable {
  const stop = (): void => wait.abort();
  const timer = setTimeout(stop, ms);
  for (const signal of others) {
    signal.addEventListener("abort", stop);
    if (signal.aborted) {
      stop();
    }
  }
  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      others.forEach((signal) => signal.removeEventListener("abort", stop));
    },
  };
}
