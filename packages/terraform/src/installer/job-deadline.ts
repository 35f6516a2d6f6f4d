import { ApiError, type Clock } from "@rad/core";
import type { OperationContext } from "@rad/operations";
import type { Store } from "@rad/store";
import { type JobProgress, jobPut, readProgress } from "../status/job-document.ts";

export interface JobDeadlineOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** A job's time, counted from its turn and over all attempts. */
export interface JobDeadline extends Disposable {
  /** Aborts with the operation's own signal, and with an `ApiError` when the time is up. */
  readonly signal: AbortSignal;
  readonly progress: JobProgress;
}

/** Begins to count, or goes on. */
export async function startDeadline(
  context: OperationContext,
  { store, clock, timeoutMs }: JobDeadlineOptions,
): Promise<JobDeadline> {
  const { operation, signal } = context;
  const now = await store.now();
  const before = await readProgress(store, operation.id);
  const progress = { ...before, deadline: before.deadline ?? now + timeoutMs };
  if (before.deadline === undefined) {
    await context.write({ document: jobPut(operation.id, progress) });
  }
  const overdue = new AbortController();
  const stopped = new AbortController();
  const leftMs = progress.deadline - now;
  const giveUp = (): void => overdue.abort(overdueError(timeoutMs));
  if (leftMs <= 0) {
    giveUp();
  } else {
    clock.sleep(leftMs, stopped.signal).then(giveUp, () => {});
  }
  return {
    signal: AbortSignal.any([signal, overdue.signal]),
    progress,
    [Symbol.dispose]: () => stopped.abort(),
  };
}

function overdueError(timeoutMs: number): ApiError {
  const minutes = Math.round(timeoutMs / 6_000) / 10;
  const message =
    `The install did not finish within ${minutes} minutes and was given up. ` +
    "Check the way to the mirror, or allow more time with terraform.installer.timeoutMinutes.";
  return new ApiError("TerraformInstallerFailed", message);
}
