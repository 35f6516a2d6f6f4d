import type { StoreEvent } from "../store.ts";

export const channel = "radius_store";

/** Other processes act on documents of these types, so they have to hear of a change even if its writer dies. */
export const followedPrefix = "system.";

export function isFollowed(type: string): boolean {
  return type.startsWith(followedPrefix);
}

/** Everything may have changed: sent when the changes themselves are not known. */
export const anyDocument: StoreEvent = { kind: "document", type: "*" };

/** @returns what other processes announced; our own events were handed out when the database answered. */
export function decodeNotification(receiver: string, payload: string): readonly StoreEvent[] {
  const { sender, events } = JSON.parse(payload) as { sender: string; events: StoreEvent[] };
  return sender === receiver ? [] : events;
}
