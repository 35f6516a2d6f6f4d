import { ApiError, mainThread, objectMember } from "@rad/core";
import type { Answer, NeededPermission, RequestBytes } from "@rad/modules";
import { isOnRecord, notFound } from "@rad/resources/requests";
import type { AuditRecord } from "@rad/store";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { missingRefusals } from "../audit/refusal-log.ts";
import { authRequestOf } from "../identity/index.ts";
import { databaseAway, errorAnswer, MethodNotAllowedError, toApiError } from "./error-answer.ts";
import { Exchange } from "./exchange.ts";
import type { Backend, HttpServerOptions } from "./http-server.ts";
import { matchPlaneCode, type PlaneCodeMatch } from "./match-plane-code.ts";
import { pathRest } from "./path-rest.ts";
import { mayHaveBody, requestBytes, withJsonBody } from "./request-body.ts";
import { readUrl, unreadableUrl } from "./request-url.ts";
import type { RouteLookup } from "./route-table.ts";
import { idHeaders, sendAnswer } from "./send-answer.ts";
import { TurnEnd } from "./turn-end.ts";

/** A request on its way, with what only this file may see of it: code that answers gets the exchange. */
interface Call {
  readonly exchange: Exchange;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** More than any id that is stored here has. */
const longestRecorded = 1_024;

/** The path of every request: read the URL, learn who calls, answer, account for it. */
export class HttpExchanges {
  readonly #options: HttpServerOptions;
  readonly #idleMs: number;
  readonly #turnEnd = new TurnEnd();
  #closing = false;
  #underWay = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#idleMs = options.limits.requestTimeoutSeconds * 1_000;
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

  /** Resolves when the answer is on its way; in the case of a stream, when that has ended. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#underWay += 1;
    mainThread.noteRequest();
    try {
      await this.#answer(request, response);
    } catch (error) {
      this.#options.log.error("a request could not be answered", { error, method: request.method });
      response.destroy();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) {
        this.#idle?.resolve();
      }
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    let exchange: Exchange | undefined;
    let answer: Answer;
    try {
      const url = readUrl(request.url ?? "/", this.#options.basePaths);
      exchange = new Exchange(request, response, url, this.#options);
      answer = await this.#traced({ exchange, request, response });
    } catch (error) {
      exchange ??= new Exchange(request, response, unreadableUrl(request.url ?? "/"), this.#options);
      answer = await this.#refuse(error, request, exchange);
    }
    exchange.stopTimer();
    const durationMs = performance.now() - startedAt - exchange.waitedMs;
    const turnEnd = this.#turnEnd.before(request.socket);
    if (turnEnd !== undefined) {
      await turnEnd;
    }
    try {
      const sending = this.#send(request, response, answer, exchange);
      this.#account(exchange, answer, durationMs); // while the answer is on its way
      if (sending !== undefined) {
        await sending; // a turn of the event loop that other answers need not wait for
      }
    } catch (error) {
      this.#abandon(error, exchange, response);
    } finally {
      exchange[Symbol.dispose]();
    }
  }

  /** As `sendAnswer`, and never throws by itself. */
  #send(
    request: IncomingMessage,
    response: ServerResponse,
    answer: Answer,
    exchange: Exchange,
  ): Promise<void> | undefined {
    const dropBody = !exchange.hasBytes;
    try {
      return sendAnswer(request, response, answer, {
        idleMs: this.#idleMs,
        close: this.#closing,
        dropBody,
        ids: exchange,
      });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** An answer that cannot be sent, or that ended early. */
  #abandon(error: unknown, exchange: Exchange, response: ServerResponse): void {
    const { method, path, correlationId, requestId } = exchange;
    const fields = { error, method, path, correlationId, requestId };
    this.#options.log.error("the answer could not be sent whole", fields);
    if (!response.headersSent) {
      const { status, json = "" } = errorAnswer(new ApiError("Internal", "The request failed unexpectedly."));
      const length = Buffer.byteLength(json); // Node remembers the one of an answer whose other headers it refused
      response
        .writeHead(status, {
          ...idHeaders(exchange),
          "content-type": "application/json",
          "content-length": length,
          connection: "close",
        })
        .end(json);
    }
  }

  #traced(call: Call): Promise<Answer> {
    const { tracing } = this.#options;
    if (!tracing.enabled) {
      return this.#dispatch(call);
    }
    const { exchange } = call;
    const { method } = exchange;
    const options = { name: `HTTP ${method}`, kind: "server", traceparent: exchange.header("traceparent") } as const;
    return tracing.withSpan(options, async (span) => {
      const answer = await this.#dispatch(call);
      span.setAttributes({
        "http.request.method": method,
        "http.route": exchange.routeClass,
        "http.response.status_code": answer.status,
        "radius.target": exchange.target,
      });
      return answer;
    });
  }

  async #dispatch(call: Call): Promise<Answer> {
    const { exchange } = call;
    requireKnownExpectation(exchange);
    const path = trimSlash(exchange.url.path);
    const isPlane = path === "/planes" || path.startsWith("/planes/");
    let backend = this.#options.backend();
    if (backend instanceof Promise) {
      const own = isPlane ? undefined : this.#options.routes.find(exchange.method, path.toLowerCase());
      if (own?.kind === "found") {
        return await this.#route(call, own);
      }
      backend = await backend;
    }
    const routes = backend?.routes ?? this.#options.routes;
    const found = isPlane ? undefined : routes.find(exchange.method, path.toLowerCase());
    if (found !== undefined) {
      return await this.#route(call, found);
    }
    if (backend === undefined) {
      await this.#authenticate(call);
      throw databaseAway();
    }
    const code = isPlane ? matchPlaneCode(exchange.method, exchange.url, backend.planes) : undefined;
    if (code !== undefined) {
      return await this.#planeCode(call, code, backend);
    }
    const match = backend.planeRoutes.match(exchange.method, path === "" ? "/" : path);
    exchange.addressTo(match.id);
    exchange.permission = match.permission;
    exchange.target = match.scope;
    exchange.routeClass = match.route.kind;
    // Written out, as each promise on the way of a GET is felt.
    exchange.caller = await this.#options.authenticator.authenticate(authRequestOf(call.request));
    if (mayHaveBody(exchange.method)) {
      return await this.#withJson(call, () => backend.router.handle(match, exchange));
    }
    return backend.router.handle(match, exchange);
  }

  async #route(call: Call, found: RouteLookup): Promise<Answer> {
    const { exchange } = call;
    exchange.routeClass = (found.kind === "found" ? found.route.path : found.path) || "/";
    exchange.target = exchange.path;
    if (found.kind === "otherMethod") {
      throw new MethodNotAllowedError(exchange.method, exchange.path, found.allow);
    }
    const { route, depth } = found;
    const { permission } = route;
    if (depth !== undefined) {
      exchange.rest = pathRest(exchange.url.rawPath, depth);
    }
    if (typeof permission === "string") {
      exchange.permission = permission;
      await this.#authenticate(call);
      this.#authorize(exchange, { permission, scope: "/" });
    } else if (permission !== undefined) {
      await this.#authenticate(call);
      this.#authorizeAt(exchange, await permission(exchange));
    }
    if (route.body === "bytes") {
      exchange.bytes = this.#bytes(call, route.maxBytes);
      return await route.handle(exchange);
    }
    if (route.body === "json") {
      return await this.#withJson(call, async () => await route.handle(exchange));
    }
    return await route.handle(exchange);
  }

  async #planeCode(call: Call, match: PlaneCodeMatch, { store }: Backend): Promise<Answer> {
    const { exchange } = call;
    const { code, id } = match;
    exchange.routeClass = match.routeClass;
    exchange.rest = match.rest;
    exchange.permission = match.needed.permission;
    exchange.target = match.needed.scope;
    await this.#authenticate(call);
    this.#authorizeAt(exchange, (await code.permission?.(exchange)) ?? match.needed);
    const document = await store.get(id.toString());
    if (document === undefined) {
      throw notFound(id);
    }
    exchange.bytes = this.#bytes(call, code.maxBytes);
    return await code.serve(exchange, { id, properties: objectMember(document.body, "properties") });
  }

  async #authenticate({ exchange, request }: Call): Promise<void> {
    exchange.caller = await this.#options.authenticator.authenticate(authRequestOf(request));
  }

  #authorizeAt(exchange: Exchange, needed: NeededPermission): void {
    exchange.permission = needed.permission;
    exchange.target = needed.scope;
    this.#authorize(exchange, needed);
  }

  #authorize({ caller }: Exchange, { permission, scope }: NeededPermission): void {
    if (!this.#options.authorizer.allows(caller, permission, scope)) {
      throw new ApiError("Forbidden", `'${caller.subject}' needs ${permission} at '${scope}'.`);
    }
  }

  #withJson({ exchange, request, response }: Call, answer: () => Promise<Answer>): Promise<Answer> {
    return withJsonBody(request, response, this.#options.limits, (body) => {
      exchange.body = body;
      return answer();
    });
  }

  #bytes({ exchange, request, response }: Call, maxBytes: number): RequestBytes {
    const onProgress = (): void => exchange.reportProgress();
    return requestBytes(request, response, { maxBytes, idleMs: this.#idleMs, onProgress });
  }

  async #refuse(error: unknown, { socket }: IncomingMessage, exchange: Exchange): Promise<Answer> {
    const { log, clock } = this.#options;
    const { correlationId, requestId } = exchange;
    const failure = exchange.isTimeout(error)
      ? new ApiError("RequestTimeout", "The request took too long to answer.", { cause: error })
      : toApiError(error, log.child({ method: exchange.method, path: exchange.path, correlationId, requestId }));
    const isRead = exchange.method === "GET" || exchange.method === "HEAD";
    const isAccess = failure.status === 401 || failure.status === 403;
    if ((isAccess || !isRead) && !isOnRecord(error)) {
      await this.#record(socket, {
        phase: "refusal",
        time: clock.now(),
        caller: exchange.caller.subject,
        action: clip(exchange.permission === "" ? exchange.method : exchange.permission),
        target: clip(exchange.target === "" ? exchange.url.path : exchange.target),
        apiVersion: clip(exchange.apiVersion ?? ""),
        correlationId: clip(correlationId),
        status: failure.status,
        result: failure.code,
      });
    }
    return errorAnswer(failure, this.#options.redactor);
  }

  /** A connection that sends requests without waiting for answers waits here, so that memory holds few of them. */
  async #record(connection: Socket, record: AuditRecord): Promise<void> {
    const { log, instruments } = this.#options;
    const backend = this.#options.backend();
    const refusals = (backend instanceof Promise ? await backend : backend)?.refusals;
    if (refusals === undefined) {
      log.error(missingRefusals, { count: 1 });
      instruments.recordLostRefusals(1);
      return;
    }
    if (!refusals.isCrowded) {
      await refusals.add(record);
      return;
    }
    connection.pause();
    await refusals.add(record);
    connection.resume();
  }

  #account(exchange: Exchange, answer: Answer, durationMs: number): void {
    const { log, instruments } = this.#options;
    const { method } = exchange;
    instruments.recordRequest({
      method,
      route: exchange.routeClass,
      status: answer.status,
      durationMs,
    });
    if (method !== "GET" && method !== "HEAD") {
      log.info("request", {
        method,
        target: exchange.target,
        status: answer.status,
        caller: exchange.caller.subject,
        correlationId: exchange.correlationId,
        requestId: exchange.requestId,
        durationMs: Math.round(durationMs * 10) / 10,
      });
    }
  }
}

function requireKnownExpectation(exchange: Exchange): void {
  const expected = exchange.header("expect");
  if (expected !== undefined && expected.toLowerCase() !== "100-continue") {
    throw new ApiError("BadRequest", "The server knows no other expectation than '100-continue'.", { status: 417 });
  }
}

/** Anybody can be refused, and what anybody sends must not fill the disk. */
function clip(text: string): string {
  const clipped = text.length <= longestRecorded ? text : `${text.slice(0, longestRecorded)}…`;
  return clipped.toWellFormed();
}

function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
