import type { JsonValue } from "@rad/core";
import type { Sleep } from "./delay.ts";
import type { Send, WireResponse } from "./transport.ts";

export interface WaitOptions {
  readonly send: Send;
  readonly sleep: Sleep;
  /** Milliseconds from any point in time. */
  readonly now: () => number;
  /** How long a request may take. */
  readonly requestTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How long an answer may be put off, which proxies such as Envoy allow for 15 s; and how long when somebody looks on. */
const longestWaitSeconds = { alone: 10, watched: 1 };
/** What is answered sooner was not put off, whatever it says: a server that is about to stop does not wait. */
export const shortestWaitMs = 500;
export const firstPollMs = 50;
export const pollGrowth = 1.5;
export const defaultLongestPollMs = 5_000;

/**
 * Asks for something until it is as it should be, while the control plane keeps the answers back meanwhile.
 * @returns whether it came to that; `false` when the control plane does not know how to wait.
 */
export async function waitUntil(
  options: WaitOptions,
  url: URL,
  isReached: (body: JsonValue | undefined) => Promise<boolean>,
): Promise<boolean> {
  let delayMs = firstPollMs;
  for (;;) {
    const askedAt = options.now();
    const answer = await options.send({
      method: "GET",
      url,
      headers: preferWait(options.requestTimeoutMs, "alone"),
      signal: options.signal,
    });
    if (await isReached(answer.body)) {
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
export function preferWait(requestTimeoutMs: number, who: keyof typeof longestWaitSeconds): Record<string, string> {
  const seconds = Math.floor(Math.min(longestWaitSeconds[who], requestTimeoutMs / 2_000));
  return seconds === 0 ? {} : { prefer: `wait=${seconds}` };
}

export function knowsHowToWait({ headers }: WireResponse): boolean {
  return headers.get("preference-applied")?.includes("wait") === true;
}
