import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, it } from "node:test";
import { silentLogger } from "@rad/core";
import { until } from "@rad/core/testing";
import { createKeyFile, openPostgresStore, type Store } from "@rad/store";
import { type PostgresServer, startPostgres } from "@rad/store/testing";
import {
  ensureBootstrapToken,
  followBootstrapToken,
  readBootstrapToken,
  renewBootstrapToken,
} from "./bootstrap-token.ts";

let postgres: PostgresServer;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres[Symbol.asyncDispose]());

let folder: string;
let stores: readonly [Store, Store];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "radius-bootstrap-"));
  const url = await postgres.createDatabase();
  const keys = await createKeyFile(join(folder, "keys"));
  const open = (): Promise<Store> => openPostgresStore({ url, keys, log: silentLogger });
  stores = [await open(), await open()];
});
afterEach(async () => {
  await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
  await rm(folder, { recursive: true });
});

const hashIn = async (file: string): Promise<string> => hash("sha256", (await readFile(file, "utf8")).trim(), "hex");

it("two processes that start at once on one machine make one token, which only its owner can read", async () => {
  const file = join(folder, "deep", "token");

  const made = await Promise.all(stores.map((store) => ensureBootstrapToken(store, file)));

  const sha256 = await hashIn(file);
  assert.deepEqual(made, [
    { sha256, isHere: true },
    { sha256, isHere: true },
  ]);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

it("of two machines that start at once one has the token, and both accept it", async () => {
  const files = [join(folder, "one"), join(folder, "two")];

  const made = await Promise.all(stores.map((store, index) => ensureBootstrapToken(store, files[index] ?? "")));

  const there = await Promise.all(files.map((file) => hashIn(file).catch(() => undefined)));
  assert.equal(there.filter((sha256) => sha256 !== undefined).length, 1);
  const [sha256] = there.filter((each) => each !== undefined);
  assert.deepEqual(
    made.map((token) => token.sha256),
    [sha256, sha256],
  );
  assert.deepEqual(
    made.map((token) => token.isHere),
    there.map((each) => each !== undefined),
  );
});

it("a crash between the file and the database is repaired with the same token", async () => {
  const [store] = stores;
  const file = join(folder, "token");
  await writeFile(file, `rad_${"x".repeat(43)}\n`, { mode: 0o600 });

  const { sha256, isHere } = await ensureBootstrapToken(store, file);

  assert.deepEqual([sha256, isHere], [await hashIn(file), true]);
});

it("a renewed token is taken over by every process", async () => {
  const [store, other] = stores;
  const file = join(folder, "token");
  const { sha256 } = await ensureBootstrapToken(store, file);
  const used: string[] = [];
  using _ = followBootstrapToken(other, (renewed) => used.push(renewed), silentLogger);

  await renewBootstrapToken(store, file);

  const now = await hashIn(file);
  assert.notEqual(now, sha256);
  assert.equal(await readBootstrapToken(store), now);
  await until("the other process knows", () => used.includes(now));
});

it("a file of somebody else, or with something else in it, is refused", async () => {
  const [store] = stores;
  const file = join(folder, "token");
  await writeFile(file, "rad_x\n", { mode: 0o600 });
  await assert.rejects(ensureBootstrapToken(store, file), { code: "InvalidLocalToken", message: /damaged/ });
  await chmod(file, 0o644);

  await assert.rejects(ensureBootstrapToken(store, file), { code: "InvalidLocalToken", message: /chmod 600/ });
  assert.equal(await readBootstrapToken(store), undefined);
});
