import type { Logger } from "@rad/core";
import type { StoreEvent } from "./store.ts";

/** Hands events to whoever subscribed. A listener that throws is a bug in it, and none of the store's business. */
export class EventHub {
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  subscribe(listener: (event: StoreEvent) => void): Disposable {
    // A wrapper of its own, so that one function may subscribe twice and leave once.
    const entry = (event: StoreEvent): void => listener(event);
    this.#listeners.add(entry);
    return { [Symbol.dispose]: () => void this.#listeners.delete(entry) };
  }

  emit(events: readonly StoreEvent[]): void {
    for (const event of events) {
      for (const listener of this.#listeners) {
        try {
          listener(event);
        } catch (error) {
          this.#log.error("a listener of the store failed", { event: event.kind, error });
        }
      }
    }
  }
}
