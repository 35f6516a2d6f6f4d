import { ApiError, type Clock, type Logger, type Redactor, type Tracing } from "@rad/core";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { type Authenticator, type Authorizer, type TlsOptions } from "../identity/index.ts";
import type { ServerInstruments } from "../telemetry/index.ts";
import { type Answer, jsonAnswer, type PlainRoute } from "@rad/modules";
import type { ApiRouter } from "./api-router.ts";
import { errorAnswer, toApiError } from "./error-answer.ts";
import { Exchange } from "./exchange.ts";
import { parseJsonBody } from "../api/json-body.ts";
import type { RefusalLog } from "../audit/refusal-log.ts";
import { aggregatedBasePath, readUrl } from "./request-url.ts";
import { TurnEnd } from "./turn-end.ts";
import { matchRoute } from "./route.ts";

interface HttpLimits {
  readonly maxBodyBytes: number;
  readonly maxDepth: number;
  readonly maxHeaderBytes: number;
  readonly requestTimeoutSeconds: number;
}

/** What needs the database. Absent until it could be opened, and the server says so meanwhile. */
export interface Backend {
  readonly router: ApiRouter;
  readonly refusals: RefusalLog;
  /** URLs of the modules. */
  readonly routes: readonly PlainRoute[];
}

export interface HttpServerOptions {
  readonly backend: () => Backend | undefined;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly routes: readonly PlainRoute[];
  readonly limits: HttpLimits;
  readonly pathBase: string;
  readonly tls: TlsOptions | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly instruments: ServerInstruments;
  readonly tracing: Tracing;
}

/** Longer than the idle time of common load balancers, so that they close first. */
const keepAliveMs = 75_000;

/** More than any id that is stored here has. */
const longestRecorded = 1_024;

const discovery = {
  kind: "APIResourceList",
  apiVersion: "v1alpha3",
  groupVersion: "api.ucp.dev/v1alpha3",
  resources: [],
};
const emptyDocumentInfo = { title: "Radius APIService", version: "v1alpha3" };

export interface HttpServer {
  readonly app: FastifyInstance;
  /** Resolves when no request is being worked on. Those whose connection was cut are, for a moment longer. */
  settled(): Promise<void>;
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { limits } = options;
  const server = new HttpExchanges(options);
  const app = fastify({
    serverFactory: (handler) => createListener(options, handler),
    bodyLimit: limits.maxBodyBytes,
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
    frameworkErrors: (_, request, reply) => {
      void server.answer(request, reply, new ApiError("BadRequest", "The URL's path is not properly encoded."));
    },
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    /^application\/(?:[\w.+-]+\+)?json(?:;|$)/i,
    { parseAs: "string" },
    (_, body, done) => {
      try {
        done(null, parseJsonBody(body, limits.maxDepth));
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  );
  app.setErrorHandler((error, request, reply) => server.answer(request, reply, explainHangUp(error)));
  app.addHook("preClose", async () => server.sayGoodbye());
  app.setNotFoundHandler((request, reply) => server.answer(request, reply));
  app.all("/*", (request, reply) => server.answer(request, reply));
  return { app, settled: () => server.settled() };
}

function createListener({ tls, limits }: HttpServerOptions, handler: RequestListener): Server {
  const timeoutMs = limits.requestTimeoutSeconds * 1_000;
  const listener = {
    maxHeaderSize: limits.maxHeaderBytes,
    requestTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    // How often Node looks for requests that are late; by default only every 30 seconds.
    connectionsCheckingInterval: Math.min(timeoutMs / 2, 5_000),
    keepAliveTimeout: keepAliveMs,
  };
  return tls === undefined ? createServer(listener, handler) : createSecureServer({ ...listener, ...tls }, handler);
}

/** The path of every request: read the URL, learn who calls, answer, account for it. */
class HttpExchanges {
  readonly #options: HttpServerOptions;
  readonly #basePaths: readonly string[];
  readonly #plainRoutes: ReadonlyMap<string, PlainRoute>;
  readonly #turnEnd = new TurnEnd();
  #closing = false;
  #underWay = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#basePaths = [options.pathBase, aggregatedBasePath].filter((path) => path !== "");
    const routes = [...options.routes, ...discoveryRoutes()];
    this.#plainRoutes = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  }

  /** From now on each answer is the last on its connection, which would otherwise stay open and hold up the end. */
  sayGoodbye(): void {
    this.#closing = true;
  }

  async settled(): Promise<void> {
    if (this.#underWay > 0) {
      this.#idle ??= Promise.withResolvers();
      await this.#idle.promise;
    }
  }

  /** @param problem what the framework found wrong with the request: a body too large, not JSON, of another type. */
  async answer(request: FastifyRequest, reply: FastifyReply, problem?: unknown): Promise<FastifyReply> {
    this.#underWay += 1;
    try {
      return await this.#answer(request, reply, problem);
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) {
        this.#idle?.resolve();
      }
    }
  }

  async #answer(request: FastifyRequest, reply: FastifyReply, problem: unknown): Promise<FastifyReply> {
    const startedAt = performance.now();
    let exchange: Exchange | undefined;
    let answer: Answer;
    try {
      exchange = new Exchange(request, reply.raw, readUrl(request.raw.url ?? "/", this.#basePaths), this.#options);
      answer = await this.#traced(exchange, problem);
    } catch (error) {
      answer = this.#refuse(error, request, exchange);
    }
    this.#account(request, exchange, answer, performance.now() - startedAt - (exchange?.waitedMs ?? 0));
    await this.#turnEnd.reached();
    exchange?.[Symbol.dispose]();
    if (this.#closing) {
      reply.header("connection", "close");
    }
    return send(reply, answer, request.method === "HEAD");
  }

  #traced(exchange: Exchange, problem: unknown): Promise<Answer> {
    const { tracing } = this.#options;
    if (!tracing.enabled) {
      return this.#dispatch(exchange, problem);
    }
    const options = { name: `HTTP ${exchange.method}`, traceparent: exchange.header("traceparent") };
    return tracing.withSpan(options, async (span) => {
      const answer = await this.#dispatch(exchange, problem);
      span.setAttributes({
        "http.request.method": exchange.method,
        "http.route": exchange.routeClass,
        "http.response.status_code": answer.status,
        "radius.target": exchange.target,
      });
      return answer;
    });
  }

  async #dispatch(exchange: Exchange, problem: unknown): Promise<Answer> {
    const { url } = exchange;
    const path = trimSlash(url.path);
    const method = exchange.method === "HEAD" ? "GET" : exchange.method;
    const route = path.startsWith("/planes") ? undefined : this.#plainRoute(method, path.toLowerCase());
    if (route !== undefined && (route.path !== "" || url.basePath !== "")) {
      return await this.#plain(exchange, route, problem);
    }
    const match = matchRoute(exchange.method, path === "" ? "/" : path);
    exchange.addressTo(match.id);
    exchange.permission = match.permission;
    exchange.target = match.scope;
    exchange.routeClass = match.route.kind;
    exchange.caller = await this.#options.authenticator.authenticate(exchange.credentials());
    rethrow(problem);
    const backend = this.#options.backend();
    if (backend === undefined) {
      throw new ApiError("ServiceUnavailable", "The database cannot be reached; try again later.");
    }
    return await backend.router.handle(match, exchange);
  }

  /** Routes of modules count once these have started. */
  #plainRoute(method: string, path: string): PlainRoute | undefined {
    return (
      this.#plainRoutes.get(`${method} ${path}`) ??
      this.#options.backend()?.routes.find((route) => route.method === method && route.path === path)
    );
  }

  async #plain(exchange: Exchange, route: PlainRoute, problem: unknown): Promise<Answer> {
    exchange.routeClass = route.path;
    exchange.target = route.path;
    if (route.permission !== undefined) {
      exchange.permission = route.permission;
      exchange.caller = await this.#options.authenticator.authenticate(exchange.credentials());
      if (!this.#options.authorizer.allows(exchange.caller, route.permission, "/")) {
        throw new ApiError("Forbidden", `'${exchange.caller.subject}' needs ${route.permission} at '/'.`);
      }
    }
    rethrow(problem);
    return await route.handle(exchange);
  }

  #refuse(error: unknown, request: FastifyRequest, exchange: Exchange | undefined): Answer {
    const { log, clock } = this.#options;
    const failure =
      exchange?.isTimeout(error) === true
        ? new ApiError("RequestTimeout", "The request took too long to answer.", { cause: error })
        : toApiError(error, log.child({ method: request.method, path: exchange?.url.path }));
    const isRead = request.method === "GET" || request.method === "HEAD";
    const isAccess = failure.status === 401 || failure.status === 403;
    if (exchange !== undefined && (isAccess || !isRead)) {
      this.#options.backend()?.refusals.add({
        phase: "refusal",
        time: clock.now(),
        caller: exchange.caller.subject,
        action: clip(exchange.permission === "" ? request.method : exchange.permission),
        target: clip(exchange.target === "" ? exchange.url.path : exchange.target),
        apiVersion: clip(exchange.apiVersion ?? ""),
        correlationId: clip(exchange.correlationId),
        status: failure.status,
        result: failure.code,
      });
    }
    return errorAnswer(failure, this.#options.redactor);
  }

  #account(request: FastifyRequest, exchange: Exchange | undefined, answer: Answer, durationMs: number): void {
    const { log, instruments } = this.#options;
    instruments.recordRequest({
      method: request.method,
      route: exchange?.routeClass ?? "other",
      status: answer.status,
      durationMs,
    });
    if (request.method !== "GET" && request.method !== "HEAD") {
      log.info("request", {
        method: request.method,
        target: exchange?.target,
        status: answer.status,
        caller: exchange?.caller.subject,
        correlationId: exchange?.correlationId,
        durationMs: Math.round(durationMs * 10) / 10,
      });
    }
  }
}

/** What Kubernetes asks an aggregated API server before it sends it anything; open to all. */
function discoveryRoutes(): PlainRoute[] {
  const open = (path: string, body: object): PlainRoute => {
    const answer = jsonAnswer(200, body);
    return { method: "GET", path, permission: undefined, handle: () => answer };
  };
  return [
    open("", discovery),
    open("/openapi/v2", { swagger: "2.0", info: emptyDocumentInfo, paths: {} }),
    open("/openapi/v3", { openapi: "3.0.0", info: emptyDocumentInfo, paths: {} }),
  ];
}

function send(reply: FastifyReply, answer: Answer, headOnly: boolean): FastifyReply {
  reply.code(answer.status);
  if (answer.headers !== undefined) {
    reply.headers(answer.headers);
  }
  if (answer.json !== undefined) {
    // Of the answer to a HEAD, Node sends only what is known about the body.
    return reply.header("content-type", "application/json").serializer(asIs).send(answer.json);
  }
  if (typeof answer.body === "object" && !(answer.body instanceof Uint8Array)) {
    return headOnly ? reply.send() : reply.send(Readable.from(answer.body));
  }
  return reply.send(answer.body);
}

/**
 * With a serializer of its own the framework leaves the content type alone, and a string goes out in one piece with the
 * headers: as bytes it would take a second write, which cost a third of the time of a GET.
 */
const asIs = (text: unknown): string => text as string;

/** Our own code's failures do not come this way, so a broken connection is the caller's. */
function explainHangUp(error: unknown): unknown {
  const isHangUp = error instanceof Error && "code" in error && error.code === "ECONNRESET";
  return isHangUp
    ? new ApiError("InvalidRequestContent", "The connection ended before the request did.", { cause: error })
    : error;
}

/** Requests that never became one: headers that are too large, or that took too long to arrive. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, json } = errorAnswer(describeBrokenRequest(error.code));
  const head = `HTTP/1.1 ${status} -\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(json ?? "")}\r\n\r\n${json}`);
}

function describeBrokenRequest(code: string | undefined): ApiError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new ApiError("RequestHeaderFieldsTooLarge", "The request's headers are larger than this server accepts.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new ApiError("RequestTimeout", "The request did not arrive in time.");
    default:
      return new ApiError("BadRequest", "The request is not valid HTTP.");
  }
}

/** Told only to callers who were let in: strangers learn nothing but that they are. */
function rethrow(problem: unknown): void {
  if (problem !== undefined) {
    throw problem;
  }
}

/** Anybody can be refused, and what anybody sends must not fill the disk. */
function clip(text: string): string {
  return text.length <= longestRecorded ? text : `${text.slice(0, longestRecorded)}…`;
}

function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
