import { Agent as HttpAgent, request as httpRequest } from "node:http";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { AgentOptions, RequestOptions } from "node:https";
import { isIP } from "node:net";
import { checkServerIdentity, createSecureContext } from "node:tls";
import { urlToHttpOptions } from "node:url";
import { ApiError, isJsonObject, systemClock } from "@rad/core";
import type { Clock, JsonObject } from "@rad/core";
import type { Connection } from "../config/connection.ts";
import type { ClientCertificate, Credentials } from "../config/credentials.ts";
import { whyRefused } from "../config/refused-credentials.ts";
import type { ApiAnswer, ApiCall, ApiClient, ApiConnection } from "./api-client.ts";
import { codeOf, connectionError, LimitExceeded, placeOf } from "./connection-error.ts";
import { statusError, subjectOf } from "./status-error.ts";
import { untilAborted } from "./until-aborted.ts";

export interface HttpApiClientOptions {
  readonly clock?: Clock;
  /** Connections for requests; streams and WebSockets have their own. */
  readonly maxSockets?: number;
  readonly connectTimeoutMs?: number;
}

/** An API server ends every request after a minute. */
const answerTimeoutMs = 70_000;
const connectTimeoutMs = 10_000;
const maxSockets = 32;
/** Requests come in bursts; a connection that is closed between two of them costs both sides a handshake. */
const maxFreeSockets = maxSockets;
const maxAnswerBytes = 128 << 20;
/** Throttled calls wait as long as the server says, but not for ever. */
const throttling = { maxWaits: 6, maxWaitMs: 30_000 };

export function createApiClient(connection: Connection, options: HttpApiClientOptions = {}): ApiClient {
  return new HttpApiClient(connection, options);
}

/** Connections made with one client certificate. */
interface Agents {
  readonly certificate: ClientCertificate | undefined;
  readonly requests: HttpAgent;
  readonly streams: HttpAgent;
}

class HttpApiClient implements ApiClient {
  readonly description: string;
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #options: HttpApiClientOptions;
  readonly #isPlain: boolean;
  readonly #address: RequestOptions;
  /** Of the address; the paths of calls are below it. */
  readonly #basePath: string;
  /** The last ones are in use. Earlier ones end with the requests that still use them. */
  readonly #agents: Agents[] = [];
  #isDisposed = false;

  constructor(connection: Connection, options: HttpApiClientOptions) {
    this.description = connection.description;
    this.#connection = connection;
    this.#clock = options.clock ?? systemClock;
    this.#options = options;
    this.#isPlain = connection.server.protocol === "http:";
    this.#address = urlToHttpOptions(connection.server);
    this.#basePath = connection.server.pathname.replace(/\/$/, "");
  }

  async request(call: ApiCall): Promise<JsonObject> {
    return (await this.exchange(call)).body;
  }

  async exchange(call: ApiCall): Promise<ApiAnswer> {
    const { response, done } = await this.#carryOut(call, "requests");
    try {
      const body = parseJson(await readAll(response));
      if (!isJsonObject(body)) {
        const problem = `${placeOf(this.#connection)} did not answer as an API server does. Check the address.`;
        throw new ApiError("BadRequest", `${subjectOf(call)}: ${problem}`);
      }
      const date = new Date(response.headers.date ?? Number.NaN);
      return { status: response.statusCode ?? 0, date: Number.isNaN(date.getTime()) ? this.#clock.now() : date, body };
    } catch (error) {
      throw this.#explain(error, call);
    } finally {
      done();
    }
  }

  async stream(call: ApiCall): Promise<AsyncIterable<Uint8Array>> {
    const { response, done } = await this.#carryOut(call, "streams");
    done(); // what comes now may take as long as it likes
    return this.#chunks(response, call);
  }

  async connection({ signal }: { readonly signal: AbortSignal }): Promise<ApiConnection> {
    const credentials = await untilAborted(this.#connection.credentials.get(), signal);
    return {
      url: this.#connection.server.href.replace(/\/$/, ""),
      headers: credentials.headers,
      agent: this.#agentsFor(credentials).streams,
    };
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const { requests, streams } of this.#agents) {
      requests.destroy();
      streams.destroy();
    }
  }

  async *#chunks(response: IncomingMessage, call: ApiCall): AsyncIterable<Uint8Array> {
    try {
      yield* response as AsyncIterable<Buffer>;
    } catch (error) {
      throw this.#explain(error, call);
    } finally {
      response.destroy();
    }
  }

  /** Sends a call until it is answered well, is refused, or need not be tried again. */
  async #carryOut(call: ApiCall, use: "requests" | "streams"): Promise<Sent> {
    let hasRenewed = false;
    let hasResent = false;
    let waits = 0;
    for (;;) {
      const credentials = await untilAborted(this.#connection.credentials.get(), call.signal);
      const outcome = await this.#attempt(call, credentials, use);
      if (outcome instanceof Error) {
        // The server may close a connection just when it is used again.
        if (outcome instanceof StaleConnection && !hasResent && call.method !== "POST") {
          hasResent = true;
          continue;
        }
        throw this.#explain(outcome, call);
      }
      const status = outcome.response.statusCode ?? 0;
      if (status >= 200 && status < 300) {
        return outcome;
      }
      const body = await refusalOf(outcome);
      if (status === 401) {
        if (!hasRenewed && (await untilAborted(this.#connection.credentials.renew(credentials), call.signal))) {
          hasRenewed = true;
          continue;
        }
        throw this.#refused(call, credentials);
      }
      if (status === 429 && waits < throttling.maxWaits) {
        waits += 1;
        await this.#waitFor(outcome.response, call.signal);
        continue;
      }
      throw statusError({ call, status, body, cluster: this.description });
    }
  }

  async #attempt(call: ApiCall, credentials: Credentials, use: "requests" | "streams"): Promise<Sent | Error> {
    call.signal.throwIfAborted();
    if (this.#isDisposed) {
      throw new ApiError("ServiceUnavailable", `${this.description} is no longer in use: the server stops.`, {
        transient: true,
      });
    }
    try {
      const agent = this.#agentsFor(credentials)[use];
      return await this.#send(call, credentials.headers, agent);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Resolves with the beginning of the answer. */
  async #send(call: ApiCall, login: Credentials["headers"], agent: HttpAgent): Promise<Sent> {
    const query = call.query === undefined ? "" : `?${new URLSearchParams(call.query).toString()}`;
    const path = `${this.#basePath}${call.path}${query}`;
    // A string goes out in one write with the headers, a buffer in one of its own.
    const body = call.bodyText ?? (call.body && JSON.stringify(call.body));
    const headers: OutgoingHttpHeaders = { ...login, accept: "application/json", "user-agent": "radius-ts" };
    if (body !== undefined) {
      headers["content-type"] = call.contentType ?? "application/json";
      headers["content-length"] = Buffer.byteLength(body);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Sent>();
    const request = (this.#isPlain ? httpRequest : httpsRequest)({
      ...this.#address,
      path,
      agent,
      method: call.method,
      headers,
    });
    const timeoutMs = call.timeoutMs ?? answerTimeoutMs;
    const timer = setTimeout(() => {
      request.destroy(new LimitExceeded(`did not answer within ${timeoutMs / 1000} s`));
    }, timeoutMs);
    const giveUp = (): void => void request.destroy(call.signal.reason as Error);
    call.signal.addEventListener("abort", giveUp, { once: true });
    const done = (): void => clearTimeout(timer);
    request.once("close", () => {
      done();
      call.signal.removeEventListener("abort", giveUp);
    });
    this.#limitConnecting(request);
    request.once("error", (error) => {
      const isStale = request.reusedSocket && ["ECONNRESET", "EPIPE"].includes(codeOf(error) ?? "");
      reject(isStale ? new StaleConnection(error) : error);
    });
    request.once("response", (response) => resolve({ response, done }));
    request.end(body);
    return await promise;
  }

  #limitConnecting(request: ReturnType<typeof httpRequest>): void {
    const limitMs = this.#options.connectTimeoutMs ?? connectTimeoutMs;
    request.once("socket", (socket) => {
      if (!socket.connecting) {
        return;
      }
      const timer = setTimeout(() => {
        request.destroy(new LimitExceeded(`cannot be reached within ${limitMs / 1000} s`));
      }, limitMs);
      const stop = (): void => clearTimeout(timer);
      socket.once(this.#isPlain ? "connect" : "secureConnect", stop);
      request.once("close", stop);
    });
  }

  #agentsFor({ certificate }: Credentials): Agents {
    const last = this.#agents.at(-1);
    if (last !== undefined && sameCertificate(last.certificate, certificate)) {
      return last;
    }
    const retired = this.#agents.splice(0);
    for (const { requests, streams } of retired) {
      retire(requests);
      retire(streams);
    }
    const agents = {
      certificate,
      requests: this.#createAgent(certificate, this.#options.maxSockets ?? maxSockets),
      streams: this.#createAgent(certificate, Infinity),
    };
    this.#agents.push(...retired.filter(isUsed), agents);
    return agents;
  }

  #createAgent(certificate: ClientCertificate | undefined, maxSockets: number): HttpAgent {
    const { ca, serverName, isInsecure, proxies } = this.#connection;
    const options = { keepAlive: true, maxSockets, maxFreeSockets, proxyEnv: proxies };
    if (this.#isPlain) {
      return new HttpAgent(options);
    }
    return new HttpsAgent({
      ...options,
      // Certificates among the options would be parsed for each connection, and hashed as part of a key for each request.
      secureContext: createSecureContext({ ...(ca === undefined ? {} : { ca }), ...certificate }),
      ...(serverName === undefined ? {} : checkedAs(serverName)),
      rejectUnauthorized: !isInsecure,
    });
  }

  async #waitFor(response: IncomingMessage, signal: AbortSignal): Promise<void> {
    const seconds = Number(response.headers["retry-after"] ?? 1);
    const waitMs = Math.min(Number.isFinite(seconds) ? seconds * 1000 : 1000, throttling.maxWaitMs);
    // Those who were throttled together should not come back together.
    await this.#clock.sleep(waitMs * (1 + Math.random() / 4), signal);
  }

  #refused(call: ApiCall, credentials: Credentials): ApiError {
    const { description, renewal } = this.#connection.credentials;
    const why = whyRefused(credentials, this.#clock.now());
    const texts = [`${subjectOf(call)}: ${this.description} does not accept the credentials of ${description}.`, why];
    return new ApiError(
      "InvalidAuthenticationInfo",
      [...texts, renewal === "" ? "Log in again, or renew them there." : renewal].filter(Boolean).join(" "),
      // Callers of ours who saw a 401 would take their own credentials for wrong.
      { status: 502 },
    );
  }

  #explain(error: unknown, call: ApiCall): unknown {
    if (error instanceof ApiError || call.signal.aborted) {
      return call.signal.aborted ? (call.signal.reason as unknown) : error;
    }
    return connectionError(error instanceof StaleConnection ? error.cause : error, this.#connection, subjectOf(call));
  }
}

interface Sent {
  readonly response: IncomingMessage;
  /** Ends the time limit. */
  readonly done: () => void;
}

class StaleConnection extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

async function refusalOf({ response, done }: Sent): Promise<unknown> {
  try {
    return parseJson(await readAll(response));
  } catch {
    return undefined; // the status is known all the same
  } finally {
    done();
  }
}

/** By events: for the small answers that most are, an iterator over the chunks takes longer than to parse them. */
async function readAll(response: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) {
      response.destroy(new LimitExceeded(`answered with more than ${maxAnswerBytes >> 20} MiB`));
    }
    chunks.push(chunk);
  });
  response.once("error", reject);
  response.once("end", () => resolve(Buffer.concat(chunks).toString()));
  response.once("close", () => reject(new Error("The answer ended early."))); // unless it has ended or failed before
  return await promise;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sameCertificate(one: ClientCertificate | undefined, other: ClientCertificate | undefined): boolean {
  return one === other || (one?.cert === other?.cert && one?.key === other?.key);
}

/** An address cannot be sent as the name of a server, but a certificate can be for one. */
function checkedAs(serverName: string): Pick<AgentOptions, "servername" | "checkServerIdentity"> {
  return {
    servername: isIP(serverName) === 0 ? serverName : "",
    checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
  };
}

/** Closes idle connections at once, and the others when they become idle. */
function retire(agent: HttpAgent): void {
  agent.maxFreeSockets = 0;
  for (const socket of Object.values(agent.freeSockets).flat()) {
    socket?.destroy();
  }
}

function isUsed({ requests, streams }: Agents): boolean {
  return [requests, streams].some((agent) => Object.values(agent.sockets).flat().length > 0);
}
