import { ApiError, isTerminal, type Logger } from "@rad/core";
import { type Answer, jsonAnswer } from "@rad/modules";
import type { OperationWaiter } from "@rad/operations";
import { type Operation, type Store, StoreError } from "@rad/store";
import type { ApiRequest } from "../api-request.ts";
import { readResumeId } from "./event-text.ts";
import { Follower } from "./follower.ts";
import { OperationHub } from "./operation-hub.ts";

export interface OperationEventsOptions {
  readonly store: Store;
  readonly waiter: OperationWaiter;
  readonly log: Logger;
  /** How many may follow operations at once. */
  readonly maxStreams: number;
  /** All streams end when the server is about to stop. */
  readonly closing: AbortSignal;
  readonly keepAliveMs?: number;
  /** Who connects again shows once more who they are. */
  readonly longestStreamMs?: number;
}

/** Those who follow one operation. */
interface Audience {
  readonly hub: OperationHub;
  readonly followers: Set<Follower>;
}

const headers = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Accel-Buffering": "no", // nginx would otherwise keep events until it has a page full
};
const retryAfterSeconds = 5;

/** Streams the progress of operations to clients. */
export class OperationEvents implements Disposable {
  readonly #options: OperationEventsOptions;
  readonly #audiences = new Map<string, Audience>();
  /** Since when they follow, in the order in which they came. */
  readonly #since = new Map<Follower, number>();
  readonly #longestStreamMs: number;
  readonly #cleanup = new DisposableStack();

  constructor(options: OperationEventsOptions) {
    const { closing, keepAliveMs = 15_000, longestStreamMs = 10 * 60_000 } = options;
    this.#options = options;
    this.#longestStreamMs = longestStreamMs - keepAliveMs;
    const beat = setInterval(() => this.#beat(), keepAliveMs).unref();
    const stop = (): void => this.#endAll(this.#since.keys());
    closing.addEventListener("abort", stop, { once: true });
    this.#cleanup.defer(() => {
      clearInterval(beat);
      closing.removeEventListener("abort", stop);
      stop();
    });
  }

  /** @param readable whether the caller may read a record of the operation's deployment. */
  follow(request: ApiRequest, operation: Operation, statusId: string, readable: (recordId: string) => boolean): Answer {
    const resume = readResumeId(operation.id, request.lastEventId);
    if (resume === "end" && isTerminal(operation.state)) {
      return { status: 204 }; // tells an event source not to connect again
    }
    if (this.#since.size >= this.#options.maxStreams || this.#options.closing.aborted) {
      const message = "This server has no room for another stream of events; ask for the status as JSON instead.";
      const error = new ApiError("ServiceUnavailable", message).toDetail();
      return jsonAnswer(503, { error }, { "Retry-After": String(retryAfterSeconds) });
    }
    const audience = this.#audience(operation);
    const follower = new Follower({
      hub: audience.hub,
      operationId: operation.id,
      statusId,
      resume: resume === "end" ? undefined : resume,
      readable,
      hangUp: () => request.hangUp(),
      onLeave: () => this.#leave(operation.id, audience, follower),
    });
    audience.followers.add(follower);
    this.#since.set(follower, performance.now());
    const gone = request.disconnected();
    gone.addEventListener("abort", () => void follower.return(), { once: true });
    if (gone.aborted) {
      void follower.return();
    }
    return { status: 200, headers, body: follower };
  }

  [Symbol.dispose](): void {
    this.#cleanup.dispose();
  }

  #audience(operation: Operation): Audience {
    const known = this.#audiences.get(operation.id);
    if (known !== undefined) {
      return known;
    }
    const followers = new Set<Follower>();
    const { store, waiter, log } = this.#options;
    const hub = new OperationHub({
      store,
      waiter,
      operation,
      onChange: () => followers.forEach((follower) => follower.wake()),
      onFailure: (error) => {
        if (!(error instanceof StoreError && error.code === "Unavailable")) {
          log.error("an operation can no longer be followed", { operation: operation.id, error });
        }
        this.#endAll(followers); // they connect again, and are told what is wrong
      },
    });
    const audience = { hub, followers };
    this.#audiences.set(operation.id, audience);
    return audience;
  }

  #leave(operationId: string, { hub, followers }: Audience, follower: Follower): void {
    this.#since.delete(follower);
    followers.delete(follower);
    if (followers.size === 0) {
      hub[Symbol.dispose]();
      this.#audiences.delete(operationId);
    }
  }

  #beat(): void {
    const now = performance.now();
    for (const [follower, since] of this.#since) {
      if (now - since >= this.#longestStreamMs) {
        follower.end();
      } else {
        follower.keepAlive();
      }
    }
  }

  #endAll(followers: Iterable<Follower>): void {
    for (const follower of followers) {
      follower.end();
    }
  }
}
