import type { JsonValue } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core";
import { ClientError, errorFromWire } from "./client-error.ts";
import type { Sleep } from "./delay.ts";
import { retryAfterMs } from "./delay.ts";
import { trustedLink } from "./links.ts";
import { parseSteps } from "./operation-steps.ts";
import type { Send, WireResponse } from "./transport.ts";
import type { OperationState, OperationStatus } from "./wire-types.ts";

export interface PollOptions {
  readonly endpoint: URL;
  readonly send: Send;
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
/** How long a control plane may be away, for example restarting, before waiting for it is given up. */
const longestOutageMs = 30_000;

/**
 * Waits until the operation that `response` started has ended. A response without polling headers has nothing to wait
 * for. Asks the control plane to answer when there is something to tell. One that does not do so is asked often at
 * first, because most operations are quick, and never more seldom than `Retry-After` says.
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
  for (;;) {
    const askedAt = options.now();
    const answer = await pollOnce(options, url);
    if (answer === "unreachable") {
      if (outageMs > longestOutageMs) {
        throw new ClientError(
          "OperationLost",
          `Lost the connection to ${options.endpoint.origin} while an operation was running. It continues there: look at the resource once the control plane is back.`,
        );
      }
    } else {
      outageMs = 0;
      longestMs = retryAfterMs(answer.headers.get("retry-after")) ?? longestMs;
      const ended = statusLink === null ? answer.status !== 202 : endedWithStatus(options, answer);
      if (ended) {
        return;
      }
      if (knowsHowToWait(answer) && options.now() - askedAt >= shortestWaitMs) {
        continue;
      }
    }
    const pauseMs = Math.min(delayMs, longestMs);
    await options.sleep(pauseMs, options.signal);
    delayMs *= pollGrowth;
    outageMs += answer === "unreachable" ? pauseMs : 0;
  }
}

async function pollOnce(options: PollOptions, url: URL): Promise<WireResponse | "unreachable"> {
  try {
    return await options.send({ method: "GET", url, headers: preferWait(options), signal: options.signal });
  } catch (error) {
    if (error instanceof ClientError && (error.code === "ConnectionFailed" || error.status === 503)) {
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
  options: Omit<PollOptions, "endpoint">,
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

function endedWithStatus(options: PollOptions, answer: WireResponse): boolean {
  const status = parseOperationStatus(answer.body);
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

export function parseOperationStatus(body: JsonValue | undefined): OperationStatus {
  if (!isJsonObject(body) || typeof body["status"] !== "string") {
    throw new ClientError("UnexpectedResponse", "The control plane sent an operation status without a status.");
  }
  const error = errorFromWire(body["error"]);
  return {
    id: typeof body["id"] === "string" ? body["id"] : "",
    state: stateOf(body["status"]),
    status: body["status"],
    steps: parseSteps(objectMember(body, "properties")["steps"]),
    body,
    ...(error === undefined
      ? {}
      : { error: { code: error.code, message: error.message, ...(error.target ? { target: error.target } : {}) } }),
  };
}

function stateOf(word: string): OperationState {
  switch (word.toLowerCase()) {
    case "succeeded":
      return "Succeeded";
    case "failed":
      return "Failed";
    case "canceled":
      return "Canceled";
    default:
      return "Running";
  }
}
