import assert from "node:assert/strict";
import { chmod, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, it } from "node:test";
import { silentLogger } from "@rad/core";
import { startTestProcess } from "../testing/child-process.ts";
import { accept, containerId, input, put } from "../testing/contract/fixture.ts";
import { StoreError } from "../store.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

const holder = new URL("../testing/hold-sqlite-store.ts", import.meta.url);
const log = silentLogger;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "radius-store-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("keeps folder and files to their owner", async () => {
  const directory = join(folder, "a", "b");
  await using store = await openSqliteStore({ directory, log });
  await put(store, input(containerId("web")));

  assert.equal((await stat(directory)).mode & 0o777, 0o700);
  for (const file of await readdir(directory)) {
    assert.equal((await stat(join(directory, file))).mode & 0o777, 0o600, file);
  }
});

it("closes a folder of ours that others can look into", async () => {
  await chmod(folder, 0o755);
  await using _store = await openSqliteStore({ directory: folder, log });
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});

for (const mode of [0o777, 0o770, 0o702]) {
  it(`refuses a folder that others can write to (${mode.toString(8)}), with the command that mends it`, async () => {
    await chmod(folder, mode);
    const command = `chmod 700 '${folder}'`;
    await assert.rejects(openSqliteStore({ directory: folder, log }), isCannotOpen(command));
    assert.deepEqual(await readdir(folder), [], "nothing is written into it");
  });
}

for (const file of ["radius.db", "radius.db-wal", "radius.lock", "key"]) {
  it(`refuses a folder in which ${file} is open to others`, async () => {
    await writeFile(join(folder, file), "", { mode: 0o600 });
    await chmod(join(folder, file), 0o644);
    await assert.rejects(
      openSqliteStore({ directory: folder, log }),
      isCannotOpen(`chmod 600 '${join(folder, file)}'`),
    );
  });
}

function isCannotOpen(command: string) {
  return (error: unknown): boolean =>
    error instanceof StoreError && error.code === "CannotOpen" && error.message.endsWith(`run: ${command}`);
}

it("finds everything again after it was closed", async () => {
  {
    await using store = await openSqliteStore({ directory: folder, log });
    await put(store, input(containerId("web"), { n: 1 }, { secrets: { "/p": "x" } }));
  }
  await using store = await openSqliteStore({ directory: folder, log });

  assert.deepEqual((await store.get(containerId("web")))?.body, { n: 1 });
  assert.deepEqual(await store.secrets(containerId("web")), { "/p": "x" });
});

it("brings a database of the first schema up to date, with operations that were between two attempts", async () => {
  let id: string;
  {
    await using store = await openSqliteStore({ directory: folder, log });
    id = await accept(store);
    const leased = await store.operations.take({ owner: "w", leaseMs: 60_000, queues: [{ name: "default" }] });
    assert.ok(leased);
    await store.operations.retryLater(leased.lease, 120_000, { code: "Internal", message: "no" });
  }
  const database = new DatabaseSync(join(folder, "radius.db"));
  database.exec(`DROP INDEX documents_top_level; DROP TABLE open_intents; ALTER TABLE audit DROP COLUMN intent_id; DROP TABLE store_time; DROP INDEX audit_by_age;
    ALTER TABLE audit DROP COLUMN stored_at; CREATE INDEX audit_by_time ON audit (time); DROP INDEX operations_by_age;
    ALTER TABLE operations DROP COLUMN kept_since; ALTER TABLE operations DROP COLUMN attempt_started_at;
    ALTER TABLE operations DROP COLUMN deaths;
    CREATE INDEX operations_ended ON operations (ended_at) WHERE ended_at IS NOT NULL; DROP TABLE operation_waits; DROP INDEX operations_ready; DROP INDEX operations_parked;
    DROP INDEX operations_awaited; ALTER TABLE operations DROP COLUMN identity;
    ALTER TABLE operations DROP COLUMN awaited_by; ALTER TABLE operations DROP COLUMN parked;
    CREATE INDEX operations_open ON operations (queue, seq) WHERE ended_at IS NULL;
    UPDATE schema_version SET version = 1`);
  database.close();

  await using store = await openSqliteStore({ directory: folder, log });
  const early = await store.operations.take({ owner: "w", leaseMs: 60_000, queues: [{ name: "default" }] });

  assert.equal(early, undefined);
  assert.equal((await store.operations.get(id))?.identity, undefined);
  assert.ok(((await store.operations.dueInMs(["default"])) ?? 0) > 60_000);
});

it("finishes the writes it has accepted before it closes", async () => {
  const store = await openSqliteStore({ directory: folder, log });
  const write = put(store, input(containerId("web")));
  await store[Symbol.asyncDispose]();
  await write;

  await using again = await openSqliteStore({ directory: folder, log });

  assert.ok(await again.get(containerId("web")));
});

it("makes a key only for a new database", async () => {
  {
    await using _store = await openSqliteStore({ directory: folder, log });
  }
  const key = await readFile(join(folder, "key"), "utf8");
  await rm(join(folder, "key"));

  await assert.rejects(openSqliteStore({ directory: folder, log }), { code: "CannotOpen" });
  await writeFile(join(folder, "key"), `${key.split(" ")[0]} ${Buffer.alloc(32).toString("base64")}\n`, {
    mode: 0o600,
  });
  await assert.rejects(openSqliteStore({ directory: folder, log }), { code: "CannotOpen" });

  await writeFile(join(folder, "key"), key);
  await using _store = await openSqliteStore({ directory: folder, log });
});

it("uses the key that an interrupted first start has left", async () => {
  {
    await using _store = await openSqliteStore({ directory: folder, log });
  }
  const key = await readFile(join(folder, "key"), "utf8");
  await truncate(join(folder, "radius.db"));
  await rm(join(folder, "radius.db-wal"), { force: true });

  await using _store = await openSqliteStore({ directory: folder, log });

  assert.equal(await readFile(join(folder, "key"), "utf8"), key);
});

it("refuses a second store on the same folder, in the same process", async () => {
  await using store = await openSqliteStore({ directory: folder, log });

  await assert.rejects(openSqliteStore({ directory: folder, log }), { code: "CannotOpen" });

  await put(store, input(containerId("web")));
});

it("refuses a second process, also after this one tried twice and its files were read", async () => {
  await using _store = await openSqliteStore({ directory: folder, log });
  await assert.rejects(openSqliteStore({ directory: folder, log }), { code: "CannotOpen" });
  await readFile(join(folder, "radius.db"));

  await using child = startTestProcess(holder, [folder]);
  const answer = (await child.nextLine()) as { opened: boolean; code: string; message: string };

  assert.deepEqual([answer.opened, answer.code], [false, "CannotOpen"]);
  assert.ok(answer.message.includes(folder) && answer.message.includes(`pid ${process.pid}`), answer.message);
});

it("gets the folder, the data and the dead worker's operations back after kill -9", async () => {
  let id: string;
  {
    await using store = await openSqliteStore({ directory: folder, log });
    id = await accept(store);
  }
  await using child = startTestProcess(holder, [folder, "take"]);
  assert.deepEqual(await child.nextLine(), { opened: true, operation: id });
  await assert.rejects(openSqliteStore({ directory: folder, log }), { code: "CannotOpen" });

  await child.kill("SIGKILL");
  await using store = await openSqliteStore({ directory: folder, log });
  const taken = await store.operations.take({ owner: "next", leaseMs: 1_000, queues: [{ name: "default" }] });

  assert.deepEqual([taken?.operation.id, taken?.operation.attempt, taken?.lease.fence], [id, 1, 3]);
  assert.equal(taken?.operation.deaths.length, 1);
});

it("keeps what the disk was to get later after kill -9", async () => {
  await using child = startTestProcess(holder, [folder, "write"]);
  assert.deepEqual(await child.nextLine(), { opened: true });

  await child.kill("SIGKILL");
  await using store = await openSqliteStore({ directory: folder, log });

  for (const name of ["soon0", "soon49"]) {
    assert.ok((await store.get(containerId(name))) !== undefined, name);
  }
});

it("lets exactly one of two processes that start at once create the database", async () => {
  const directory = join(folder, "new");
  await using one = startTestProcess(holder, [directory]);
  await using two = startTestProcess(holder, [directory]);

  const answers = (await Promise.all([one.nextLine(), two.nextLine()])) as { opened: boolean; code?: string }[];

  assert.deepEqual(answers.map((answer) => answer.code ?? "opened").sort(), ["CannotOpen", "opened"]);
});

it("refuses a schema that is newer than it knows", async () => {
  {
    await using _store = await openSqliteStore({ directory: folder, log });
  }
  const database = new DatabaseSync(join(folder, "radius.db"));
  database.exec("UPDATE schema_version SET version = 999");
  database.close();

  await assert.rejects(openSqliteStore({ directory: folder, log }), { code: "CannotOpen" });
});

it("refuses a damaged database file and leaves it alone", async () => {
  const garbage = "this is not a database ".repeat(400);
  await writeFile(join(folder, "radius.db"), garbage);

  await assert.rejects(openSqliteStore({ directory: folder, log }), { code: "CannotOpen" });

  assert.equal(await readFile(join(folder, "radius.db"), "utf8"), garbage);
});

it("refuses a database whose pages were overwritten", async () => {
  {
    await using _store = await openSqliteStore({ directory: folder, log });
  }
  {
    await using file = await open(join(folder, "radius.db"), "r+");
    await file.write(Buffer.alloc(3_900, 0xff), 0, 3_900, 100);
  }

  await assert.rejects(openSqliteStore({ directory: folder, log }), { code: "CannotOpen" });
});

it("says why a folder cannot hold a database", async () => {
  await writeFile(join(folder, "file"), "");

  await assert.rejects(openSqliteStore({ directory: join(folder, "file"), log }), { code: "CannotOpen" });
  await assert.rejects(openSqliteStore({ directory: join(folder, "file", "below"), log }), { code: "CannotOpen" });
  await assert.rejects(openSqliteStore({ directory: "/proc/radius", log }), { code: "NotWritable" });
});

it("gives the folder free when it could not open", async () => {
  await writeFile(join(folder, "radius.db"), "this is not a database ".repeat(400));
  await assert.rejects(openSqliteStore({ directory: folder, log }), { code: "CannotOpen" });
  await rm(join(folder, "radius.db"));

  await using _store = await openSqliteStore({ directory: folder, log });
});

it("notices that a lease is lost between two writes of one transaction", async () => {
  await using store = await openSqliteStore({ directory: folder, log });
  const id = await accept(store);
  const taken = await store.operations.take({ owner: "w", leaseMs: 60_000, queues: [{ name: "default" }] });
  assert.ok(taken !== undefined);
  const { lease } = taken;
  const step = (name: string) =>
    store.write({ lease, document: { kind: "put", input: input(containerId(name)), expect: "any" } });

  const writes = await Promise.allSettled([step("a"), step("b"), store.write({ supersede: id }), step("c")]);

  assert.deepEqual(
    writes.map((write) => (write.status === "rejected" ? write.reason.code : "stored")),
    ["stored", "stored", "stored", "LeaseLost"],
  );
  assert.equal(await store.get(containerId("c")), undefined);
});
