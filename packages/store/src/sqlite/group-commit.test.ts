import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import type { StoreEvent } from "../store.ts";
import { Database } from "./database.ts";
import { GroupCommit } from "./group-commit.ts";

let folder: string;
let database: Database;
let events: StoreEvent[];
let writes: GroupCommit;
let syncs: number;
let spared: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "radius-group-commit-"));
  database = new Database(join(folder, "test.db"), 0);
  database.script("PRAGMA journal_mode = WAL; CREATE TABLE items (name TEXT PRIMARY KEY, data TEXT) STRICT");
  events = [];
  syncs = 0;
  spared = 0;
  writes = new GroupCommit({
    database,
    log: { start: () => (syncs += 1), spare: () => (spared += 1) },
    emit: (emitted) => events.push(...emitted),
  });
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

function insert(name: string, data = ""): number {
  return database.run("INSERT INTO items VALUES (?, ?)", [name, data]);
}

function names(): string[] {
  return database.all<{ name: string }>("SELECT name FROM items ORDER BY name").map((row) => row.name);
}

it("shows nothing of a write before it resolves", async () => {
  const write = writes.run(() => insert("a"));
  const before = names();
  await write;

  assert.deepEqual(before, []);
  assert.deepEqual(names(), ["a"]);
});

it("commits the writes of one turn together", async () => {
  const depths: boolean[] = [];
  await Promise.all(
    ["a", "b", "c"].map((name) => writes.run(() => depths.push(database.inTransaction) && insert(name))),
  );

  assert.deepEqual(depths, [true, true, true]);
  assert.equal(database.inTransaction, false);
  assert.deepEqual(names(), ["a", "b", "c"]);
});

it("commits large writes apart, so that none of them holds up the event loop for long", async () => {
  const transactions = new Map<string, number>();
  const write = (name: string, size: number): Promise<unknown> =>
    writes.run(
      () => {
        transactions.set(name, writes.transactions);
        insert(name);
      },
      "now",
      size,
    );
  await Promise.all([write("a", 8_000_000), write("b", 8_000_000), write("c", 10), write("d", 10)]);

  const [a = 0, b, c, d] = [...transactions.values()];
  assert.deepEqual([b, c, d], [a + 1, a + 2, a + 2]);
});

it("leaves no trace of a write that fails half-way, and keeps those around it", async () => {
  const refusal = new Error("refused");
  const results = await Promise.allSettled([
    writes.run(() => insert("a")),
    writes.run((announce) => {
      insert("b");
      announce({ kind: "document", type: "b" });
      throw refusal;
    }),
    writes.run((announce) => {
      announce({ kind: "document", type: "c" });
      return insert("c");
    }),
  ]);

  assert.deepEqual(
    results.map((result) => (result.status === "rejected" ? result.reason : result.value)),
    [1, refusal, 1],
  );
  assert.deepEqual(names(), ["a", "c"]);
  assert.deepEqual(events, [{ kind: "document", type: "c" }]);
});

it("keeps order and misses none when more is waiting than one batch takes", async () => {
  const order: number[] = [];

  await Promise.all(Array.from({ length: 700 }, (_, n) => writes.run(() => order.push(n) && insert(`n${n}`))));

  assert.deepEqual(
    order,
    Array.from({ length: 700 }, (_, n) => n),
  );
  assert.equal(names().length, 700);
});

it("rejects the whole batch when the disk is full, tells nobody, and works again once there is space", async () => {
  database.script("PRAGMA max_page_count = 12");
  const large = "x".repeat(100_000);

  const results = await Promise.allSettled([
    writes.run((announce) => {
      announce({ kind: "document", type: "a" });
      return insert("a");
    }),
    writes.run(() => insert("large", large)),
  ]);

  const codes = results.map((result) => (result.status === "rejected" ? result.reason.code : "stored"));
  assert.deepEqual(codes, ["NotWritable", "NotWritable"]);
  assert.deepEqual([names(), events], [[], []]);
  await writes.run(() => insert("small"));
  database.script("PRAGMA max_page_count = 100000");
  await writes.run(() => insert("large", large));
  assert.deepEqual(names(), ["large", "small"]);
});

it("rejects everything when the commit itself fails", async () => {
  database.script(`
    PRAGMA foreign_keys = ON;
    CREATE TABLE parents (id INTEGER PRIMARY KEY);
    CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)`);

  const results = await Promise.allSettled([
    writes.run(() => insert("a")),
    writes.run(() => database.run("INSERT INTO children VALUES (1)")),
  ]);

  assert.deepEqual(
    results.map((result) => result.status),
    ["rejected", "rejected"],
  );
  assert.deepEqual(names(), []);
  await writes.run(() => insert("b"));
  assert.deepEqual(names(), ["b"]);
});

it("waits for the disk unless everything in the transaction can do without", async () => {
  const levels: unknown[] = [];
  const note = (): void => void levels.push(database.get<{ synchronous: number }>("PRAGMA synchronous")?.synchronous);

  await writes.run(note, "soon");
  await Promise.all([writes.run(note, "soon"), writes.run(note)]);
  await writes.run(note, "soon");
  await writes.run(note);

  const [normal, full] = [1, 2];
  assert.deepEqual(levels, [normal, full, full, normal, full]);
  assert.deepEqual({ syncs, spared }, { syncs: 2, spared: 2 });
});

it("what runs at once leaves no trace when it fails, and does not disturb those that wait", async () => {
  const waiting = writes.run((announce) => {
    insert("waiting");
    announce({ kind: "work", queue: "q" });
  });

  assert.throws(
    () =>
      writes.runAtOnce(() => {
        insert("failed");
        throw new Error("no");
      }),
    /^Error: no$/,
  );
  writes.runAtOnce(() => insert("ahead"));
  assert.deepEqual([names(), events], [["ahead"], []]);
  await waiting;

  assert.deepEqual(names(), ["ahead", "waiting"]);
  assert.equal(database.get<{ synchronous: number }>("PRAGMA synchronous")?.synchronous, 2);
});
