import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import { clientOf, group, operationEnd, registerType, request } from "./support/api.ts";
import { survivingKills } from "./support/crashing-server.ts";
import { databases } from "./support/database.ts";
import { steeredType } from "./support/handlers.ts";
import type { ServerProcess } from "./support/server-process.ts";

const hour = 3_600_000;
const day = 24 * hour;
const config = { ...survivingKills, workerServer: { maxOperationConcurrency: 2, maxOperationRetryCount: 3 } };

for (const [name, openDatabase] of Object.entries(databases)) {
  it(`${name}: what runs and what waits ends as if the clock had not been set`, async () => {
    await using database = await openDatabase();
    const file = path.join(database.folder, "ahead");
    const env = {
      RAD_TEST_CLOCK_FILE: file,
      NODE_OPTIONS: `--import ${path.join(import.meta.dirname, "support/jumping-clock.ts")}`,
    };
    await writeFile(file, "0");
    await using first = await database.startServer(config, env);
    await clientOf(first).groups.put("test");
    await registerType(first, steeredType, { workMs: { type: "integer" } });

    for (const aheadMs of [-day, 2 * day, -hour, 0]) {
      const operations = await startWork(first, `running${aheadMs}`);
      await writeFile(file, String(aheadMs));
      first.signal("SIGUSR2");
      await assertSucceeded(first, operations, `set to ${aheadMs} while they ran`);
    }
    const operations = await startWork(first, "killed");
    await first.end("SIGKILL");
    await writeFile(file, String(-2 * day));
    await using second = await database.startServer(config, env);
    await assertSucceeded(second, operations, "set back while no server ran");
    const more = await startWork(second, "killedAgain");
    await second.end("SIGKILL");
    await writeFile(file, String(3 * day));
    await using third = await database.startServer(config, env);

    await assertSucceeded(third, more, "set forward while no server ran");
    const { body } = await request(third, "GET", `${group}/providers/${steeredType}/killedAgain0`);
    const { lastModifiedAt } = (body as unknown as { systemData: { lastModifiedAt: string } }).systemData;
    assert.ok(Math.abs(Date.parse(lastModifiedAt) + 2 * day - Date.now()) < hour, "the clock was not moved at all");
  });
}

/** More than run at once, so that some wait. */
async function startWork(server: ServerProcess, name: string): Promise<readonly string[]> {
  const started = Array.from({ length: 6 }, async (_, index) => {
    const place = `${group}/providers/${steeredType}/${name.replace("-", "m")}${index}`;
    const { operationId } = await request(server, "PUT", place, { properties: { workMs: 150 } });
    assert.ok(operationId !== undefined);
    return operationId;
  });
  return await Promise.all(started);
}

async function assertSucceeded(server: ServerProcess, operations: readonly string[], what: string): Promise<void> {
  for (const id of operations) {
    const { status, error } = await operationEnd(server, "Test.Steered", id, 30_000);
    assert.equal(status, "Succeeded", `${what}: ${JSON.stringify(error)}`);
  }
}
