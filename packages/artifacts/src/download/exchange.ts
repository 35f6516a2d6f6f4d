import type { Dispatcher } from "undici";
import { ArtifactError } from "../artifact-error.ts";
import { systemCode } from "../system-code.ts";
import { headersFor, withoutUser } from "./credentials.ts";
import type { Deadline, TimeLimits } from "./deadline.ts";
import type { Network } from "./network.ts";
import { checkUrl, redirectTarget } from "./request-rules.ts";
import type { RedirectRules, UrlRules } from "./request-rules.ts";

export interface DownloadRequest extends UrlRules, TimeLimits {
  /** A user and a password in it are sent as a header, to its origin only. */
  readonly url: string | URL;
  /** Other origins get to see none of them but those that are no secret, such as `accept` and `user-agent`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Without rules a redirect is refused. */
  readonly redirects?: RedirectRules;
  readonly maxBytes: number;
}

/** An answer whose body has still to be read, or dropped. */
export interface Exchange {
  /** The one that answered in the end. */
  readonly url: URL;
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Dispatcher.ResponseData["body"];
}

/** By lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string | undefined>>;

/** Sends a request and follows redirects as far as they are allowed. @throws ArtifactError */
export async function exchange(
  network: Network,
  request: DownloadRequest & { readonly form?: URLSearchParams | undefined },
  deadline: Deadline,
): Promise<Exchange> {
  const { form } = request;
  let url = parseUrl(request.url);
  let headers = firstHeaders(request.headers);
  for (let redirects = 0; ; redirects += 1) {
    checkUrl(url, request);
    network.checkHost(url);
    const [target, sent] = withoutUser(url, headers);
    const answer = await send(network, target, sent, form, deadline);
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status >= 400 || location === undefined) {
      return { url: target, ...answer };
    }
    discard(answer.body);
    // A form may hold a token, which was meant for nobody else.
    const next = redirectTarget(target, location, form === undefined ? request.redirects : undefined, redirects);
    headers = headersFor(sent, target, next);
    url = next;
  }
}

function firstHeaders(given: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const lowered = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { "accept-encoding": "identity", ...Object.fromEntries(lowered) };
}

/** Lets go of a body that nobody reads. */
export function discard(body: Exchange["body"]): void {
  body.on("error", () => {}).destroy();
}

/** What is thrown while a body is read. */
export function bodyError(error: unknown, url: URL, deadline: Deadline): unknown {
  deadline.throwIfOver();
  if (error instanceof ArtifactError) {
    return error;
  }
  const reason = reasonOf(error);
  return new ArtifactError("Interrupted", `${url.host} broke off (${reason}).`, { reason });
}

async function send(
  network: Network,
  url: URL,
  headers: Record<string, string>,
  form: URLSearchParams | undefined,
  deadline: Deadline,
): Promise<Pick<Exchange, "status" | "headers" | "body">> {
  const dispatcher = await network.dispatcher();
  deadline.throwIfOver();
  try {
    const {
      statusCode,
      headers: received,
      body,
    } = await answerInTime(
      dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        signal: deadline.signal,
        ...(form === undefined
          ? { method: "GET", headers }
          : {
              method: "POST",
              headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
              body: form.toString(),
            }),
      }),
      deadline.signal,
    );
    deadline.touch();
    return { status: statusCode, headers: simple(received), body };
  } catch (error) {
    deadline.throwIfOver();
    throw connectionError(error, url);
  }
}

/** The HTTP client looks at the signal as soon as it is connected; what ends the wait before that is this. */
async function answerInTime(
  sent: Promise<Dispatcher.ResponseData>,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const over = Promise.withResolvers<never>();
  const end = () => over.reject(signal.reason);
  signal.addEventListener("abort", end);
  try {
    return await Promise.race([sent, over.promise]);
  } catch (error) {
    sent.then(
      ({ body }) => discard(body),
      () => {},
    );
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function simple(headers: Readonly<Record<string, string | string[] | undefined>>): AnswerHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : value,
    ]),
  );
}

/** The cause stays behind: an HTTP client's errors may hold the request. */
function connectionError(error: unknown, url: URL): ArtifactError {
  if (error instanceof ArtifactError) {
    return error;
  }
  const reason = reasonOf(error);
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH/u.test(reason)) {
    const message = `The certificate of ${url.host} is not trusted (${reason}).`;
    return new ArtifactError("CertificateRefused", message, { reason });
  }
  return new ArtifactError("Unreachable", `${url.host} cannot be reached (${reason}).`, { reason });
}

function reasonOf(error: unknown): string {
  return systemCode(error) ?? (error instanceof Error ? error.name : "unknown error");
}

function parseUrl(url: string | URL): URL {
  const parsed = URL.parse(url);
  if (parsed === null) {
    throw new ArtifactError("InvalidUrl", "That is no URL.");
  }
  return parsed;
}
