import assert from "node:assert/strict";
import { after, before } from "node:test";
import { Client } from "pg";
import { silentLogger } from "@rad/core";
import type { KeyRingSource } from "../sealing/key-ring.ts";
import type { Store } from "../store.ts";
import type { StoreFixture } from "../testing/contract/fixture.ts";
import { oldKey } from "../testing/contract/keys.ts";
import { describeStore } from "../testing/describe-store.ts";
import { startPostgres } from "../testing/start-postgres.ts";
import type { PostgresServer } from "../testing/start-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { PostgresStore } from "./postgres-store.ts";

let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

describeStore("PostgreSQL", async () => {
  const fixture = new PostgresFixture(await server.createDatabase());
  await fixture.reopen({ keys: [oldKey] });
  return fixture;
});

class PostgresFixture implements StoreFixture {
  readonly #url: string;
  #store: Store | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  get store(): Store {
    if (this.#store === undefined) {
      throw new Error("The store is not open.");
    }
    return this.#store;
  }

  /** The store uses the database's clock, so what is stored moves into the past instead. */
  async advance(ms: number): Promise<void> {
    const columns = ["created_at", "deadline_at", "started_at", "ended_at", "run_after", "lease_expires"];
    const shifts = columns.map((column) => `${column} = ${column} - interval '${ms} milliseconds'`);
    await this.#query(`UPDATE operations SET ${shifts.join(", ")}`);
    await this.#query(`UPDATE open_intents SET lease_expires = lease_expires - interval '${ms} milliseconds'`);
    await this.#query(`UPDATE audit SET stored_at = stored_at - interval '${ms} milliseconds'`);
  }

  /** Whatever was stored lies in the future then. */
  async setClockBack(ms: number, meanwhile?: () => Promise<void>): Promise<void> {
    await this.advance(-ms);
    await meanwhile?.();
    await this.#query(`UPDATE store_time SET now = now + interval '${ms} milliseconds'`);
    assert.ok(this.store instanceof PostgresStore);
    await this.store.keepTime();
  }

  async reopen(keys: KeyRingSource = { keys: [oldKey] }): Promise<Store> {
    await this.#store?.[Symbol.asyncDispose]();
    this.#store = await openPostgresStore({ url: this.#url, keys, log: silentLogger });
    return this.#store;
  }

  async overwrite(id: string, columns: Readonly<Record<string, string>>): Promise<void> {
    const sets = Object.keys(columns).map((column, index) => `${column} = $${index + 2}`);
    await this.#query(`UPDATE documents SET ${sets.join(", ")} WHERE key = $1`, [
      id.toLowerCase(),
      ...Object.values(columns),
    ]);
  }

  async contents(): Promise<string> {
    const tables = ["documents", "operations", "audit", "key_checks"];
    const rows = await Promise.all(tables.map((table) => this.#query(`SELECT ${table}::text AS text FROM ${table}`)));
    return rows
      .flat()
      .map((row) => row.text)
      .join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store?.[Symbol.asyncDispose]();
  }

  async #query(text: string, values: readonly string[] = []): Promise<{ readonly text: string }[]> {
    const client = new Client({ connectionString: this.#url });
    await client.connect();
    try {
      return (await client.query<{ text: string }>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  }
}
