import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@rad/core/testing";
import { auditLines, clientOf, group, operationEnd, registerType, request } from "./support/api.ts";
import { databases } from "./support/database.ts";
import { steeredType } from "./support/handlers.ts";

const leaseSeconds = 2;
const config = { operations: { leaseSeconds } };
const thing = `${group}/providers/${steeredType}/thing`;
const schema = { workMs: { type: "integer" }, journal: { type: "string" }, result: { type: "string", readOnly: true } };

it("a process that was frozen past its lease writes nothing when it goes on", async () => {
  await using database = await databases.postgresql();
  await using first = await database.startServer(config);
  await clientOf(first).groups.put("test");
  await registerType(first, steeredType, schema);
  const journal = path.join(database.folder, "journal");
  const put = await request(first, "PUT", thing, { properties: { workMs: 500, journal } });
  assert.equal(put.status, 201);
  await journalHas(journal, `start put thing ${first.pid}`);

  first.signal("SIGSTOP");
  await using second = await database.startServer(config);
  const outcome = await operationEnd(second, "Test.Steered", put.operationId ?? "");
  const before = await request(second, "GET", thing);
  first.signal("SIGCONT");
  await journalHas(journal, `end put thing ${first.pid}`);
  await sleep(1000); // time enough for the write that must not come

  const after = await request(second, "GET", thing);
  assert.equal(outcome.status, "Succeeded");
  assert.deepEqual(after.body, before.body);
  assert.match(JSON.stringify(after.body), new RegExp(`made by ${second.pid}`));
  const outcomes = (await auditLines(second)).filter(
    (line) => line.operationId === put.operationId && line.phase === "outcome",
  );
  assert.equal(outcomes.length, 1);
});

it("an embedded server that was frozen past a lease ends the operation once", async () => {
  await using database = await databases.sqlite();
  await using server = await database.startServer(config);
  await clientOf(server).groups.put("test");
  await registerType(server, steeredType, schema);
  const journal = path.join(database.folder, "journal");
  const put = await request(server, "PUT", thing, { properties: { workMs: 500, journal } });
  await journalHas(journal, `start put thing ${server.pid}`);

  server.signal("SIGSTOP");
  await sleep(leaseSeconds * 1000 + 500);
  server.signal("SIGCONT");
  const outcome = await operationEnd(server, "Test.Steered", put.operationId ?? "");
  await sleep(1000); // time enough for a second outcome that must not come

  assert.equal(outcome.status, "Succeeded");
  const lines = (await auditLines(server)).filter((line) => line.operationId === put.operationId);
  assert.deepEqual(
    lines.map((line) => line.phase),
    ["intent", "outcome"],
  );
});

function journalHas(file: string, line: string): Promise<boolean> {
  return until(`the journal says "${line}"`, async () => {
    const text = await readFile(file, "utf8").catch(() => "");
    return text.split("\n").includes(line);
  });
}
