import type { Clock, Logger, Redactor, Tracing } from "@rad/core";
import type { Store } from "@rad/store";
import { once } from "node:events";
import type { RequestListener, Server, ServerResponse } from "node:http";
import { createServer as createSecureServer, Server as SecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Authenticator, Authorizer, TlsOptions } from "../identity/index.ts";
import type { ServerInstruments } from "../telemetry/index.ts";
import type { RefusalLog } from "../audit/refusal-log.ts";
import type { PlaneTable } from "../planes/plane-table.ts";
import type { ApiRouter } from "./api-router.ts";
import { answerBrokenRequest } from "./broken-request.ts";
import { HttpExchanges } from "./http-exchanges.ts";
import { createServer } from "./node-http.ts";
import type { BodyLimits } from "./request-body.ts";
import type { RouteCache } from "./route-cache.ts";
import type { RouteTable } from "./route-table.ts";

interface HttpLimits extends BodyLimits {
  readonly maxHeaderBytes: number;
}

/** What needs the database. Absent while that cannot be reached, and the server says so meanwhile. */
export interface Backend {
  readonly store: Store;
  readonly router: ApiRouter;
  readonly refusals: RefusalLog;
  readonly planes: PlaneTable;
  /** What the paths below `/planes` mean. */
  readonly planeRoutes: RouteCache;
  /** URLs of the server and the modules. */
  readonly routes: RouteTable;
}

export interface HttpServerOptions {
  /** A promise while it is loaded, right after the start: requests that need it wait. */
  readonly backend: () => Backend | Promise<Backend | undefined> | undefined;
  readonly authenticator: Pick<Authenticator, "authenticate">;
  readonly authorizer: Authorizer;
  /** URLs that are there without the database. */
  readonly routes: RouteTable;
  readonly limits: HttpLimits;
  readonly basePaths: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly instruments: ServerInstruments;
  readonly tracing: Tracing;
}

/** Longer than the idle time of common load balancers, so that they close first. */
const keepAliveMs = 75_000;
/** How often a server that closes looks for connections whose last answer has been sent. */
const idleCheckMs = 20;

/** How a listener of this server speaks TLS, besides what a front proxy needs. */
export type ServerTls = Pick<TlsOptions, "minVersion"> & {
  readonly cert: Buffer | string;
  readonly key: Buffer | string;
};

export interface Listening {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly tls: ServerTls | undefined;
  /** Every other path is 404 there. */
  readonly onlyPath?: string;
}

export interface Listener {
  readonly url: string;
  /** Uses another certificate for new connections. */
  replaceTls(tls: ServerTls): void;
}

export interface HttpServer {
  /**
   * Takes requests there, beside those taken elsewhere, until `close`.
   * @throws whatever the system says, such as EADDRINUSE.
   */
  listen(where: Listening): Promise<Listener>;
  /** Takes no more requests. Resolves when those under way are answered and every connection is closed. */
  close(): Promise<void>;
  /** Cuts the connections, answered or not. */
  cut(): void;
  /** Resolves when no request is being worked on. Those whose connection was cut are, for a moment longer. */
  settled(): Promise<void>;
}

/** On bare `node:http`: a framework takes 35 ms of every start to load, and its part of every request. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const exchanges = new HttpExchanges(options);
  const listeners: Server[] = [];
  const connections = new Set<Socket>();
  const take: RequestListener = (request, response) => void exchanges.answer(request, response);
  return {
    listen: async ({ host, port, tls, onlyPath }) => {
      const listener = createListener(options, tls, onlyPath === undefined ? take : takeOnly(onlyPath, take));
      if (listener instanceof SecureServer) {
        followConnections(listener, connections);
      }
      listener.listen(port, host);
      await once(listener, "listening");
      listeners.push(listener);
      return {
        url: urlOf(listener.address() as AddressInfo, tls === undefined ? "http" : "https"),
        replaceTls: (next) => {
          if (listener instanceof SecureServer) {
            listener.setSecureContext(next);
          }
        },
      };
    },
    close: async () => {
      exchanges.sayGoodbye();
      await Promise.all(listeners.map(closeListener));
    },
    cut: () => {
      listeners.forEach((listener) => listener.closeAllConnections());
      connections.forEach((socket) => socket.destroy());
    },
    settled: () => exchanges.settled(),
  };
}

/** Below TLS. Node's `closeAllConnections` leaves out those that have not come to the end of their handshake. */
function followConnections(listener: SecureServer, connections: Set<Socket>): void {
  listener.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
}

function takeOnly(path: string, take: RequestListener): RequestListener {
  return (request, response) => {
    if (request.url?.split("?")[0] === path) {
      take(request, response);
    } else {
      response.writeHead(404, { connection: "close" }).end();
    }
  };
}

/** Node closes the connections that are idle at this moment; the others follow as soon as they are. */
async function closeListener(listener: Server): Promise<void> {
  const timer = setInterval(() => listener.closeIdleConnections(), idleCheckMs);
  try {
    await listener[Symbol.asyncDispose]();
  } finally {
    clearInterval(timer);
  }
}

/** Where this machine reaches the listener. */
function urlOf({ address, family, port }: AddressInfo, protocol: string): string {
  const own = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address;
  return `${protocol}://${family === "IPv6" ? `[${own}]` : own}:${port}`;
}

function createListener({ limits }: HttpServerOptions, tls: ServerTls | undefined, handler: RequestListener): Server {
  const timeoutMs = limits.requestTimeoutSeconds * 1_000;
  const listener = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: timeoutMs,
    requestTimeout: 0, // would cut long uploads; who reads a body limits the time for it
    // How often Node looks for requests that are late; by default only every 30 seconds.
    connectionsCheckingInterval: Math.min(timeoutMs / 2, 5_000),
    keepAliveTimeout: keepAliveMs,
    handshakeTimeout: timeoutMs, // of TLS; a connection that says nothing would hold up the end for two minutes
  };
  const latest = new WeakMap<Socket, ServerResponse>();
  const take: RequestListener = (request, response) => {
    latest.set(request.socket, response);
    handler(request, response);
  };
  const server = tls === undefined ? createServer(listener, take) : createSecureServer({ ...listener, ...tls }, take);
  server.on("clientError", (error, socket: Socket) => answerBrokenRequest(error, socket, latest.get(socket)));
  server.on("checkContinue", take); // who reads the body tells the caller to go on
  return server.on("checkExpectation", take); // Node would refuse it by itself, and off the record
}
