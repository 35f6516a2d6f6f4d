import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "../store.ts";
import { accept } from "../testing/contract/fixture.ts";
import { connectPostgres } from "../testing/connect-postgres.ts";
import { startPostgres } from "../testing/start-postgres.ts";
import type { PostgresServer } from "../testing/start-postgres.ts";

let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

it("takes from several queues with rules in two processes, without a deadlock", { timeout: 120_000 }, async () => {
  const url = await server.createDatabase();
  await using one = await connectPostgres(url);
  await using two = await connectPostgres(url);
  const stores = [one, two];
  const limit = 5;
  const queues = [{ name: "free" }, ...["a", "b", "c"].map((name) => ({ name, concurrency: limit }))];
  const total = 800;
  const running = new Map<string, number>();
  const started: string[] = [];
  const accepting = stores.map(async (store, s) => {
    for (let n = 0; n < total / 2; n += queues.length) {
      await Promise.all(queues.map(({ name }) => accept(store, { queue: name })));
      await delay(s * 3 + 2);
    }
  });

  const work = async (store: Store, owner: string): Promise<void> => {
    while (started.length < total) {
      const leased = await store.operations.take({ owner, leaseMs: 60_000, queues });
      if (leased === undefined) {
        await delay(5);
        continue;
      }
      const { id, queue } = leased.operation;
      started.push(id);
      running.set(queue, (running.get(queue) ?? 0) + 1);
      assert.ok(queue === "free" || (running.get(queue) ?? 0) <= limit, `${running.get(queue)} in ${queue}`);
      await delay(1);
      running.set(queue, (running.get(queue) ?? 0) - 1);
      await store.write({ lease: leased.lease, outcome: { state: "Succeeded" } });
    }
  };
  const workers = stores.flatMap((store, s) => Array.from({ length: 6 }, () => work(store, `w${s}`)));
  await Promise.all([...accepting, ...workers]);

  assert.equal(new Set(started).size, total);
});
