import type { JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core/json";
import { ClientError, errorFromWire } from "./client-error.ts";
import type { Sleep } from "./delay.ts";
import { retryAfterMs } from "./delay.ts";
import type { AnswerHeaders, HttpAnswer, HttpRequest } from "./http-request.ts";
import { readText, sendHttp } from "./http-request.ts";
import { readWarnings } from "./warnings.ts";

export type Method = "GET" | "PUT" | "PATCH" | "DELETE" | "POST";

interface WireRequest {
  readonly method: Method;
  readonly url: URL;
  readonly body?: JsonValue | undefined;
  /** The body as it is sent, in place of `body`. */
  readonly text?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** `undefined` for an empty body. */
  readonly body: JsonValue | undefined;
  /** What the control plane did, but advises against. */
  readonly warnings: readonly string[];
  /** 1 unless an earlier try got lost; then the server may have acted on that one already. */
  readonly attempts: number;
}

export interface TransportOptions {
  readonly endpoint: URL;
  readonly token: string | undefined;
  readonly ca: string | undefined;
  readonly onAnswer: ((request: WireRequest, status: number) => void) | undefined;
  readonly signal: AbortSignal | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestTimeoutMs: number;
  readonly sleep: Sleep;
  readonly random: () => number;
}

export type Send = (request: WireRequest) => Promise<WireResponse>;

/**
 * A request, a GET unless it says otherwise, whose answer is read as it arrives. Not repeated: half of it may be used
 * already. Rejects on 3xx, 4xx and 5xx.
 */
export type OpenStream = (
  request: Omit<WireRequest, "method"> & Partial<Pick<WireRequest, "method">>,
) => Promise<HttpAnswer>;

const maxAttempts = 4;
const firstBackoffMs = 100;
const longestBackoffMs = 10_000;

/** Doing these twice ends in the same state as doing them once, so a lost answer is no reason to give up. */
const repeatable: ReadonlySet<Method> = new Set(["GET", "PUT", "DELETE"]);
const transientStatus: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** A refused connection is not among them: nobody listens there, and saying so at once helps more. */
const transientNetworkCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

/** One HTTP exchange with the control plane, repeated within bounds where that is safe. Rejects on 3xx, 4xx and 5xx. */
export function createTransport(options: TransportOptions): Send {
  return async function send(request) {
    const signal = anySignal(options.signal, request.signal);
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      const mayRepeat = attempt < maxAttempts && repeatable.has(request.method);
      try {
        const response = await exchange(options, request, signal);
        if (mayRepeat && transientStatus.has(response.status)) {
          await options.sleep(backoffMs(options, attempt, response.headers), signal);
          continue;
        }
        return accepted(options, request, { ...response, attempts: attempt });
      } catch (error) {
        signal?.throwIfAborted();
        if (!mayRepeat || !isTransient(error)) {
          throw error;
        }
        await options.sleep(backoffMs(options, attempt), signal);
      }
    }
  };
}

async function exchange(
  options: TransportOptions,
  request: WireRequest,
  signal: AbortSignal | undefined,
): Promise<Omit<WireResponse, "attempts">> {
  return await inTime(options, signal, async (timeout) =>
    readResponse(await sendRequest(options, request, [signal, timeout])),
  );
}

/** @throws ClientError when the work fails or takes longer than a request may */
async function inTime<T>(
  options: TransportOptions,
  signal: AbortSignal | undefined,
  work: (timeout: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), options.requestTimeoutMs);
  try {
    return await work(timeout.signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.signal.aborted) {
      const seconds = options.requestTimeoutMs / 1000;
      throw new ClientError(
        "RequestTimeout",
        `The control plane at ${options.endpoint.origin} did not answer within ${seconds} seconds.`,
        { cause: error },
      );
    }
    throw await connectionFailed(options.endpoint, error);
  } finally {
    clearTimeout(timer);
  }
}

/** One exchange as it is: any status is an answer, nothing is repeated. The time-out is for the head of the answer. */
export function createExchange(options: TransportOptions): (request: WireRequest) => Promise<HttpAnswer> {
  return async function exchangeOnce(request) {
    const signal = anySignal(options.signal, request.signal);
    return await inTime(options, signal, (timeout) => sendRequest(options, request, [signal, timeout]));
  };
}

export function createOpenStream(options: TransportOptions): OpenStream {
  return async function open(request) {
    const signal = anySignal(options.signal, request.signal);
    const sent = { method: "GET", ...request } as const;
    let response: HttpAnswer;
    try {
      response = await sendRequest(options, sent, [signal]);
    } catch (error) {
      signal?.throwIfAborted();
      throw await connectionFailed(options.endpoint, error);
    }
    if (!isSuccess(response.status)) {
      accepted(options, sent, await toWireResponse(response));
    }
    return response;
  };
}

/** All of an answer that was not repeated. */
export async function toWireResponse(response: HttpAnswer): Promise<WireResponse> {
  return { ...(await readResponse(response)), attempts: 1 };
}

/** The body of a GET as it arrives, for answers that may be long. */
export async function* streamText(options: TransportOptions, url: URL): AsyncGenerator<string> {
  const response = await createOpenStream(options)({ url });
  try {
    const decoder = new TextDecoder();
    for await (const bytes of response.body) {
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    options.signal?.throwIfAborted();
    throw await connectionFailed(options.endpoint, error);
  }
}

async function readResponse(response: HttpAnswer): Promise<Omit<WireResponse, "attempts">> {
  const { status, headers } = response;
  return { status, headers, body: parseBody(await readText(response)), warnings: readWarnings(headers) };
}

async function sendRequest(
  options: TransportOptions,
  request: WireRequest,
  signals: HttpRequest["signals"],
): Promise<HttpAnswer> {
  const { method, url, body } = request;
  const text = request.text ?? (body === undefined ? undefined : JSON.stringify(body));
  const sent: HttpRequest = {
    method,
    url,
    headers: {
      accept: "application/json",
      ...(text === undefined ? {} : { "content-type": "application/json" }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers,
      ...request.headers,
    },
    body: text,
    ...(options.ca === undefined ? {} : { tls: { ca: options.ca } }),
    signals,
  };
  const answer = await sendHttp(sent);
  options.onAnswer?.(request, answer.status);
  return answer;
}

/** What is not JSON is kept as text, so that an error page can be told from an error object. */
function parseBody(text: string): JsonValue | undefined {
  if (text === "") {
    return undefined;
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

async function connectionFailed(endpoint: URL, error: unknown): Promise<ClientError> {
  if (error instanceof ClientError) {
    return error;
  }
  const code = networkCode(error);
  if (endpoint.protocol === "https:" && code !== undefined) {
    const { tlsFailure } = await import("./tls-failure.ts");
    const failure = tlsFailure(endpoint, code, error);
    if (failure !== undefined) {
      return failure;
    }
  }
  const reason = code === undefined ? "" : ` (${code})`;
  return new ClientError(
    "ConnectionFailed",
    `Could not reach the control plane at ${endpoint.origin}${reason}. Check that it is running and that the URL is right.`,
    { cause: error },
  );
}

function networkCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ("code" in current && typeof current.code === "string") {
      return current.code;
    }
  }
  return undefined;
}

function isTransient(error: unknown): boolean {
  const code = error instanceof ClientError && error.code === "ConnectionFailed" ? networkCode(error.cause) : undefined;
  return code !== undefined && transientNetworkCodes.has(code);
}

function backoffMs(options: TransportOptions, attempt: number, headers?: AnswerHeaders): number {
  const asked = headers === undefined ? undefined : retryAfterMs(headers.get("retry-after"));
  if (asked !== undefined) {
    return Math.min(asked, longestBackoffMs);
  }
  // Half of it at random, so that clients who failed together do not come back together.
  return firstBackoffMs * 2 ** (attempt - 1) * (0.5 + options.random() / 2);
}

function accepted(options: TransportOptions, request: WireRequest, response: WireResponse): WireResponse {
  const { status, body } = response;
  const isUnchanged = status === 304 && request.headers?.["if-none-match"] !== undefined;
  if (isSuccess(status) || isUnchanged) {
    return response;
  }
  const where = `${request.method} ${request.url.pathname}`;
  if (status >= 300 && status < 400) {
    throw new ClientError(
      "UnexpectedRedirect",
      `The control plane at ${options.endpoint.origin} answered ${where} with a redirect (${status}), which was not followed.`,
      { status },
    );
  }
  const known = errorFromWire(isJsonObject(body) ? body["error"] : undefined, status);
  throw (
    known ??
    new ClientError(
      "UnexpectedResponse",
      `${options.endpoint.origin} answered ${where} with ${status} and no error object. Is it a Radius control plane?`,
      { status },
    )
  );
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}
