import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue, StatementSync } from "node:sqlite";
import { StoreError } from "../store.ts";

export type SqlValue = SQLInputValue;

/** The one place that knows `node:sqlite`. Statements are prepared once and kept. */
export class Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #onError: ((error: StoreError) => void) | undefined;

  /** @param onError told about every call that the disk or another process made fail */
  constructor(path: string, busyTimeoutMs: number, onError?: (error: StoreError) => void) {
    this.#onError = onError;
    this.#database = translating(() => new DatabaseSync(path, { timeout: busyTimeoutMs }));
  }

  get isOpen(): boolean {
    return this.#database.isOpen;
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Several statements at once, without parameters. */
  script(sql: string): void {
    this.#translating(() => this.#opened().exec(sql));
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the columns it selects
  get<Row>(sql: string, values: readonly SqlValue[] = []): Row | undefined {
    return this.#translating(() => this.#statement(sql).get(...values) as Row | undefined);
  }

  /** `get` with parameters by name, for statements that use one several times. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the columns it selects
  getNamed<Row>(sql: string, values: Readonly<Record<string, SqlValue>>): Row | undefined {
    return this.#translating(() => this.#statement(sql).get(values) as Row | undefined);
  }

  all<Row>(sql: string, values: readonly SqlValue[] = []): Row[] {
    return this.#translating(() => this.#statement(sql).all(...values) as Row[]);
  }

  /** Row by row, so that the caller can stop early. Nothing else may use the statement meanwhile. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the columns it selects
  *each<Row>(sql: string, values: readonly SqlValue[]): Generator<Row, void> {
    const rows = this.#translating(() => this.#statement(sql).iterate(...values));
    try {
      for (;;) {
        const { done, value } = this.#translating(() => rows.next());
        if (done === true) {
          return;
        }
        yield value as Row;
      }
    } finally {
      rows.return?.();
    }
  }

  /** @returns the number of rows changed. */
  run(sql: string, values: readonly SqlValue[] = []): number {
    return this.#translating(() => Number(this.#statement(sql).run(...values).changes));
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #translating<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const translated = translate(error);
      if (isStorageFailure(translated)) {
        this.#onError?.(translated);
      }
      throw translated;
    }
  }

  #opened(): DatabaseSync {
    if (!this.#database.isOpen) {
      throw new StoreError("Unavailable", "The store is closed.");
    }
    return this.#database;
  }

  #statement(sql: string): StatementSync {
    const database = this.#opened();
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** True for the failures after which SQLite may have rolled the whole transaction back. */
export function isStorageFailure(error: unknown): error is StoreError {
  return error instanceof StoreError && ["NotWritable", "Unavailable", "CannotOpen"].includes(error.code);
}

function translating<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translate(error);
  }
}

/** Primary result codes, https://sqlite.org/rescode.html */
const resultCodes = { busy: 5, locked: 6, readonly: 8, ioError: 10, corrupt: 11, full: 13, cantOpen: 14, notADb: 26 };

function translate(error: unknown): unknown {
  const extended = (error as { errcode?: unknown } | undefined)?.errcode;
  if (!(error instanceof Error) || typeof extended !== "number") {
    return error;
  }
  const fail = (code: StoreError["code"], message: string): StoreError =>
    new StoreError(code, message, { cause: error });
  switch (extended & 0xff) {
    case resultCodes.full:
      return fail("NotWritable", "The database cannot grow: no space is left.");
    case resultCodes.readonly:
    case resultCodes.ioError:
    case resultCodes.cantOpen:
      return fail("NotWritable", `The database files cannot be written: ${error.message}.`);
    case resultCodes.corrupt:
    case resultCodes.notADb:
      return fail("CannotOpen", `The database file is damaged: ${error.message}.`);
    case resultCodes.busy:
    case resultCodes.locked:
      return fail("Unavailable", `The database is in use: ${error.message}.`);
    default:
      return error;
  }
}
