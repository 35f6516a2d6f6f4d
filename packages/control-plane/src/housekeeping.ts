import type { Logger } from "@rad/core";
import type { Module } from "@rad/modules";
import { type Store, StoreError } from "@rad/store";
import type { ServerConfig } from "./config/index.ts";

const day = 86_400_000;
const hour = 3_600_000;
const minute = 60_000;

export interface HousekeepingOptions {
  readonly store: Store;
  readonly config: ServerConfig;
  readonly modules: readonly { readonly name: string; readonly module: Module }[];
  readonly log: Logger;
}

/**
 * Removes what is past its retention and lets the modules clean up: after the start and every hour, and more often what is
 * kept for less than ten hours. At the start it also seals again what an earlier key sealed.
 */
export function startHousekeeping(options: HousekeepingOptions): AsyncDisposable {
  const stop = new AbortController();
  const { operations, audit } = options.config;
  const jobs = jobsOf(options, stop.signal);
  let running = reseal(options).then(() => sweep([...jobs.retention, ...jobs.modules], options.log, stop.signal));
  const every = (intervalMs: number, due: readonly Job[]): NodeJS.Timeout =>
    setInterval(() => {
      running = running.then(() => sweep(due, options.log, stop.signal));
    }, intervalMs).unref();
  const timers = [
    every(pruningIntervalMs(Math.min(operations.retentionDays, audit.retentionDays)), jobs.retention),
    every(hour, jobs.modules),
  ];
  return {
    [Symbol.asyncDispose]: async () => {
      timers.forEach((timer) => clearInterval(timer));
      stop.abort();
      await running;
    },
  };
}

/** What is past its retention stays for at most a tenth of it longer, and for a minute where it is very short. */
function pruningIntervalMs(retentionDays: number): number {
  return Math.max(minute, Math.min(hour, Math.round((retentionDays * day) / 10)));
}

interface Job {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

function jobsOf(
  { store, config, modules }: HousekeepingOptions,
  signal: AbortSignal,
): Readonly<Record<"retention" | "modules", readonly Job[]>> {
  return {
    retention: [
      { name: "operations", run: () => store.operations.prune(config.operations.retentionDays * day) },
      { name: "audit", run: () => store.audit.prune(config.audit.retentionDays * day) },
    ],
    modules: modules.map(({ name, module }) => ({ name, run: async () => module.housekeeping?.(signal) })),
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

async function sweep(jobs: readonly Job[], log: Logger, signal: AbortSignal): Promise<void> {
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
