import type { Logger } from "@rad/core";
import { type AuditStore, StoreError } from "./store.ts";

/** Runs `work` now and at an interval, one run at a time. A store that is away is asked again next time. */
export function startUpkeep(everyMs: number, work: () => Promise<void>): AsyncDisposable {
  const attempt = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error;
      }
    }
  };
  let running = attempt();
  const timer = setInterval(() => {
    running = running.then(attempt);
  }, everyMs);
  timer.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

export async function closeIntents(audit: AuditStore, log: Logger): Promise<void> {
  const count = await audit.closeAbandoned();
  if (count > 0) {
    log.warn("changes were cut off; the audit log has them as Unknown", { count });
  }
}
