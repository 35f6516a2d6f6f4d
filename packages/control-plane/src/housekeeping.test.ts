import assert from "node:assert/strict";
import { it, mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { silentLogger } from "@rad/core";
import type { Store } from "@rad/store";
import type { ServerConfig } from "./config/index.ts";
import { startHousekeeping } from "./housekeeping.ts";

const minute = 60_000;
const day = 86_400_000;

for (const [kept, days, everyMs] of [
  ["a year", 365, 60 * minute],
  ["ten minutes", 10 * (minute / day), minute],
  ["an hour", 60 * (minute / day), 6 * minute],
] as const) {
  it(`what is kept for ${kept} is pruned at the start and every ${everyMs / minute} minutes, and modules clean up every hour`, async () => {
    mock.timers.enable({ apis: ["setInterval"] });
    try {
      const counts = { operations: 0, audit: 0, module: 0 };
      const store = {
        reseal: async () => 0,
        operations: { prune: async () => (counts.operations += 1) },
        audit: { prune: async () => (counts.audit += 1) },
      } as unknown as Store;
      const config = { operations: { retentionDays: 365 }, audit: { retentionDays: days } } as ServerConfig;
      const module = { housekeeping: async () => void (counts.module += 1) };
      await using _housekeeping = startHousekeeping({
        store,
        config,
        modules: [{ name: "tidy", module }],
        log: silentLogger,
      });
      await turn();
      assert.deepEqual(counts, { operations: 1, audit: 1, module: 1 });

      for (let elapsed = 0; elapsed < 60 * minute; elapsed += everyMs) {
        mock.timers.tick(everyMs);
        await turn();
      }

      const sweeps = 1 + (60 * minute) / everyMs;
      assert.deepEqual(counts, { operations: sweeps, audit: sweeps, module: 2 });
    } finally {
      mock.timers.reset();
    }
  });
}
