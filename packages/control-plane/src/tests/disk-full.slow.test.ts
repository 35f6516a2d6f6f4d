// A disk that fills up while the server runs. A limit on the size of its files stands in for the end of the disk.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { local, startTestServer, systemVersion } from "../testing/test-server.ts";
import { startChildServer } from "./support/child-server.ts";

const group = `${local}/resourcegroups/full`;
const v = "api-version=2025-01-01";
const setting = (name: string): string => `${group}/providers/Radius.Core/settings/${name}?${v}`;
const work = `${group}/providers/Test.Child/works/one?${v}`;
/**
 * Everything is in the write-ahead log, which SQLite empties every 16 MB. The start takes 1.4 MB of it for the built-in
 * types, their schemas stored twice (as registered, and as served); the types and the group of this test take another
 * 0.8 MB, and each bulky document 0.14 MB.
 */
const maxFileBytes = 4_000_000;
const bulky = { location: "global", properties: { filler: "x".repeat(100_000) } };

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "radius-full-"));
});
after(() => rm(directory, { recursive: true }));

it("a full disk is 507, loses nothing that was acknowledged, and is forgotten once there is room", async () => {
  const go = join(directory, "go");
  await using server = await startChildServer({
    overrides: { server: { port: 0 }, databaseProvider: { sqlite: { directory: join(directory, "data") } } },
    maxFileBytes,
  });
  await server.register("Radius.Core", { settings: {} });
  await server.register("Test.Child", { works: {} });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  const operation = await server.call("PUT", work, { body: { properties: { waitsFor: go } } });
  const acknowledged: string[] = [];
  const refused: string[] = [];

  for (let index = 0; refused.length < 3 && index < 200; index += 1) {
    const path = setting(`s${index}`);
    const reply = await server.call("PUT", path, { body: bulky });
    if (reply.status === 200) {
      acknowledged.push(path);
    } else {
      assert.deepEqual([reply.status, reply.code], [507, "InsufficientStorage"]);
      refused.push(path);
    }
  }

  assert.ok(acknowledged.length > 5 && refused.length === 3, `${acknowledged.length} of 4 MB fitted`);
  await assertKept();
  assert.equal((await server.call("GET", "/healthz")).status, 200);
  await writeFile(go, ""); // the operation's work ends now, and that cannot be stored

  await server.liftFileLimit();

  assert.equal((await server.call("PUT", setting("later"), { body: bulky })).status, 200);
  assert.equal((await server.settle(operation))["status"], "Succeeded");
  await assertKept();
  await server.end("SIGKILL");
  await using again = await startTestServer({ directory: join(directory, "data") });
  for (const path of [...acknowledged, setting("later")]) {
    assert.equal((await again.call("GET", path)).status, 200, path);
  }

  async function assertKept(): Promise<void> {
    for (const path of acknowledged) {
      assert.equal((await server.call("GET", path)).status, 200, path);
    }
    for (const path of refused) {
      assert.equal((await server.call("GET", path)).status, 404, path);
    }
  }
});
