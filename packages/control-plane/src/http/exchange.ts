import { type JsonValue, type Redactor, ResourceId, type Tracing } from "@rad/core";
import type { FastifyRequest } from "fastify";
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { TLSSocket } from "node:tls";
import { anonymousCaller, type Caller, type SystemData } from "@rad/resources";
import { authRequestOf, readSystemDataHeader } from "../identity/index.ts";
import type { ApiRequest } from "../api/api-request.ts";
import type { PlainRequest } from "@rad/modules";
import { preferredWait } from "./preferred-wait.ts";
import { type CallerView, callerView, type RequestUrl } from "./request-url.ts";

export interface ExchangeDeps {
  readonly tracing: Tracing;
  readonly redactor: Redactor;
  readonly limits: { readonly requestTimeoutSeconds: number };
}

const nowhere = ResourceId.parse("/");

/** One request on its way through the server. Made for each of them, so it works out only what somebody asks for. */
export class Exchange implements ApiRequest, PlainRequest, Disposable {
  caller: Caller = anonymousCaller;
  /** What was asked for, as far as it is known; for the audit and the metrics. */
  permission = "";
  target = "";
  routeClass = "other";
  /** How long the caller wanted to wait, and did. */
  waitedMs = 0;
  readonly url: RequestUrl;
  readonly #request: FastifyRequest;
  readonly #response: ServerResponse;
  readonly #deps: ExchangeDeps;
  #address = nowhere;
  #view: CallerView | undefined;
  #query: URLSearchParams | undefined;
  #correlationId: string | undefined;
  #hidden: DisposableStack | undefined;
  #timeout: AbortSignal | undefined;

  constructor(request: FastifyRequest, response: ServerResponse, url: RequestUrl, deps: ExchangeDeps) {
    this.#request = request;
    this.#response = response;
    this.url = url;
    this.#deps = deps;
  }

  /** What the URL turned out to name. */
  addressTo(id: ResourceId): void {
    this.#address = id;
  }

  credentials(): ReturnType<typeof authRequestOf> {
    return authRequestOf(this.#request.raw);
  }

  get method(): string {
    return this.#request.method;
  }

  get path(): string {
    return this.url.path;
  }

  get id(): ResourceId {
    return this.header("referer") === undefined ? this.#address : this.#asCallerSees().id;
  }

  get linkBase(): string {
    return this.#asCallerSees().linkBase;
  }

  get body(): JsonValue | undefined {
    return this.#request.body as JsonValue | undefined;
  }

  get apiVersion(): string | undefined {
    return this.parameter("api-version");
  }

  get correlationId(): string {
    this.#correlationId ??= this.header("x-ms-correlation-request-id") ?? randomUUID();
    return this.#correlationId;
  }

  get traceparent(): string | undefined {
    return this.#deps.tracing.currentTraceparent() ?? this.header("traceparent");
  }

  get ifMatch(): string | undefined {
    return this.header("if-match");
  }

  get ifNoneMatch(): string | undefined {
    return this.header("if-none-match");
  }

  get systemData(): SystemData | undefined {
    return readSystemDataHeader(this.caller, this.header("x-ms-arm-resource-system-data"));
  }

  get waitSeconds(): number | undefined {
    return preferredWait(this.header("prefer"));
  }

  get accept(): string | undefined {
    return this.header("accept");
  }

  get lastEventId(): string | undefined {
    return this.header("last-event-id");
  }

  parameter(name: string): string | undefined {
    const text = this.url.queryText;
    if (!text.includes(name) && !text.includes("%")) {
      return undefined;
    }
    this.#query ??= new URLSearchParams(text);
    return this.#query.get(name) ?? undefined;
  }

  header(name: string): string | undefined {
    const value = this.#request.raw.headers[name];
    return typeof value === "string" ? value : undefined;
  }

  hide(values: Iterable<string>): void {
    this.#hidden ??= new DisposableStack();
    this.#hidden.use(this.#deps.redactor.add(values));
  }

  reportWait(ms: number): void {
    this.waitedMs += ms;
  }

  disconnected(): AbortSignal {
    return hangUpSignal(this.#response);
  }

  hangUp(): void {
    this.#response.destroy();
  }

  signal(): AbortSignal {
    this.#timeout ??= AbortSignal.timeout(this.#deps.limits.requestTimeoutSeconds * 1_000);
    return AbortSignal.any([this.disconnected(), this.#timeout]);
  }

  /** Whether work failed with `error` because `signal` told it that the request takes too long. */
  isTimeout(error: unknown): boolean {
    return this.#timeout?.aborted === true && error === this.#timeout.reason;
  }

  [Symbol.dispose](): void {
    this.#hidden?.dispose();
  }

  #asCallerSees(): CallerView {
    this.#view ??= callerView(this.#address, {
      referer: this.header("referer"),
      host: this.#request.host,
      forwardedProto: this.header("x-forwarded-proto"),
      encrypted: this.#request.raw.socket instanceof TLSSocket,
      basePath: this.url.basePath,
    });
    return this.#view;
  }
}

/** Aborts when the connection ends before the answer; the request's own events end with its body. */
function hangUpSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) {
    controller.abort();
  }
  response.once("close", () => {
    if (!response.writableFinished) {
      controller.abort();
    }
  });
  return controller.signal;
}
