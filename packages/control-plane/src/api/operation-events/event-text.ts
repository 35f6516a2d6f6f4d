import type { JsonObject } from "@rad/core";

/** How long an event source waits before it connects again, in milliseconds. */
export const greeting = Buffer.from("retry: 1000\n\n");

/** Something on the wire now and then keeps proxies from giving the connection up. */
export const keepAlive = Buffer.from(":\n\n");

/** JSON has no line breaks of its own, so the data is one line. */
export function eventBody(event: "status" | "operation", data: JsonObject): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The field that comes before the rest of an event. */
export function idField(id: string): string {
  return `id: ${id}\n`;
}

/**
 * Where a follower is to go on: after all changes up to a time, or nowhere, because there is nothing left to tell.
 * `undefined`: from the beginning.
 */
export type ResumePoint = { readonly after: string } | "end" | undefined;

const end = "end";

/** The id of an event after which a follower has seen every record that was changed up to `timestamp`, `""` for none. */
export function resumeId(operationId: string, timestamp: string): string {
  return `${operationId}/${timestamp}`;
}

export function endId(operationId: string): string {
  return `${operationId}/${end}`;
}

/** Ids of other operations, and whatever is none at all, mean the beginning. */
export function readResumeId(operationId: string, lastEventId: string | undefined): ResumePoint {
  const [operation, point, ...rest] = lastEventId?.split("/") ?? [];
  if (operation !== operationId || point === undefined || rest.length > 0) {
    return undefined;
  }
  if (point === end) {
    return end;
  }
  return point === "" || isTime(point) ? { after: point } : undefined;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/.test(text) && !Number.isNaN(Date.parse(text));
}
