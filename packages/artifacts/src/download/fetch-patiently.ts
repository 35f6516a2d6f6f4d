import { setTimeout as delay } from "node:timers/promises";
import { ArtifactError } from "../artifact-error.ts";
import { fetchBytes } from "./fetch-bytes.ts";
import type { Answer, BytesRequest } from "./fetch-bytes.ts";
import type { Network } from "./network.ts";

export interface Patience {
  readonly maxAttempts: number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const backoffMs = 500;
/** A timer for longer ends at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Like `fetchBytes`, but tries again what may pass by itself. The time limit counts for all tries together. */
export async function fetchPatiently(network: Network, request: BytesRequest, patience: Patience): Promise<Answer> {
  const timeout = AbortSignal.timeout(request.totalMs);
  const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
  try {
    return await tryOften(network, { ...request, signal }, signal, patience);
  } catch (error) {
    request.signal?.throwIfAborted();
    if (!timeout.aborted) {
      throw error;
    }
    const message = `The download took longer than ${request.totalMs / 1000} seconds.`;
    throw new ArtifactError("TimedOut", message, { reason: "TimeoutError" });
  }
}

async function tryOften(
  network: Network,
  request: BytesRequest,
  signal: AbortSignal,
  { maxAttempts, sleep = (ms) => delay(ms, undefined, { signal }) }: Patience,
): Promise<Answer> {
  for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
    const answer = await fetchBytes(network, request).catch(mayPass);
    if (answer !== undefined && answer.status !== 429 && answer.status < 500) {
      return answer;
    }
    await sleep(retryAfterMs(answer) ?? backoffMs * attempt, signal);
  }
  return await fetchBytes(network, request);
}

function mayPass(error: unknown): undefined {
  if (!(error instanceof ArtifactError && (error.code === "Unreachable" || error.code === "Interrupted"))) {
    throw error;
  }
}

function retryAfterMs(answer: Answer | undefined): number | undefined {
  const seconds = Number(answer?.headers["retry-after"] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, maxTimerMs) : undefined;
}
