import { ClientError, errorFromWire, isOutage, longestOutageMs, operationLost } from "./client-error.ts";
import { retryAfterMs } from "./delay.ts";
import { trustedLink } from "./links.ts";
import { followOperation } from "./events/follow-operation.ts";
import { parseOperationStatus } from "./operation-status.ts";
import type { OpenStream, WireResponse } from "./transport.ts";
import type { WaitOptions } from "./wait-until.ts";
import {
  defaultLongestPollMs,
  firstPollMs,
  knowsHowToWait,
  pollGrowth,
  preferWait,
  shortestWaitMs,
} from "./wait-until.ts";
import type { OperationStatus } from "./wire-types.ts";

export interface PollOptions extends WaitOptions {
  readonly endpoint: URL;
  readonly open: OpenStream;
  readonly onProgress?: ((status: OperationStatus) => void) | undefined;
}

/** What an answer says about the operation that it started. */
export type AnnouncedOperation = Pick<WireResponse, "status" | "headers">;

/**
 * Waits until the operation that `response` started has ended. A response without polling headers has nothing to wait
 * for. Whoever looks on is told by events. Otherwise, and where there are none, the control plane is asked to answer when
 * there is something to tell. One that does not do so is asked often at first, because most operations are quick, and
 * never more seldom than `Retry-After` says.
 * @throws ClientError with the operation's own error when it failed or was canceled.
 */
export async function waitForEnd(options: PollOptions, response: AnnouncedOperation): Promise<void> {
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
  const following = await followOperation({ ...options, headers: waitHeaders(options) }, url);
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
    return await options.send({ method: "GET", url, headers: waitHeaders(options), signal: options.signal });
  } catch (error) {
    if (isOutage(error)) {
      return "unreachable";
    }
    throw error;
  }
}

function waitHeaders({ requestTimeoutMs, onProgress }: PollOptions): Record<string, string> {
  return preferWait(requestTimeoutMs, onProgress === undefined ? "alone" : "watched");
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
