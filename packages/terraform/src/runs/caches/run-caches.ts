import type { Clock, Logger } from "@rad/core";
import { CacheKeys } from "./cache-keys.ts";
import { ModuleCache } from "./module-cache.ts";
import { ProviderCache } from "./provider-cache.ts";

export interface RunCachesOptions {
  readonly cacheRoot: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What runs of this machine have downloaded before. Several processes may use one folder. */
export interface RunCaches {
  readonly modules: ModuleCache;
  readonly providers: ProviderCache;
  sweep(now: number): Promise<void>;
}

/** Entries that nobody has used for so long go. */
const unusedMs = 30 * 24 * 3_600_000;

export function createRunCaches({ cacheRoot, ...deps }: RunCachesOptions): RunCaches {
  const keys = new CacheKeys(cacheRoot);
  const modules = new ModuleCache(cacheRoot, keys, deps);
  const providers = new ProviderCache(cacheRoot, keys, deps);
  return {
    modules,
    providers,
    sweep: async (now) => {
      await modules.sweep(now - unusedMs);
      await providers.sweep(now - unusedMs);
    },
  };
}
