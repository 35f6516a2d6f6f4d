import type { Socket } from "node:net";
import { ApiError, type Clock, systemClock } from "@rad/core";
import type { ApiClient } from "../api/api-client.ts";
import { type LocalListener, listenLocally, listenPreferably } from "./local-listener.ts";
import { tunnel } from "./port-tunnel.ts";

export interface ForwardPortOptions {
  readonly namespace: string;
  readonly pod: string;
  /** 0 takes a free one. */
  readonly localPort: number;
  readonly remotePort: number;
  /** Takes another port when `localPort` is not free. */
  readonly orAnother?: boolean;
  /** Told when a connection cannot be carried to the pod. The port stays open for others. */
  readonly note?: (text: string) => void;
  /** Closes the port and all its connections. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

export interface PortForward extends AsyncDisposable {
  readonly localPort: number;
  /** New connections go to this pod. */
  pod: string;
}

/**
 * Carries connections to a port of localhost on to a port of a pod, each by itself, until it is disposed of or the signal
 * aborts.
 * @throws ApiError `Conflict` when the local port is taken
 */
export async function forwardPort(client: ApiClient, options: ForwardPortOptions): Promise<PortForward> {
  const { namespace, remotePort, note, clock = systemClock } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  signal.throwIfAborted();
  const connections = new Set<Promise<void>>();
  const forward = { pod: options.pod };
  const accept = (socket: Socket): void => {
    const connection = tunnel(client, socket, { namespace, pod: forward.pod, port: remotePort, clock, signal })
      .catch((error: unknown) => note?.(error instanceof Error ? error.message : String(error)))
      .finally(() => connections.delete(connection));
    connections.add(connection);
  };
  const listener = await listen(options, accept);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    stop.abort();
    // A listener is closed when its last connection is.
    closing ??= Promise.all([listener[Symbol.asyncDispose](), ...connections]).then(() => undefined);
    return closing;
  };
  signal.addEventListener("abort", () => void close(), { once: true });
  if (signal.aborted) {
    await close();
    throw signal.reason;
  }
  return Object.assign(forward, { localPort: listener.port, [Symbol.asyncDispose]: close });
}

async function listen(
  { localPort, orAnother = false }: ForwardPortOptions,
  accept: (socket: Socket) => void,
): Promise<LocalListener> {
  try {
    return await (orAnother ? listenPreferably : listenLocally)(localPort, accept);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError("Conflict", `Port ${localPort} of localhost cannot be used: ${reason}. Choose another one.`, {
      cause: error,
    });
  }
}
