import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { it } from "node:test";
import { silentLogger } from "@rad/core";
import { openPostgresStore } from "@rad/store";
import { startPostgres } from "@rad/store/testing";
import { runFamilies } from "./testing/families.ts";
import { WorkerKit } from "./testing/worker-kit.ts";

it("a thousand parents that each wait for a child of the same queue finish with two slots on PostgreSQL", async () => {
  await using server = await startPostgres();
  const url = await server.createDatabase();
  const keys = { keys: [{ id: "k", secret: randomBytes(32) }] };
  await using kit = await WorkerKit.open(() => openPostgresStore({ url, keys, log: silentLogger }));

  const states = await runFamilies(kit, { parents: 1_000, slots: 2 });

  assert.deepEqual(states, new Map([["Succeeded", 2_000]]));
});
