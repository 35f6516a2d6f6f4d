import { isJsonObject, type JsonValue } from "@rad/core/json";
import { isTerminal } from "@rad/core/provisioning-state";
import { ClientError, isOutage, longestOutageMs, operationLost } from "../client-error.ts";
import type { Sleep } from "../delay.ts";
import { type DeploymentOperation, toDeploymentOperation } from "../deployments.ts";
import { parseOperationStatus } from "../operation-status.ts";
import type { OpenStream, WireResponse } from "../transport.ts";
import type { OperationStatus } from "../wire-types.ts";
import { EventConnection } from "./event-connection.ts";
import type { ServerEvent } from "./event-parser.ts";

/** Something about an operation that is new. */
export type OperationEvent =
  | { readonly kind: "status"; readonly status: OperationStatus }
  /** Something that is being done for a deployment, or for one that is nested in it. */
  | { readonly kind: "operation"; readonly deploymentId: string; readonly operation: DeploymentOperation };

export interface FollowOptions {
  readonly open: OpenStream;
  readonly sleep: Sleep;
  readonly signal?: AbortSignal | undefined;
  /** Told when the connection is lost and cannot be made again at once, and when it is back. */
  readonly onOutage?: ((isAway: boolean) => void) | undefined;
  /** For servers that have no events but answer the same request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came of asking for events: those, or whatever was answered instead, if anything was. */
export type Following =
  | { readonly kind: "events"; readonly events: AsyncIterable<OperationEvent> }
  | { readonly kind: "none"; readonly answer: WireResponse | undefined };

/** A proxy that keeps events back shows itself by silence, since the present state comes at once. */
const firstEventMs = 5_000;
/** The server says something every 15 seconds. */
const longestSilenceMs = 45_000;
/** The stream ends with the outcome; a connection that was read to its end can be used again. */
const streamEndMs = 200;
const usualRetryMs = 1_000;
/** Whatever the server says: without a pause, trying would never come to its end. */
const shortestRetryMs = 10;
const longestRetryMs = 5_000;
const retryGrowth = 1.5;

/**
 * Asks for the events of an operation, and resolves when the first one is there. Whoever iterates over them gets those
 * of later connections too, which go on where the last one broke. The events end with the status that has the outcome;
 * or without it, when the control plane stops to send any. Leaving the iteration closes the connection.
 *
 * The iteration throws a ClientError when the control plane refuses, or cannot be reached for too long.
 */
export async function followOperation(options: FollowOptions, url: URL): Promise<Following> {
  let connection: EventConnection | undefined;
  try {
    connection = await connect(options, url);
    if (!connection.isEventStream) {
      return { kind: "none", answer: await connection.wholeAnswer(firstEventMs) };
    }
    const first = await connection.first(firstEventMs);
    if (first !== undefined) {
      return { kind: "events", events: readOn(options, url, { connection, first }) };
    }
  } catch {
    options.signal?.throwIfAborted(); // otherwise whoever asks in another way finds out what is wrong
  }
  connection?.[Symbol.dispose]();
  return { kind: "none", answer: undefined };
}

/** A connection that works. */
interface Begun {
  readonly connection: EventConnection;
  readonly first: ServerEvent;
}

async function* readOn(options: FollowOptions, url: URL, begun: Begun): AsyncGenerator<OperationEvent> {
  let current: Begun | undefined = begun;
  while (current !== undefined) {
    const { connection, first } = current;
    let last = first;
    try {
      for (let event: ServerEvent | undefined = first; event !== undefined;) {
        last = event;
        const told = toOperationEvent(event);
        if (told?.kind === "status" && isTerminal(told.status.state)) {
          await connection.end(streamEndMs);
          yield told;
          return;
        }
        if (told !== undefined) {
          yield told;
        }
        event = await connection.next(longestSilenceMs);
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      if (isUnreadable(error)) {
        return;
      }
    } finally {
      connection[Symbol.dispose]();
    }
    current = await connectAgain(options, url, last.lastEventId, connection.retryMs ?? usualRetryMs);
  }
}

/** @returns `undefined` when there are no events any more. */
async function connectAgain(
  options: FollowOptions,
  url: URL,
  lastEventId: string,
  retryMs: number,
): Promise<Begun | undefined> {
  let pauseMs = Math.max(shortestRetryMs, Math.min(retryMs, longestRetryMs));
  for (let outageMs = 0; outageMs <= longestOutageMs;) {
    await options.sleep(pauseMs, options.signal);
    outageMs += pauseMs;
    let connection: EventConnection | undefined;
    try {
      connection = await connect(options, url, lastEventId);
      const first = connection.isEventStream ? await connection.first(firstEventMs) : undefined;
      if (first !== undefined) {
        options.onOutage?.(false);
        return { connection, first };
      }
      if (!connection.isEventStream) {
        connection[Symbol.dispose]();
        return undefined;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof ClientError && !isOutage(error)) {
        throw error;
      }
      options.onOutage?.(true);
    }
    connection?.[Symbol.dispose]();
    pauseMs = Math.min(pauseMs * retryGrowth, longestRetryMs);
  }
  throw operationLost(url.origin);
}

function connect({ open, headers, signal }: FollowOptions, url: URL, lastEventId?: string): Promise<EventConnection> {
  const accept = "text/event-stream, application/json;q=0.9";
  const sent = { ...headers, accept, ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) };
  return EventConnection.open(open, { url, headers: sent, signal }, { withinMs: firstEventMs });
}

/** Ignores unknown types: they are for later clients. */
function toOperationEvent({ type, data }: ServerEvent): OperationEvent | undefined {
  switch (type) {
    case "status":
      return { kind: "status", status: parseOperationStatus(JSON.parse(data) as JsonValue) };
    case "operation": {
      const body = JSON.parse(data) as JsonValue;
      const id = isJsonObject(body) && typeof body["id"] === "string" ? body["id"] : "";
      const deploymentId = id.replace(/\/operations\/[^/]*$/i, "");
      return { kind: "operation", deploymentId, operation: toDeploymentOperation(body) };
    }
    default:
      return undefined;
  }
}

/** The other side sends something that is none of this. */
function isUnreadable(error: unknown): boolean {
  const isUnexpected = error instanceof ClientError && error.code === "UnexpectedResponse";
  return isUnexpected || error instanceof RangeError || error instanceof SyntaxError;
}
