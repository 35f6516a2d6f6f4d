import type { Answer } from "@rad/modules";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { TLSSocket } from "node:tls";
import { answerChunks, isStream } from "./answer-chunks.ts";
import { requireEnd } from "./require-end.ts";

/**
 * How long a caller may go on sending a body that nobody reads any more. Cut at once, most would see a broken connection
 * instead of the answer.
 */
const lingerMs = 1_000;

export interface SendOptions {
  /** How long a caller may take nothing of a stream. The stream itself may be silent for any time. */
  readonly idleMs: number;
  /** The last answer on this connection. */
  readonly close: boolean;
  /** The body of the request is not read, now or later. */
  readonly dropBody: boolean;
  /** What the answer can be found by in the server's log. An answer that brings such headers from elsewhere keeps those. */
  readonly ids: RequestIds;
}

export interface RequestIds {
  readonly requestId: string;
  readonly correlationId: string;
}

export function idHeaders({ requestId, correlationId }: RequestIds): Record<string, string> {
  return { "x-ms-request-id": requestId, "x-ms-correlation-request-id": correlationId };
}

/**
 * Writes an answer. In the case of a stream, resolves when it has ended or the caller is gone; all others are handed over
 * at once.
 * @throws whatever reading a stream fails with, after the connection has been cut, and an error for a status or headers
 * that cannot be sent.
 */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  options: SendOptions,
): Promise<void> | undefined {
  if (!request.complete) {
    limitUnreadBody(request, response);
  }
  if (isStream(answer.body)) {
    return sendStream(request, response, answer, answer.body, options);
  }
  requireEnd(answer);
  const body = answer.json ?? answer.body ?? "";
  const headers = headersOf(request, answer, body, options.ids);
  if (options.close) {
    headers["connection"] = "close";
  }
  // Of the answer to a HEAD, Node sends only what is known about the body. A text goes out in one piece with the headers.
  response.writeHead(answer.status, headers).end(body);
  return undefined;
}

function headersOf(
  request: IncomingMessage,
  answer: Answer,
  body: string | Uint8Array,
  ids: RequestIds,
): OutgoingHttpHeaders {
  const headers = withIds(answer, ids);
  if (answer.json !== undefined) {
    headers["content-type"] = "application/json";
  } else if (body.length > 0) {
    // Browsers guess where there is none, and might take a text for a page.
    headers["content-type"] ??= typeof body === "string" ? "text/plain; charset=utf-8" : "application/octet-stream";
  }
  // In the answer to a HEAD it may be that of the body which a GET would get.
  const isGiven = request.method === "HEAD" && headers["content-length"] !== undefined;
  if (answer.status !== 204 && answer.status !== 304 && !isGiven) {
    headers["content-length"] = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  }
  return headers;
}

/** By lower-case names, so that a header goes out once, however an answer spells it. */
function withIds(answer: Answer, ids: RequestIds): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = idHeaders(ids);
  for (const name in answer.headers) {
    headers[name.toLowerCase()] = answer.headers[name];
  }
  return headers;
}

async function sendStream(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  body: AsyncIterable<string | Uint8Array>,
  { idleMs, close, dropBody, ids }: SendOptions,
): Promise<void> {
  const chunks = answerChunks(body, answer.headers);
  try {
    requireEnd(answer);
    response.writeHead(answer.status, { ...withIds(answer, ids), ...(close ? { connection: "close" } : {}) });
  } catch (error) {
    await chunks.return();
    throw error;
  }
  if (hasNoBody(request.method, answer.status) || response.destroyed) {
    response.end();
    await chunks.return();
    return;
  }
  response.flushHeaders();
  if (dropBody) {
    request.resume(); // behind a body that is stuck nobody would notice that the caller leaves
  }
  response.setTimeout(idleMs, () => {
    if (response.writableNeedDrain) {
      cut(response);
    }
  });
  const source = Readable.from({ [Symbol.asyncIterator]: () => chunks });
  const ended = Promise.withResolvers<void>();
  source.once("error", (error) => {
    cut(response); // an answer that ends early must not look whole
    ended.reject(error);
  });
  response.once("close", () => {
    source.destroy();
    ended.resolve();
  });
  source.pipe(response);
  await ended.promise;
}

/** Answers whose Content-Length may tell the size of a body that is not sent. */
function hasNoBody(method: string | undefined, status: number): boolean {
  return method === "HEAD" || status === 204 || status === 304;
}

/** With a reset, so that even a caller who takes the end of the connection for the end of the answer notices. */
function cut(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null || socket instanceof TLSSocket) {
    response.destroy();
  } else {
    socket.resetAndDestroy();
  }
}

function limitUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (request.complete) {
      return;
    }
    const timer = setTimeout(() => request.socket.destroy(), lingerMs);
    request.once("close", () => clearTimeout(timer));
    request.resume(); // Node drops the rest by itself only where nobody has begun to read
  });
}
