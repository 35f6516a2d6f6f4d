import type { Logger } from "@rad/core";
import { type AuditStore, StoreError } from "../store.ts";

/** Closes abandoned intents, now and at an interval. A store that is away is asked again next time. */
export function watchIntents(audit: AuditStore, everyMs: number, log: Logger): AsyncDisposable {
  const close = async (): Promise<void> => {
    try {
      const closed = await audit.closeAbandoned();
      if (closed > 0) {
        log.warn("changes were cut off; the audit log has them as Unknown", { count: closed });
      }
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error;
      }
    }
  };
  let closing = close();
  const timer = setInterval(() => {
    closing = closing.then(close);
  }, everyMs);
  timer.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await closing;
    },
  };
}
