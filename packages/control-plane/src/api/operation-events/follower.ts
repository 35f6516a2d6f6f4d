import { endId, greeting, idField, keepAlive, resumeId, type ResumePoint } from "./event-text.ts";
import type { OperationHub } from "./operation-hub.ts";

export interface FollowerOptions {
  readonly hub: OperationHub;
  readonly operationId: string;
  /** The id of the status document, as the caller asked for it. */
  readonly statusId: string;
  readonly resume: Exclude<ResumePoint, "end">;
  /** Whether the caller may read a record. */
  readonly readable: (recordId: string) => boolean;
  /** Cuts the connection of a caller who does not read. */
  readonly hangUp: () => void;
  readonly onLeave: () => void;
}

/**
 * One caller's stream of events. It has no queue: it knows how far in the hub's log its caller is, and takes the next
 * chunk when the caller's connection asks for one. Whoever is slow gets the last state of what was overtaken meanwhile.
 */
export class Follower implements AsyncIterableIterator<Uint8Array | string> {
  readonly #options: FollowerOptions;
  #replayEnd: number | undefined;
  #position = 0;
  #statusVersion = 0;
  #lastId: string;
  #isGreeted = false;
  /** What belongs to the chunk that was sent last. */
  #rest: Uint8Array | undefined;
  #waiting: PromiseWithResolvers<IteratorResult<Uint8Array | string>> | undefined;
  #hasLeft = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#lastId = resumeId(options.operationId, options.resume?.after ?? "");
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array | string>> {
    const result = this.#take();
    if (result !== undefined) {
      return Promise.resolve(result);
    }
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** The caller is gone, or the stream was given up. */
  return(): Promise<IteratorResult<Uint8Array | string>> {
    this.#leave();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Something is new. */
  wake(): void {
    const waiting = this.#waiting;
    const result = waiting === undefined ? undefined : this.#take();
    if (result !== undefined) {
      this.#waiting = undefined;
      waiting?.resolve(result);
    }
  }

  /** Says something for the sake of the connection, unless the caller has yet to read what was said before. */
  keepAlive(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve({ done: false, value: keepAlive });
  }

  /** Ends the stream; the caller may connect again. */
  end(): void {
    const isReading = this.#waiting !== undefined;
    this.#leave();
    if (!isReading) {
      this.#options.hangUp();
    }
  }

  #leave(): void {
    if (!this.#hasLeft) {
      this.#hasLeft = true;
      this.#options.onLeave();
    }
    this.#waiting?.resolve({ done: true, value: undefined });
    this.#waiting = undefined;
  }

  #take(): IteratorResult<Uint8Array | string> | undefined {
    if (this.#hasLeft) {
      return { done: true, value: undefined };
    }
    const { hub, resume } = this.#options;
    // Who comes back gets records first: otherwise somebody who is cut off soon each time would get no further.
    const isBehind = resume !== undefined && this.#statusVersion === 0;
    const value =
      this.#greet() ??
      this.#takeRest() ??
      (isBehind ? undefined : this.#takeStatus()) ??
      this.#takeRecord() ??
      (hub.isLoaded ? this.#takeStatus() : undefined) ??
      this.#takeEnd();
    if (value !== undefined) {
      return { done: false, value };
    }
    if (this.#hasSeenEnd()) {
      this.#leave();
      return { done: true, value: undefined };
    }
    return undefined;
  }

  #greet(): Uint8Array | undefined {
    if (this.#isGreeted) {
      return undefined;
    }
    this.#isGreeted = true;
    return greeting;
  }

  #takeRest(): Uint8Array | undefined {
    const rest = this.#rest;
    this.#rest = undefined;
    return rest;
  }

  /** The last one comes after everything else. */
  #takeStatus(): string | undefined {
    const { hub } = this.#options;
    return hub.hasEnded || hub.statusVersion === this.#statusVersion ? undefined : this.#status(this.#lastId);
  }

  #takeRecord(): Uint8Array | undefined {
    const { hub, readable, operationId, resume } = this.#options;
    if (!hub.isLoaded) {
      return undefined;
    }
    this.#replayEnd ??= hub.records.position;
    for (let entry = hub.records.next(this.#position); entry !== undefined; entry = hub.records.next(this.#position)) {
      this.#position = entry.position;
      const isKnown = entry.position <= this.#replayEnd && entry.timestamp <= (resume?.after ?? "");
      if (!isKnown && readable(entry.recordId)) {
        this.#lastId = resumeId(operationId, entry.settled);
        return entry.chunk;
      }
    }
    return undefined;
  }

  #takeEnd(): string | undefined {
    const { hub, operationId } = this.#options;
    return hub.hasEnded && !this.#hasSeenEnd() ? this.#status(endId(operationId)) : undefined;
  }

  #hasSeenEnd(): boolean {
    const { hub } = this.#options;
    return hub.hasEnded && hub.statusVersion === this.#statusVersion;
  }

  /** The id is the follower's own, the rest is everybody's. */
  #status(id: string): string {
    const { hub, statusId } = this.#options;
    this.#statusVersion = hub.statusVersion;
    this.#rest = hub.statusChunk(statusId);
    return idField(id);
  }
}
