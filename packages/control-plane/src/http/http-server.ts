import type { Clock, Logger, Redactor, Tracing } from "@rad/core";
import type { Store } from "@rad/store";
import { type ConnectionError, fastify, type FastifyInstance } from "fastify";
import type { RequestListener, Server } from "node:http";
import { once } from "node:events";
import type { Socket } from "node:net";
import { createServer as createSecureServer, type Server as SecureServer } from "node:https";
import type { Authenticator, Authorizer, TlsOptions } from "../identity/index.ts";
import type { ServerInstruments } from "../telemetry/index.ts";
import type { RefusalLog } from "../audit/refusal-log.ts";
import type { PlaneTable } from "../planes/plane-table.ts";
import type { ApiRouter } from "./api-router.ts";
import { answerBrokenRequest } from "./broken-request.ts";
import { HttpExchanges } from "./http-exchanges.ts";
import { createServer, METHODS } from "./node-http.ts";
import type { BodyLimits } from "./request-body.ts";
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
  readonly tls: TlsOptions | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly instruments: ServerInstruments;
  readonly tracing: Tracing;
}

/** Longer than the idle time of common load balancers, so that they close first. */
const keepAliveMs = 75_000;

/** Where the same requests are taken as well. */
export interface FurtherListener {
  readonly host: string;
  readonly port: number;
  readonly tls: ServerTls | undefined;
  /** Every other path is 404 there. */
  readonly onlyPath?: string;
}

/** How a listener of this server speaks TLS, besides what a front proxy needs. */
type ServerTls = Pick<TlsOptions, "minVersion"> & { readonly cert: Buffer | string; readonly key: Buffer | string };

export interface HttpServer {
  readonly app: FastifyInstance;
  /** Resolves once it listens. Ends with the server. */
  listenAt(listener: FurtherListener): Promise<Server>;
  /** Uses another certificate for new connections, wherever the API's is used. */
  replaceTls(tls: TlsOptions): void;
  /** Lets requests finish, on all listeners. */
  close(): Promise<void>;
  /** Ends every connection, whatever is under way. */
  cut(): void;
  /** Resolves when no request is being worked on. Those whose connection was cut are, for a moment longer. */
  settled(): Promise<void>;
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const exchanges = new HttpExchanges(options);
  const further: Server[] = [];
  /** Those with the API's certificate. */
  const certified: Server[] = [];
  let take: RequestListener | undefined;
  const app = fastify({
    serverFactory: (handler) => {
      take = handler;
      const server = createListener(options, options.tls, handler);
      certified.push(server);
      return server;
    },
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    // No route has a schema of the framework's: without this it loads two schema compilers, 25 ms at every start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
    frameworkErrors: (_, request, reply) => {
      void exchanges.answer(request, reply); // a path that is not properly encoded, which we find ourselves
    },
  });
  for (const method of METHODS) {
    // We read bodies ourselves, because the caller has to be let in first.
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  app.addHook("preClose", async () => {
    exchanges.sayGoodbye();
    further.forEach((server) => server.close());
  });
  app.all("/*", (request, reply) => exchanges.answer(request, reply));
  app.setNotFoundHandler((request, reply) => exchanges.answer(request, reply));

  async function listenAt({ host, port, tls, onlyPath }: FurtherListener): Promise<Server> {
    const handler = onlyPath === undefined ? take : takeOnly(onlyPath, take);
    const server = createListener(options, tls, handler as RequestListener);
    server.on("clientError", (error: ConnectionError, socket: Socket) => answerBrokenRequest(error, socket));
    server.listen(port, host);
    await once(server, "listening");
    further.push(server);
    if (tls === options.tls) {
      certified.push(server);
    }
    return server;
  }

  return {
    app,
    listenAt,
    replaceTls: (tls) => certified.forEach((server) => (server as SecureServer).setSecureContext(tls)),
    close: async () => {
      const ends = further.map((server) => once(server, "close"));
      await app.close();
      await Promise.all(ends);
    },
    cut: () => [app.server, ...further].forEach((server) => server.closeAllConnections()),
    settled: () => exchanges.settled(),
  };
}

function takeOnly(path: string, take: RequestListener | undefined): RequestListener {
  return (request, response) => {
    if (request.url?.split("?")[0] === path) {
      take?.(request, response);
    } else {
      response.writeHead(404, { connection: "close" }).end();
    }
  };
}

function noCompiler(): never {
  throw new Error("bodies and answers are checked and printed by our own code");
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
  const server =
    tls === undefined ? createServer(listener, handler) : createSecureServer({ ...listener, ...tls }, handler);
  server.on("checkContinue", handler); // who reads the body tells the caller to go on
  return server.on("checkExpectation", handler); // Node would refuse it by itself, and off the record
}
