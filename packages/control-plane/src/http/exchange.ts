import { type JsonValue, type Redactor, ResourceId, type Tracing } from "@rad/core";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { TLSSocket } from "node:tls";
import type { SystemData } from "@rad/resources";
import { anonymousCaller, type Caller } from "@rad/resources/requests";
import { readSystemDataHeader } from "../identity/index.ts";
import type { ApiRequest } from "../api/api-request.ts";
import { type BytesRequest, endToEndHeaders, type RequestBytes } from "@rad/modules";
import { preferredWait } from "./preferred-wait.ts";
import { type CallerView, callerView, type RequestUrl } from "./request-url.ts";

export interface ExchangeDeps {
  readonly tracing: Tracing;
  readonly redactor: Redactor;
  readonly limits: { readonly requestTimeoutSeconds: number };
}

const nowhere = ResourceId.parse("/");

const noRest: readonly string[] = [];
const noBytes: RequestBytes = {
  whole: async () => new Uint8Array(),
  async *[Symbol.asyncIterator]() {},
};

/** A single parameter that is written as it is read. */
const plainParameter = /^[\w.-]+=[\w.-]*$/;

/** Who calls, and what is about this server alone: not to be passed on. */
const ownHeaders = /^(?:authorization|cookie|host|expect|forwarded|x-forwarded-.*|x-remote-.*)$/;

/** One request on its way through the server. Made for each of them, so it works out only what somebody asks for. */
export class Exchange implements ApiRequest, BytesRequest, Disposable {
  caller: Caller = anonymousCaller;
  /** What was asked for, as far as it is known; for the audit and the metrics. */
  permission = "";
  target = "";
  routeClass = "other";
  /** How long the caller wanted to wait, and did. */
  waitedMs = 0;
  /** What was sent, once it has been read. */
  body: JsonValue | undefined;
  bytes = noBytes;
  rest: readonly string[] = noRest;
  readonly url: RequestUrl;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #deps: ExchangeDeps;
  #address = nowhere;
  #view: CallerView | undefined;
  #query: URLSearchParams | undefined;
  #requestId: string | undefined;
  #hidden: DisposableStack | undefined;
  #headers: Readonly<Record<string, string>> | undefined;
  #abort: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timeout: DOMException | undefined;
  #isAnswered = false;

  constructor(request: IncomingMessage, response: ServerResponse, url: RequestUrl, deps: ExchangeDeps) {
    this.#request = request;
    this.#response = response;
    this.url = url;
    this.#deps = deps;
  }

  /** What the URL turned out to name. */
  addressTo(id: ResourceId): void {
    this.#address = id;
  }

  /** Whether whoever answers may read the body, perhaps while they answer. */
  get hasBytes(): boolean {
    return this.bytes !== noBytes;
  }

  get method(): string {
    return this.#request.method ?? "";
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

  get query(): string {
    return this.url.queryText;
  }

  get headers(): Readonly<Record<string, string>> {
    this.#headers ??= Object.fromEntries(
      Object.entries(endToEndHeaders(this.#request.headers)).flatMap(([name, value]) =>
        ownHeaders.test(name) ? [] : [[name, String(value)]],
      ),
    );
    return this.#headers;
  }

  get authorization(): string | undefined {
    return this.header("authorization");
  }

  get apiVersion(): string | undefined {
    return this.parameter("api-version");
  }

  /** Of this request alone. */
  get requestId(): string {
    this.#requestId ??= randomUUID();
    return this.#requestId;
  }

  /** The caller's own, for all requests that belong together. */
  get correlationId(): string {
    const given = this.header("x-ms-correlation-request-id");
    return given === undefined || given === "" ? this.requestId : given;
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
    // Most queries are an api-version and nothing else.
    if (text.startsWith(name) && plainParameter.test(text)) {
      return text[name.length] === "=" ? text.slice(name.length + 1) : undefined;
    }
    this.#query ??= new URLSearchParams(text);
    return this.#query.get(name) ?? undefined;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
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
    return onHangUp(this.#response, new AbortController());
  }

  hangUp(): void {
    this.#response.destroy();
  }

  signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController();
      this.#abort = abort;
      onHangUp(this.#response, abort);
      if (!this.#isAnswered) {
        this.#timer = setTimeout(() => {
          this.#timeout = new DOMException("The request took too long to answer.", "TimeoutError");
          abort.abort(this.#timeout);
        }, this.#deps.limits.requestTimeoutSeconds * 1_000);
      }
    }
    return this.#abort.signal;
  }

  /** Starts the time again that is left for the answer. */
  reportProgress(): void {
    this.#timer?.refresh();
  }

  /** Whether work failed with `error` because `signal` told it that the request takes too long. */
  isTimeout(error: unknown): boolean {
    return this.#timeout !== undefined && error === this.#timeout;
  }

  /** There is an answer: from here on `signal` aborts only when the caller disconnects. */
  stopTimer(): void {
    this.#isAnswered = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  [Symbol.dispose](): void {
    this.#hidden?.dispose();
  }

  #asCallerSees(): CallerView {
    this.#view ??= callerView(this.#address, {
      referer: this.header("referer"),
      host: this.header("host") ?? "",
      forwardedProto: this.header("x-forwarded-proto"),
      encrypted: this.#request.socket instanceof TLSSocket,
      basePath: this.url.basePath,
    });
    return this.#view;
  }
}

/** Aborts when the connection ends before the answer; the request's own events end with its body. */
function onHangUp(response: ServerResponse, abort: AbortController): AbortSignal {
  if (response.destroyed) {
    abort.abort();
  }
  response.once("close", () => {
    if (!response.writableFinished) {
      abort.abort();
    }
  });
  return abort.signal;
}
