import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { ApiError, type Clock } from "@rad/core";
import type { RawData, WebSocket } from "ws";
import type { ApiClient } from "../api/api-client.ts";
import { untilAborted } from "../api/until-aborted.ts";

export interface TunnelOptions {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The protocol that every API server and kubelet takes: a byte for the channel, then its data. */
const protocol = "v4.channel.k8s.io";
const dataChannel = 0;
/** On each channel the port comes first. */
const portBytes = 2;
/**
 * This protocol cannot tell the pod that the client has sent everything. The pod usually closes after its answer; if it says
 * nothing for so long after the client's end, the client has gone.
 */
const silenceMs = 30_000;

/**
 * Carries one connection to a port of a pod, by a WebSocket of its own, until either side ends it. The socket is closed
 * afterwards.
 * @throws ApiError when the pod cannot be reached
 */
export async function tunnel(client: ApiClient, socket: Socket, options: TunnelOptions): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  // Without a listener, a connection that the client resets would end the process.
  socket.on("error", () => over.abort());
  socket.once("close", () => over.abort());
  let webSocket: WebSocket | undefined;
  try {
    webSocket = await createWebSocket(client, options, signal);
    // Before it is open, or the first bytes might come when nobody listens.
    const answer = receive(webSocket, socket, options);
    await untilOpen(webSocket, options, signal);
    const request = send(socket, webSocket, { ...options, signal, answered: answer.lastMs }).catch(() => answer.done);
    await untilAborted(Promise.race([answer.done, request]), signal);
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  } finally {
    webSocket?.terminate();
    await closeAfterLastBytes(socket, options.signal);
    over.abort();
  }
}

/** A client that does not read its answer keeps the connection until the signal aborts. */
async function closeAfterLastBytes(socket: Socket, signal: AbortSignal): Promise<void> {
  if (!socket.closed && !signal.aborted) {
    const closed = once(socket, "close");
    socket.destroySoon();
    await untilAborted(closed, signal).catch(() => undefined);
  }
  socket.destroy();
}

async function createWebSocket(client: ApiClient, options: TunnelOptions, signal: AbortSignal): Promise<WebSocket> {
  // Loaded when the first port is used.
  const [{ WebSocket: Connection }, { url, headers, agent }] = await Promise.all([
    import("ws"),
    client.connection({ signal }),
  ]);
  const path = `/api/v1/namespaces/${encodeURIComponent(options.namespace)}/pods/${encodeURIComponent(options.pod)}/portforward`;
  return new Connection(`${url.replace(/^http/, "ws")}${path}?ports=${options.port}`, [protocol], {
    headers: { ...headers },
    agent,
    perMessageDeflate: false,
    handshakeTimeout: 30_000,
  });
}

async function untilOpen(webSocket: WebSocket, options: TunnelOptions, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  webSocket.once("open", resolve);
  webSocket.once("unexpected-response", (_request, response: IncomingMessage) => {
    readRefusal(response).then((text) => reject(unreachable(options, text)), reject);
  });
  webSocket.on("error", (error) => reject(unreachable(options, error.message)));
  await untilAborted(promise, signal);
}

/** The API server refuses with a Status, a proxy with a page: its first part says enough. */
async function readRefusal(response: IncomingMessage): Promise<string> {
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response) {
    text += chunk;
    if (text.length > 4_096) {
      break;
    }
  }
  const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  return message === undefined ? `HTTP status ${response.statusCode}` : String(JSON.parse(`"${message}"`));
}

interface Answer {
  /** Resolves when the pod has closed the connection. Rejects with what the kubelet says about the port. */
  readonly done: Promise<void>;
  /** When the pod last said something. */
  readonly lastMs: () => number;
}

function receive(webSocket: WebSocket, socket: Socket, options: TunnelOptions): Answer {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const toSkip = [portBytes, portBytes];
  let lastMs = options.clock.monotonicMs();
  webSocket.on("message", (message: RawData) => {
    const bytes = bufferOf(message);
    const channel = bytes[0] ?? dataChannel;
    const skipped = Math.min(toSkip[channel] ?? 0, bytes.length - 1);
    toSkip[channel] = (toSkip[channel] ?? 0) - skipped;
    const data = bytes.subarray(1 + skipped);
    lastMs = options.clock.monotonicMs();
    if (data.length === 0) {
      return;
    }
    if (channel !== dataChannel) {
      reject(unreachable(options, data.toString("utf8").trim()));
    } else if (!socket.write(data)) {
      webSocket.pause();
      socket.once("drain", () => webSocket.resume());
    }
  });
  webSocket.once("close", () => resolve());
  promise.catch(() => undefined);
  return { done: promise, lastMs: () => lastMs };
}

/** Resolves when the client has sent everything and the pod has been silent for long since. */
async function send(
  socket: Socket,
  webSocket: WebSocket,
  { clock, signal, answered }: TunnelOptions & { readonly answered: () => number },
): Promise<void> {
  const head = Buffer.from([dataChannel]);
  // The iterator would destroy the socket at the client's end, before the answer.
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    webSocket.send(Buffer.concat([head, chunk]), (error) => (error ? reject(error) : resolve()));
    await promise;
  }
  let waitMs = silenceMs;
  while (waitMs > 0) {
    await clock.sleep(waitMs, signal);
    waitMs = silenceMs - (clock.monotonicMs() - answered());
  }
}

function bufferOf(message: RawData): Buffer {
  if (Buffer.isBuffer(message)) {
    return message;
  }
  return Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message);
}

function unreachable({ pod, port }: TunnelOptions, reason: string): ApiError {
  return new ApiError("ServiceUnavailable", `Port ${port} of pod '${pod}' cannot be reached: ${reason}`, {
    transient: true,
  });
}
