import { randomUUID } from "node:crypto";
import type { Logger } from "@rad/core";
import { EventHub } from "../events.ts";
import { checkKeys } from "../sealing/check-keys.ts";
import type { KeyHistory } from "../sealing/check-keys.ts";
import { KeyRing } from "../sealing/key-ring.ts";
import type { KeyRingSource } from "../sealing/key-ring.ts";
import { StoreError } from "../store.ts";
import type { Store } from "../store.ts";
import { closeIntents, startUpkeep } from "../upkeep.ts";
import { Database } from "./database.ts";
import type { Sql } from "./database.ts";
import { isMisconfigured, translate } from "./errors.ts";
import { Listener } from "./listener.ts";
import { migrate, schemaVersion } from "./migrations.ts";
import { anyDocument } from "./notifications.ts";
import { PostgresStore } from "./postgres-store.ts";

export interface PostgresStoreOptions {
  /** `postgresql://user:password@host:5432/database` */
  readonly url: string;
  readonly keys: KeyRingSource;
  readonly log: Logger;
  /** Told about every call that PostgreSQL or the network made fail. */
  readonly onError?: ((error: StoreError) => void) | undefined;
  /** Connections besides the one that listens. Default 10. */
  readonly poolSize?: number | undefined;
  /** The longest lease of anybody, so also how soon others close the audit intents of a dead process. Default 30 seconds. */
  readonly leaseMs?: number | undefined;
  /** `false` behind a pooler that gives every transaction another connection. Default `true`. */
  readonly preparedStatements?: boolean | undefined;
  /** Where to listen for changes, if not at `url`: a pooler passes no notifications on. */
  readonly listenUrl?: string | undefined;
}

/** Any number, as long as nothing else in the database uses it. */
const migrationLock = 7_236_100;

/**
 * Connects, brings the schema up to date and starts to listen for what other processes do.
 * @throws StoreError `Unavailable` when PostgreSQL does not answer, `CannotOpen` when starting again would not help.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, log } = options;
  for (const each of [url, options.listenUrl ?? url]) {
    if (!URL.canParse(each) || !/^postgres(ql)?:$/.test(new URL(each).protocol)) {
      // The text stays out of the message: it may hold a password.
      throw new StoreError("CannotOpen", "The PostgreSQL URL must look like postgresql://user@host:5432/database.");
    }
  }
  if (options.preparedStatements === false && options.listenUrl === undefined) {
    throw new StoreError(
      "CannotOpen",
      "Behind a pooler, a URL is needed that leads to PostgreSQL itself, to listen for changes.",
    );
  }
  const ring = new KeyRing(options.keys);
  const events = new EventHub(log);
  const sender = randomUUID();
  const { poolSize = 10, preparedStatements = true, listenUrl = url } = options;
  const database = new Database({ url, poolSize, log, preparedStatements, onError: options.onError });
  const leaseMs = options.leaseMs ?? 30_000;
  const store = new PostgresStore({ database, ring, events, sender, leaseMs });
  store.own({ [Symbol.asyncDispose]: () => database.close() });
  const listener = new Listener({
    url: listenUrl,
    log,
    receiver: sender,
    onEvents: (received) => events.emit(received),
    onReconnect: () =>
      events.emit([anyDocument, ...store.operations.queuesTaken.map((queue) => ({ kind: "work", queue }) as const)]),
  });
  store.own(listener);
  try {
    await database.transaction(async (sql) => {
      await requireReadCommitted(sql);
      await prepareSchema(sql, ring);
    });
    await listener.start();
    store.own(
      startUpkeep(leaseMs / 3, async () => {
        await store.keepTime();
        await closeIntents(store.audit, log);
      }),
    );
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw explain(url, error);
  }
  return store;
}

/** One transaction under a lock: of several processes that start at once, the first does the work. */
async function prepareSchema(sql: Sql, ring: KeyRing): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
  const version = await schemaVersion(sql);
  const unchecked = checkKeys(ring, version === 0 ? { checks: [], inUse: [] } : await keyHistory(sql));
  await migrate(sql, version);
  for (const keyId of unchecked) {
    await sql.query("INSERT INTO key_checks (key_id, check_value) VALUES ($1, $2)", [keyId, ring.makeCheck(keyId)]);
  }
}

/** @throws StoreError `CannotOpen` where a transaction would not see what others committed while it waited for them. */
async function requireReadCommitted(sql: Sql): Promise<void> {
  const [row] = await sql.query<{ level: string }>("SELECT current_setting('transaction_isolation') AS level");
  if (row?.level !== "read committed") {
    throw new StoreError(
      "CannotOpen",
      `Transactions are '${row?.level}' by default here; set default_transaction_isolation to 'read committed'.`,
    );
  }
}

async function keyHistory(sql: Sql): Promise<KeyHistory> {
  const inUse = await sql.query<{ id: string }>(
    "SELECT DISTINCT sealed_key_id AS id FROM documents WHERE sealed_key_id IS NOT NULL",
  );
  return {
    checks: await sql.query("SELECT key_id, check_value FROM key_checks"),
    inUse: inUse.map((row) => row.id),
  };
}

function explain(url: string, thrown: unknown): unknown {
  const error = translate(thrown);
  if (!(error instanceof StoreError) || error.code === "CannotOpen") {
    return error;
  }
  const { host, pathname } = new URL(url);
  const code = isMisconfigured(error) ? "CannotOpen" : error.code;
  return new StoreError(code, `The database at ${host}${pathname} cannot be opened: ${error.message}`, {
    cause: error,
  });
}
