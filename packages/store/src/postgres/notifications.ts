import type { StoreEvent } from "../store.ts";

export const channel = "radius_store";

/** Everything may have changed: sent when the changes themselves are not known. */
export const anyDocument: StoreEvent = { kind: "document", type: "*" };

/** PostgreSQL refuses 8000 bytes and more. */
const maxBytes = 7_900;

export function encodeNotification(sender: string, events: readonly StoreEvent[]): string {
  const text = JSON.stringify({ sender, events });
  if (Buffer.byteLength(text) <= maxBytes) {
    return text;
  }
  // Only documents can be that many, and a listener that looks at everything misses nothing.
  const others = events.filter((event) => event.kind !== "document" && !isOrdered(event));
  const operations = new Set(events.filter(isOrdered).map(({ operationId }) => operationId));
  const progress = [...operations].map((operationId): StoreEvent => ({ kind: "progress", operationId, document: "*" }));
  return JSON.stringify({ sender, events: [anyDocument, ...progress, ...others] });
}

/**
 * @returns what other processes announced. Our own events were handed out at the commit, except for those whose order
 * counts: replies to commits on several connections may overtake each other, notifications do not.
 */
export function decodeNotification(receiver: string, payload: string): readonly StoreEvent[] {
  const { sender, events } = JSON.parse(payload) as { sender: string; events: StoreEvent[] };
  return sender === receiver ? events.filter(isOrdered) : events;
}

/** Whether the order among such events has to be that of the commits. */
export function isOrdered(event: StoreEvent): event is StoreEvent & { readonly kind: "progress" } {
  return event.kind === "progress" && event.document !== undefined;
}
