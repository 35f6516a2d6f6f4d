import { StoreError } from "../store.ts";
import { auditFunctions } from "./audit-functions.ts";
import type { Sql } from "./database.ts";
import { documentFunctions } from "./document-functions.ts";
import { operationFunctions, wakeAllFunction } from "./operation-functions.ts";
import { takeFunctions } from "./take-function.ts";
import { writeFunctions } from "./write-function.ts";

/** Applied in order. One that has been released never changes. */
const migrations: readonly string[] = [
  `CREATE TABLE documents (
     key text COLLATE "C" PRIMARY KEY,
     id text NOT NULL,
     type_key text COLLATE "C" NOT NULL,
     type text NOT NULL,
     type_depth integer NOT NULL,
     api_version text NOT NULL,
     etag text NOT NULL,
     operation_id text,
     body text NOT NULL,
     sealed text,
     sealed_key_id text
   );
   CREATE UNIQUE INDEX documents_by_type ON documents (type_key, key);
   CREATE INDEX documents_sealed ON documents (sealed_key_id, key) WHERE sealed_key_id IS NOT NULL;

   CREATE TABLE operations (
     seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     id text NOT NULL UNIQUE,
     resource_key text COLLATE "C" NOT NULL,
     resource_id text NOT NULL,
     kind text NOT NULL,
     api_version text NOT NULL,
     queue text NOT NULL,
     caller text NOT NULL,
     correlation_id text NOT NULL,
     traceparent text,
     input text,
     state text NOT NULL,
     attempt integer NOT NULL DEFAULT 0,
     steps text NOT NULL DEFAULT '[]',
     error text,
     cancel_reason text,
     created_at timestamptz NOT NULL,
     deadline_at timestamptz NOT NULL,
     started_at timestamptz,
     ended_at timestamptz,
     run_after timestamptz NOT NULL,
     lease_owner text,
     lease_expires timestamptz,
     fence integer NOT NULL DEFAULT 0
   );
   CREATE INDEX operations_open ON operations (queue, seq) WHERE ended_at IS NULL;
   CREATE INDEX operations_leased ON operations (queue, lease_expires)
     WHERE ended_at IS NULL AND lease_expires IS NOT NULL;
   CREATE INDEX operations_ended ON operations (ended_at) WHERE ended_at IS NOT NULL;
   CREATE INDEX operations_by_resource ON operations (resource_key, seq);

   CREATE TABLE queues (name text PRIMARY KEY);

   CREATE TABLE audit (
     sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     phase text NOT NULL,
     time timestamptz NOT NULL,
     caller text NOT NULL,
     action text NOT NULL,
     target text NOT NULL,
     api_version text NOT NULL,
     correlation_id text NOT NULL,
     operation_id text,
     status integer,
     result text
   );
   CREATE INDEX audit_by_time ON audit (time);

   CREATE TABLE key_checks (key_id text PRIMARY KEY, check_value text NOT NULL)`,
  `ALTER TABLE operations ADD COLUMN identity text, ADD COLUMN awaited_by text, ADD COLUMN parked text;
   UPDATE operations SET parked = 'backOff' WHERE ended_at IS NULL AND lease_owner IS NULL AND attempt > 0;
   DROP INDEX operations_open;
   CREATE INDEX operations_ready ON operations (queue, seq) WHERE ended_at IS NULL AND parked IS NULL;
   CREATE INDEX operations_parked ON operations (queue, run_after) WHERE ended_at IS NULL AND parked IS NOT NULL;
   CREATE INDEX operations_awaited ON operations (awaited_by) WHERE ended_at IS NULL AND awaited_by IS NOT NULL;

   CREATE TABLE operation_waits (
     awaited text NOT NULL,
     waiting text NOT NULL,
     PRIMARY KEY (awaited, waiting)
   );
   CREATE INDEX operation_waits_of ON operation_waits (waiting, awaited)`,
  `ALTER TABLE audit ADD COLUMN intent_id text;
   CREATE TABLE open_intents (
     id text PRIMARY KEY,
     sequence bigint NOT NULL,
     operation_id text,
     lease_expires timestamptz
   );

   CREATE TABLE store_time (now timestamptz NOT NULL);
   INSERT INTO store_time VALUES (clock_timestamp());
   ALTER TABLE audit ADD COLUMN stored_at timestamptz NOT NULL DEFAULT clock_timestamp();
   UPDATE audit SET stored_at = time;
   DROP INDEX audit_by_time;
   CREATE INDEX audit_by_age ON audit (stored_at);

   ALTER TABLE operations ADD COLUMN attempt_started_at timestamptz, ADD COLUMN deaths text NOT NULL DEFAULT '[]';

   CREATE INDEX documents_top_level ON documents (key) WHERE type_depth = 1`,
  [documentFunctions, operationFunctions, auditFunctions, writeFunctions, takeFunctions].join(";\n"),
  wakeAllFunction,
];

/** 0 for a new database. @throws StoreError `CannotOpen` when the schema is newer than this program. */
export async function schemaVersion(sql: Sql): Promise<number> {
  const [table] = await sql.query<{ found: boolean }>("SELECT to_regclass('schema_version') IS NOT NULL AS found");
  if (table?.found !== true) {
    return 0;
  }
  const [row] = await sql.query<{ version: number }>("SELECT version FROM schema_version");
  const version = row?.version ?? 0;
  if (version > migrations.length) {
    throw new StoreError(
      "CannotOpen",
      `The database has schema version ${version}; this program knows ${migrations.length}. Use a newer program.`,
    );
  }
  return version;
}

/** Inside a transaction that holds the migration lock: all of it happens or none. */
export async function migrate(sql: Sql, from: number): Promise<void> {
  if (from === migrations.length) {
    return;
  }
  for (const migration of migrations.slice(from)) {
    await sql.script(migration);
  }
  if (from === 0) {
    await sql.query("UPDATE store_time SET now = clock_timestamp()"); // the time that it took is not one that passed
  }
  await sql.query("CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)");
  await sql.query("DELETE FROM schema_version");
  await sql.query("INSERT INTO schema_version VALUES ($1)", [migrations.length]);
}
