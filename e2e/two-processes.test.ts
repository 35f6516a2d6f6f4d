import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, it } from "node:test";
import { auditLines, clientOf, group, operationEnd, registerType, request } from "./support/api.ts";
import { databases } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { steeredType } from "./support/handlers.ts";
import type { ServerProcess } from "./support/server-process.ts";

const config = { operations: { leaseSeconds: 2 }, workerServer: { maxOperationConcurrency: 4 } };

let database: TestDatabase;
let one: ServerProcess;
let two: ServerProcess;

before(async () => {
  database = await databases.postgresql();
  // Both migrate the empty database at the same moment.
  [one, two] = await Promise.all([database.startServer(config), database.startServer(config)]);
  await clientOf(one).groups.put("test");
  await registerType(one, steeredType, { workMs: { type: "integer" }, journal: { type: "string" } });
});

after(async () => {
  await one[Symbol.asyncDispose]();
  await two[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

it("a type registered at one process is served by the other at once", async () => {
  for (let round = 0; round < 5; round += 1) {
    const type = `Test.Shared/kind${round}`;
    await registerType(one, type, { size: { type: "integer" } });

    const accepted = await request(two, "PUT", `${group}/providers/${type}/a`, { properties: { size: round } });
    const refused = await request(two, "PUT", `${group}/providers/${type}/b`, { properties: { size: "big" } });

    assert.equal(accepted.status, 201, JSON.stringify(accepted.body));
    assert.equal(refused.status, 400, JSON.stringify(refused.body));
  }
});

it("what one process stores, the other reads", async () => {
  await clientOf(one).resources.put(
    `${group}/providers/${steeredType}/seen`,
    { properties: { workMs: 0 } },
    { apiVersion: "2025-01-01" },
  );

  const { status } = await request(two, "GET", `${group}/providers/${steeredType}/seen`);

  assert.equal(status, 200);
});

it("two processes share the work", async () => {
  const journal = path.join(database.folder, "shared-work");
  const accepted = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      request(one, "PUT", `${group}/providers/${steeredType}/share-${index}`, { properties: { workMs: 150, journal } }),
    ),
  );
  for (const { operationId } of accepted) {
    assert.equal((await operationEnd(two, "Test.Steered", operationId ?? "")).status, "Succeeded");
  }

  const workers = new Set(
    (await readFile(journal, "utf8"))
      .trim()
      .split("\n")
      .map((line) => line.split(" ").at(-1)),
  );

  assert.deepEqual(workers, new Set([String(one.pid), String(two.pid)]));
});

it("killing one process loses nothing, and the other takes over within 30 seconds", async () => {
  const doomed = await database.startServer(config);
  const accepted = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      request(doomed, "PUT", `${group}/providers/${steeredType}/taken-${index}`, { properties: { workMs: 300 } }),
    ),
  );

  await doomed.end("SIGKILL");

  for (const { operationId, status } of accepted) {
    assert.equal(status, 201);
    assert.equal((await operationEnd(two, "Test.Steered", operationId ?? "", 30_000)).status, "Succeeded");
  }
  const ids = new Set(accepted.map((answer) => answer.operationId));
  const outcomes = (await auditLines(two)).filter((line) => line.phase === "outcome" && ids.has(line.operationId));
  assert.equal(outcomes.length, accepted.length);
});
