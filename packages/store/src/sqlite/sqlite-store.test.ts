import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { silentLogger } from "@rad/core";
import type { KeyRingSource } from "../sealing/key-ring.ts";
import type { Store } from "../store.ts";
import type { StoreFixture } from "../testing/contract/fixture.ts";
import { oldKey } from "../testing/contract/keys.ts";
import { describeStore } from "../testing/describe-store.ts";
import { FakeClock } from "@rad/core/testing";
import { openSqliteStore } from "./open-sqlite-store.ts";

describeStore("SQLite", async () => {
  const directory = await mkdtemp(join(tmpdir(), "radius-store-"));
  const fixture = new SqliteFixture(directory);
  await fixture.reopen({ keys: [oldKey] });
  return fixture;
});

class SqliteFixture implements StoreFixture {
  readonly #directory: string;
  readonly #clock = new FakeClock();
  #store: Store | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  get store(): Store {
    if (this.#store === undefined) {
      throw new Error("The store is not open.");
    }
    return this.#store;
  }

  async advance(ms: number): Promise<void> {
    this.#clock.advance(ms);
  }

  async setClockBack(ms: number, meanwhile?: () => Promise<void>): Promise<void> {
    this.#clock.jump(-ms);
    await meanwhile?.();
  }

  async reopen(keys?: KeyRingSource): Promise<Store> {
    await this.#store?.[Symbol.asyncDispose]();
    this.#store = await openSqliteStore({ directory: this.#directory, keys, clock: this.#clock, log: silentLogger });
    return this.#store;
  }

  async overwrite(id: string, columns: Readonly<Record<string, string>>): Promise<void> {
    await this.#store?.[Symbol.asyncDispose]();
    const database = new DatabaseSync(join(this.#directory, "radius.db"));
    const sets = Object.keys(columns).map((column) => `${column} = ?`);
    const values = [...Object.values(columns), id.toLowerCase()];
    database.prepare(`UPDATE documents SET ${sets.join(", ")} WHERE key = ?`).run(...values);
    database.close();
    await this.reopen({ keys: [oldKey] });
  }

  async contents(): Promise<string> {
    const files = await readdir(this.#directory);
    const texts = await Promise.all(files.map((file) => readFile(join(this.#directory, file), "latin1")));
    return texts.join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store?.[Symbol.asyncDispose]();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
