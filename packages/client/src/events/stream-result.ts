import type { JsonValue } from "@rad/core";
import { ClientError, connectionLost, errorFromWire } from "../client-error.ts";
import type { OpenStream } from "../transport.ts";
import { EventConnection } from "./event-connection.ts";
import type { ServerEvent } from "./event-parser.ts";

export interface StreamedRequest {
  readonly open: OpenStream;
  readonly url: URL;
  readonly body: JsonValue;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (progress: JsonValue) => void;
}

/** Until the first event the control plane only reads its store. */
const firstEventMs = 10 * 60_000;
/** More than the longest what-if has. */
const maxCharacters = 32 * 1024 * 1024;
/** It says something every fifteen seconds. */
const silenceMs = 60_000;

/** The answer to a POST that may take minutes: events tell how it goes, and the last one has the result. */
export async function streamResult(request: StreamedRequest): Promise<JsonValue | undefined> {
  const { open, url, body, signal, onProgress } = request;
  const headers = { accept: "text/event-stream, application/json;q=0.9" };
  const order = { method: "POST", url, headers, body, signal } as const;
  using connection = await EventConnection.open(open, order, { withinMs: firstEventMs, maxCharacters });
  if (!connection.isEventStream) {
    return (await connection.wholeAnswer(firstEventMs)).body;
  }
  for (;;) {
    const event = await nextEvent(connection, request);
    const value = JSON.parse(event.data) as JsonValue;
    switch (event.type) {
      case "result":
        return value;
      case "error":
        throw (
          errorFromWire((value as { readonly error?: JsonValue }).error) ??
          new ClientError("UnexpectedResponse", "The control plane ended its answer with an error that says nothing.")
        );
      case "recipe":
        onProgress(value);
        break;
      default: // for later clients
    }
  }
}

async function nextEvent(connection: EventConnection, { url, signal }: StreamedRequest): Promise<ServerEvent> {
  try {
    const event = await connection.next(silenceMs);
    if (event !== undefined) {
      return event;
    }
  } catch {
    signal?.throwIfAborted();
  }
  throw connectionLost(url.origin);
}
