import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "pg";
import type { ClientConfig, PoolClient } from "pg";
import type { Logger } from "@rad/core";
import { StoreError } from "../store.ts";
import { isTransient, translate } from "./errors.ts";

/** Runs statements, on whatever connection is free or inside one transaction. */
export interface Sql {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Thrown inside a transaction to run it again, because another one has just changed what it had read. */
export class TryAgain extends Error {
  override readonly name = "TryAgain";
}

const maxAttempts = 6;

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly log: Logger;
}

/** The one place that knows `pg`'s pool. Statements are prepared once per connection and kept. */
export class Database implements Sql {
  readonly #pool: Pool;
  readonly #names = new Map<string, string>();

  constructor({ url, poolSize, log }: DatabaseOptions) {
    this.#pool = new Pool({ ...connectionConfig(url), max: poolSize, idleTimeoutMillis: 30_000 });
    // Without listeners a connection that breaks while nobody waits on it would end the process.
    this.#pool.on("error", (error) => log.warn("lost an idle database connection", { error: error.message }));
    this.#pool.on("connect", (client) => {
      client.on("error", (error) => log.debug("database connection failed", { error: error.message }));
    });
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      const result = await this.#pool.query({ name: this.#nameOf(text), text, values: [...values] });
      return result.rows as Row[];
    } catch (error) {
      throw translate(error);
    }
  }

  /** Runs `work` between BEGIN and COMMIT, again when PostgreSQL picked it to break a deadlock. */
  async transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(work);
      } catch (error) {
        const isRace = error instanceof TryAgain;
        if (isRace && attempt === maxAttempts) {
          throw new StoreError("Unavailable", "Too many others are writing the same document.", { cause: error });
        }
        if (!(isRace || isTransient(error)) || attempt === maxAttempts) {
          throw translate(error);
        }
        await delay(randomInt(5 * 2 ** attempt));
      }
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #attempt<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let healthy = false;
    try {
      await client.query("BEGIN");
      const result = await work(this.#on(client));
      await client.query("COMMIT");
      healthy = true;
      return result;
    } catch (error) {
      healthy = await rollBack(client);
      throw error;
    } finally {
      client.release(!healthy);
    }
  }

  #on(client: PoolClient): Sql {
    return {
      query: async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
        const result = await client.query({ name: this.#nameOf(text), text, values: [...values] });
        return result.rows as Row[];
      },
    };
  }

  #nameOf(text: string): string {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `rad_${this.#names.size}`;
      this.#names.set(text, name);
    }
    return name;
  }
}

/**
 * What every connection shares. A process that stands still in the middle of a transaction (SIGSTOP) loses it after
 * ten seconds, so that the rows it locked are free before the leases it held have to be taken over.
 */
export function connectionConfig(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: "radius",
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 10_000,
  };
}

/** @returns whether the connection is fit for further use. */
async function rollBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query("ROLLBACK");
    return true;
  } catch {
    return false; // the error that led here says more than this one
  }
}
