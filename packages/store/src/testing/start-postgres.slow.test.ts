import assert from "node:assert/strict";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { Client } from "pg";
import { until } from "@rad/core/testing";
import { startTestProcess } from "./child-process.ts";

const holder = new URL("hold-postgres.ts", import.meta.url);

it("starts twice at once with nothing prepared, and leaves nothing behind when the tests are killed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "radius-postgres-test-"));
  await chmod(folder, 0o777);
  try {
    await using one = startTestProcess(holder, [], { TMPDIR: folder });
    await using two = startTestProcess(holder, [], { TMPDIR: folder });
    const urls = (await Promise.all([one.nextLine(), two.nextLine()])) as string[];
    const before = await Promise.all(urls.map(answers));
    await one.kill("SIGKILL");
    await two.kill("SIGKILL");

    assert.deepEqual(before, [true, true]);
    for (const url of urls) {
      await until("the server is gone", async () => !(await answers(url)));
    }
    await until("its files are gone", async () => (await readdir(folder)).length === 1);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("does not need the temporary folder to be open to others", async () => {
  const folder = await mkdtemp(join(tmpdir(), "radius-postgres-test-"));
  try {
    await using holding = startTestProcess(holder, [], { TMPDIR: folder });

    assert.equal(await answers((await holding.nextLine()) as string), true);
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {}); // a server that goes away is what the test waits for
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
