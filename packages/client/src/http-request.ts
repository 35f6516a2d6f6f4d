import type { IncomingMessage, request } from "node:http";
import type { Readable } from "node:stream";
import { ClientError } from "./client-error.ts";

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly tls?: TlsTrust | undefined;
  /** Any of them ends the exchange, body included. */
  readonly signals: readonly (AbortSignal | undefined)[];
}

/** Whose certificates count, for https. By default those that Node trusts, `NODE_EXTRA_CA_CERTS` included. */
export interface TlsTrust {
  /** Authorities in PEM, instead of the usual ones. */
  readonly ca?: string;
  /** `false` takes any certificate. For requests without a token whose answer is not relied on. */
  readonly rejectUnauthorized?: boolean;
}

/** By lower-case name; a header that came several times is one text, its values separated by commas. */
export interface AnswerHeaders {
  get(name: string): string | null;
  /** Names and values, as they came. */
  readonly all: readonly (readonly [string, string])[];
}

/** An answer whose head has arrived. Its connection is used again once the body has been read to the end. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Throws when the connection breaks, or a signal of the request is aborted, before the end. */
  readonly body: Readable & AsyncIterable<Uint8Array>;
}

/**
 * One request over HTTP/1.1, as it is: no redirect is followed and nothing is repeated. The agents are Node's own, which
 * keep connections alive and know what the environment says about proxies and certificates.
 */
export function sendHttp({ method, url, headers, body, tls, signals }: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    signals.forEach((signal) => signal?.throwIfAborted());
    const sent = requestFor(url)(url, { method, headers, ...tls });
    // Listeners of our own: `AbortSignal.any` and the option `signal` take 2 ms to begin with.
    const abort = (): void => void sent.destroy();
    signals.forEach((signal) => signal?.addEventListener("abort", abort));
    sent.on("close", () => signals.forEach((signal) => signal?.removeEventListener("abort", abort)));
    sent.on("response", (answer) => resolve(toAnswer(answer)));
    sent.on("error", reject); // after the answer it is the body that throws, and this does nothing
    sent.end(body);
  });
}

/** Without `import`, which loads `fetch` too, because `node:http` exports a part of it: that takes 45 ms. */
function requestFor(url: URL): typeof request {
  return url.protocol === "https:"
    ? process.getBuiltinModule("node:https").request
    : process.getBuiltinModule("node:http").request;
}

function toAnswer(answer: IncomingMessage): HttpAnswer {
  return {
    status: answer.statusCode ?? 0,
    headers: {
      get: (name) => {
        const value = answer.headers[name];
        return Array.isArray(value) ? value.join(", ") : (value ?? null);
      },
      get all() {
        const { rawHeaders } = answer;
        return rawHeaders.flatMap((name, index) =>
          index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""] as const] : [],
        );
      },
    },
    body: answer,
  };
}

/** A control plane ends its pages after 4 MiB. What sends this much is none, and a text cannot have much more. */
const maxTextBytes = 256 * 1024 * 1024;

/**
 * All of a body as text. By events, because an iteration takes 1 ms more to begin with. Rejects like the body throws, and
 * when it is too long.
 */
export function readText({ body }: HttpAnswer): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    body.on("data", (bytes: Uint8Array) => {
      pieces.push(bytes);
      size += bytes.length;
      if (size > maxTextBytes) {
        body.destroy(new ClientError("UnexpectedResponse", "The answer is longer than any of a control plane."));
      }
    });
    body.on("end", () => resolve(new TextDecoder().decode(Buffer.concat(pieces))));
    const cutOff = (): void => reject(body.errored ?? Object.assign(new Error("cut off"), { code: "ECONNRESET" }));
    body.on("error", reject);
    body.on("close", cutOff); // without effect after the end
    if (body.destroyed) {
      cutOff(); // there are no events any more
    }
  });
}
