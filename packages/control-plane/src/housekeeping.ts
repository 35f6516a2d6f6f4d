import type { Logger } from "@rad/core";
import type { Module } from "@rad/modules";
import { type Store, StoreError } from "@rad/store";
import type { ServerConfig } from "./config/index.ts";

const day = 86_400_000;
const intervalMs = 3_600_000;

export interface HousekeepingOptions {
  readonly store: Store;
  readonly config: ServerConfig;
  readonly modules: readonly { readonly name: string; readonly module: Module }[];
  readonly log: Logger;
}

/**
 * Removes what is past its retention and lets the modules clean up: after the start and every hour. At the start it also
 * seals again what an earlier key sealed.
 */
export function startHousekeeping(options: HousekeepingOptions): AsyncDisposable {
  const stop = new AbortController();
  const sweepAll = (): Promise<void> => sweep(options, stop.signal);
  const first = reseal(options).then(sweepAll);
  let running = first;
  const timer = setInterval(() => {
    running = running.then(sweepAll);
  }, intervalMs);
  timer.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      stop.abort();
      await running;
    },
  };
}

async function reseal({ store, log }: HousekeepingOptions): Promise<void> {
  try {
    const documents = await store.reseal();
    if (documents > 0) {
      log.info("values of an earlier key are sealed with the current one", { documents });
    }
  } catch (error) {
    log.error("values of an earlier key could not be sealed again", { error });
  }
}

async function sweep({ store, config, modules, log }: HousekeepingOptions, signal: AbortSignal): Promise<void> {
  const jobs = [
    { name: "operations", run: () => store.operations.prune(config.operations.retentionDays * day) },
    { name: "audit", run: () => store.audit.prune(config.audit.retentionDays * day) },
    ...modules.map(({ name, module }) => ({ name, run: async () => module.housekeeping?.(signal) })),
  ];
  for (const { name, run } of jobs) {
    if (signal.aborted) {
      return;
    }
    try {
      await run();
    } catch (error) {
      // That the database is away is said once, by the store.
      const level = error instanceof StoreError && error.code === "Unavailable" ? "debug" : "warn";
      log[level]("housekeeping failed", { of: name, error });
    }
  }
}
