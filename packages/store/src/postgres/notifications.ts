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
  // Only types can be that long or that many, and a listener that refreshes everything misses nothing.
  const others = events.filter((event) => event.kind !== "document");
  return JSON.stringify({ sender, events: [anyDocument, ...others] });
}

/** @returns what other processes announced; nothing for our own notifications, which were handed out at the commit. */
export function decodeNotification(receiver: string, payload: string): readonly StoreEvent[] {
  const { sender, events } = JSON.parse(payload) as { sender: string; events: StoreEvent[] };
  return sender === receiver ? [] : events;
}
