import { DatabaseError, Pool } from "pg";
import type { ClientConfig, PoolClient, QueryConfig } from "pg";
import type { Logger } from "@rad/core";
import { StoreError } from "../store.ts";
import { AnswerWatch } from "./answer-watch.ts";
import { translate } from "./errors.ts";
import { PreparedQuery, PreparedStatement, type SqlValue } from "./prepared-query.ts";

/** Runs statements, on whatever connection is free or inside one transaction. */
export interface Sql {
  query<Row>(text: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /** Any number of statements, without values. */
  script(text: string): Promise<void>;
}

/** For a lane: plans are made once, with an index for everything, also while a table is still empty. */
export const planOnce = "SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan";

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly log: Logger;
  /** `false` where something between us and PostgreSQL gives every transaction another connection. */
  readonly preparedStatements: boolean;
  readonly onError?: ((error: StoreError) => void) | undefined;
}

/** The one place that knows `pg`'s pool. Statements are prepared once per connection and kept, where that is allowed. */
export class Database implements Sql {
  readonly #pool: Pool;
  readonly #statements = new Map<string, PreparedStatement>();
  readonly #prepares: boolean;
  readonly #lanes: Lane[] = [];
  readonly #onError: DatabaseOptions["onError"];

  constructor({ url, poolSize, log, preparedStatements, onError }: DatabaseOptions) {
    this.#onError = onError;
    this.#prepares = preparedStatements;
    const config = preparedStatements ? connectionConfig(url) : pooledConfig(url);
    this.#pool = new Pool({ ...config, max: poolSize, idleTimeoutMillis: 30_000 });
    // Without listeners a connection that breaks while nobody waits on it would end the process.
    this.#pool.on("error", (error) => log.debug("lost an idle database connection", { error: error.message }));
    this.#pool.on("connect", (client) => {
      client.on("error", (error) => log.debug("database connection failed", { error: error.message }));
    });
  }

  async query<Row>(text: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    try {
      const result = await this.#pool.query(this.#statement(text, values));
      return result.rows as Row[];
    } catch (error) {
      throw this.#failure(error);
    }
  }

  async script(text: string): Promise<void> {
    await this.#pool.query(text);
  }

  /** Runs `work` between BEGIN and COMMIT. For what is rare: everything else takes one statement. */
  async transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    try {
      return await this.#attempt(work);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Whether a connection is ours from one transaction to the next. */
  get keepsSessions(): boolean {
    return this.#prepares;
  }

  /** A connection for one statement after the other. @param settings for it, where connections are kept */
  lane(settings?: string): Sql {
    const lane = new Lane(this.#pool, this.keepsSessions ? settings : undefined, (error) => this.#failure(error));
    this.#lanes.push(lane);
    return {
      query: <Row>(text: string, values: readonly SqlValue[] = []): Promise<Row[]> =>
        (this.#prepares
          ? lane.run(this.#prepared(text), values)
          : lane.query({ text, values: [...values] })) as Promise<Row[]>,
      script: (text) => this.script(text),
    };
  }

  async close(): Promise<void> {
    this.#lanes.forEach((lane) => lane.close());
    await this.#pool.end();
  }

  #failure(error: unknown): unknown {
    const translated = translate(error);
    if (translated instanceof StoreError) {
      this.#onError?.(translated);
    }
    return translated;
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
      query: async <Row>(text: string, values: readonly SqlValue[] = []): Promise<Row[]> => {
        const result = await client.query(this.#statement(text, values));
        return result.rows as Row[];
      },
      script: async (text) => void (await client.query(text)),
    };
  }

  #statement(text: string, values: readonly SqlValue[]): QueryConfig {
    return this.#prepares
      ? { name: this.#prepared(text).name, text, values: [...values] }
      : { text, values: [...values] };
  }

  #prepared(text: string): PreparedStatement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = new PreparedStatement(`rad_${this.#statements.size}`, text);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

/** Keeps a connection of the pool, until that breaks, instead of fetching and returning one for each statement. */
class Lane {
  readonly #pool: Pool;
  readonly #settings: string | undefined;
  readonly #failure: (error: unknown) => unknown;
  #client: PoolClient | undefined;
  #watch: AnswerWatch | undefined;
  #isClosed = false;

  /** @param failure what is thrown for an error of the database */
  constructor(pool: Pool, settings: string | undefined, failure: (error: unknown) => unknown) {
    this.#pool = pool;
    this.#settings = settings;
    this.#failure = failure;
  }

  async query(statement: QueryConfig): Promise<unknown[]> {
    const client = this.#client ?? (await this.#connect());
    try {
      return (await client.query(statement)).rows as unknown[];
    } catch (error) {
      this.#dropIfBroken(client, error);
      throw this.#failure(error);
    }
  }

  /** As `query`, with less work for the statements that are run most: each promise on their way is felt. */
  run(statement: PreparedStatement, values: readonly SqlValue[]): Promise<unknown[]> {
    const client = this.#client;
    return client === undefined
      ? this.#connect().then((connected) => this.#runOn(connected, statement, values))
      : this.#runOn(client, statement, values);
  }

  #runOn(client: PoolClient, statement: PreparedStatement, values: readonly SqlValue[]): Promise<unknown[]> {
    const watch = (this.#watch ??= watchAnswers(client));
    return new Promise((resolve, reject) => {
      watch.sent();
      client.query(
        new PreparedQuery(statement, values, (error, rows = []) => {
          watch.answered();
          if (error === null || error === undefined) {
            resolve(rows);
            return;
          }
          this.#dropIfBroken(client, error);
          reject(this.#failure(error));
        }),
      );
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#watch?.stop();
    this.#client?.release();
    this.#client = undefined;
  }

  async #connect(): Promise<PoolClient> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw this.#failure(error);
    });
    try {
      if (this.#settings !== undefined) {
        await client.query(this.#settings);
      }
      if (this.#isClosed) {
        throw new Error("The connection was closed before its first statement"); // the pool waits for its return
      }
    } catch (error) {
      client.release(true);
      throw this.#failure(error);
    }
    client.once("error", () => this.#drop(client));
    client.once("end", () => this.#drop(client));
    this.#client = client;
    return client;
  }

  /** Without an answer it would keep the next statement waiting, too. */
  #dropIfBroken(client: PoolClient, error: unknown): void {
    if (!(error instanceof DatabaseError)) {
      this.#drop(client);
    }
  }

  #drop(client: PoolClient): void {
    if (this.#client === client) {
      this.#client = undefined;
      this.#watch?.stop();
      this.#watch = undefined;
      client.release(true);
    }
  }
}

/** What the types of `pg` leave out. */
interface TimedClient extends PoolClient {
  readonly connectionParameters: { query_timeout?: number | string | false };
}

/** For a URL that says that there is no limit. */
const longestTimerMs = 2 ** 31 - 1;

/** Takes over from the client, whose statements then have no timers of their own. */
function watchAnswers(client: PoolClient): AnswerWatch {
  const { connection, connectionParameters } = client as TimedClient;
  const limitMs = Number(connectionParameters.query_timeout) || longestTimerMs;
  connectionParameters.query_timeout = false;
  return new AnswerWatch(limitMs, () => connection.stream.destroy(new Error(`timeout: no answer in ${limitMs} ms`)));
}

/**
 * For connections that are ours alone. A process that stands still in the middle of a transaction (SIGSTOP) loses it after
 * ten seconds, so that the rows it locked are free before the leases it held have to be taken over.
 */
export function connectionConfig(url: string): ClientConfig {
  return {
    ...pooledConfig(url),
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 10_000,
    // Every statement of a function has to see what others committed while it waited for a lock.
    options: "-c default_transaction_isolation=read\\ committed",
  };
}

/** For any connection: a pooler keeps connections for itself, and refuses to set what would stay behind on them. */
function pooledConfig(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: "radius",
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 35_000,
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
