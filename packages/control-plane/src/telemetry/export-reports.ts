import type { Logger } from "@rad/core";

interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<T> {
  export(items: T, done: (result: ExportResult) => void): void;
}

/** Logs when an exporter stops reaching its collector and when it does again, not every batch in between. */
export function reportFailures<T>(exporter: Exporter<T>, what: string, log: Logger): void {
  const send = exporter.export.bind(exporter);
  let failing = false;
  exporter.export = (items, done) => {
    send(items, (result) => {
      const failed = result.code !== 0;
      if (failed && !failing) {
        log.warn(`${what} cannot be delivered to the collector`, { error: result.error });
      } else if (!failed && failing) {
        log.info(`${what} reach the collector again`);
      }
      failing = failed;
      done(result);
    });
  };
}
