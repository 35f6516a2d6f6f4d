import type { JsonValue } from "@rad/core";
import { ClientError, errorFromWire, isOutage, longestOutageMs, operationLost } from "./client-error.ts";
import type { Sleep } from "./delay.ts";
import { retryAfterMs } from "./delay.ts";
import { trustedLink } from "./links.ts";
import { followOperation } from "./events/follow-operation.ts";
import { parseOperationStatus } from "./operation-status.ts";
import type { OpenStream, Send, WireResponse } from "./transport.ts";
import type { OperationStatus } from "./wire-types.ts";

export interface PollOptions {
  readonly endpoint: URL;
  readonly send: Send;
  readonly open: OpenStream;
  readonly sleep: Sleep;
  /** Milliseconds from any point in time. */
  readonly now: () => number;
  /** How long a request may take. */
  readonly requestTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((status: OperationStatus) => void) | undefined;
}

/** How long an answer may be put off, which proxies such as Envoy allow for 15 s; and how long when somebody looks on. */
const longestWaitSeconds = { alone: 10, watched: 1 };
/** What is answered sooner was not put off, whatever it says: a server that is about to stop does not wait. */
const shortestWaitMs = 500;
const firstPollMs = 50;
const pollGrowth = 1.5;
const defaultLongestPollMs = 5_000;

/**
 * Waits until the operation that `response` started has ended. A response without polling headers has nothing to wait
 * for. Whoever looks on is told by events. Otherwise, and where there are none, the control plane is asked to answer when
 * there is something to tell. One that does not do so is asked often at first, because most operations are quick, and
 * never more seldom than `Retry-After` says.
 * @throws ClientError with the operation's own error when it failed or was canceled.
 */
export async function waitForEnd(options: PollOptions, response: WireResponse): Promise<void> {
  const statusLink = response.headers.get("azure-asyncoperation");
  const resultLink = response.headers.get("location");
  const isAsync = response.status === 201 || response.status === 202;
  const link = statusLink ?? resultLink;
  if (!isAsync || link === null) {
    return;
  }
  const url = trustedLink(options.endpoint, link);
  let longestMs = retryAfterMs(response.headers.get("retry-after")) ?? defaultLongestPollMs;
  let delayMs = firstPollMs;
  let outageMs = 0;
  let askedAt = options.now();
  let first = options.onProgress === undefined || statusLink === null ? undefined : await watchEnd(options, url);
  if (first === "ended") {
    return;
  }
  for (;;) {
    const answer: WireResponse | "unreachable" = first ?? (await pollOnce(options, url));
    first = undefined;
    if (answer === "unreachable") {
      if (outageMs > longestOutageMs) {
        throw operationLost(options.endpoint.origin);
      }
    } else {
      outageMs = 0;
      longestMs = retryAfterMs(answer.headers.get("retry-after")) ?? longestMs;
      const ended = statusLink === null ? answer.status !== 202 : hasEnded(options, parseOperationStatus(answer.body));
      if (ended) {
        return;
      }
      if (knowsHowToWait(answer) && options.now() - askedAt >= shortestWaitMs) {
        askedAt = options.now();
        continue;
      }
    }
    const pauseMs = Math.min(delayMs, longestMs);
    await options.sleep(pauseMs, options.signal);
    askedAt = options.now();
    delayMs *= pollGrowth;
    outageMs += answer === "unreachable" ? pauseMs : 0;
  }
}

/** Follows the events. @returns what was answered instead, if there are none; nothing when they stopped early. */
async function watchEnd(options: PollOptions, url: URL): Promise<WireResponse | "ended" | undefined> {
  const following = await followOperation({ ...options, headers: preferWait(options) }, url);
  if (following.kind === "none") {
    return following.answer;
  }
  for await (const event of following.events) {
    if (event.kind === "status" && hasEnded(options, event.status)) {
      return "ended";
    }
  }
  return undefined;
}

async function pollOnce(options: PollOptions, url: URL): Promise<WireResponse | "unreachable"> {
  try {
    return await options.send({ method: "GET", url, headers: preferWait(options), signal: options.signal });
  } catch (error) {
    if (isOutage(error)) {
      return "unreachable";
    }
    throw error;
  }
}

/**
 * Asks for something until it is as it should be, while the control plane keeps the answers back meanwhile.
 * @returns whether it came to that; `false` when the control plane does not know how to wait.
 */
export async function waitUntil(
  options: Omit<PollOptions, "endpoint" | "open">,
  url: URL,
  isReached: (body: JsonValue | undefined) => boolean,
): Promise<boolean> {
  let delayMs = firstPollMs;
  for (;;) {
    const askedAt = options.now();
    const answer = await options.send({ method: "GET", url, headers: preferWait(options), signal: options.signal });
    if (isReached(answer.body)) {
      return true;
    }
    if (!knowsHowToWait(answer)) {
      return false;
    }
    if (options.now() - askedAt < shortestWaitMs) {
      await options.sleep(Math.min(delayMs, defaultLongestPollMs), options.signal);
      delayMs *= pollGrowth;
    }
  }
}

/** RFC 7240. Half of the time that a request may take, so that an answer which was put off does not come too late. */
function preferWait({
  requestTimeoutMs,
  onProgress,
}: Pick<PollOptions, "requestTimeoutMs" | "onProgress">): Record<string, string> {
  const longest = onProgress === undefined ? longestWaitSeconds.alone : longestWaitSeconds.watched;
  const seconds = Math.floor(Math.min(longest, requestTimeoutMs / 2_000));
  return seconds === 0 ? {} : { prefer: `wait=${seconds}` };
}

function knowsHowToWait({ headers }: WireResponse): boolean {
  return headers.get("preference-applied")?.includes("wait") === true;
}

/** @throws ClientError with the operation's own error */
function hasEnded(options: PollOptions, status: OperationStatus): boolean {
  options.onProgress?.(status);
  switch (status.state) {
    case "Running":
      return false;
    case "Succeeded":
      return true;
    case "Failed":
    case "Canceled":
      throw (
        errorFromWire(status.body["error"]) ??
        new ClientError(
          status.state === "Failed" ? "OperationFailed" : "OperationCanceled",
          `The operation ended as ${status.state} without saying why.`,
        )
      );
    default:
      return status.state satisfies never;
  }
}
