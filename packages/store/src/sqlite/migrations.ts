import { StoreError } from "../store.ts";
import type { Database } from "./database.ts";

/** Applied in order, each in its own transaction. One that has been released never changes. */
const migrations: readonly string[] = [
  `CREATE TABLE documents (
     key TEXT PRIMARY KEY,
     id TEXT NOT NULL,
     type_key TEXT NOT NULL,
     type TEXT NOT NULL,
     type_depth INTEGER NOT NULL,
     api_version TEXT NOT NULL,
     etag TEXT NOT NULL,
     operation_id TEXT,
     body TEXT NOT NULL,
     sealed TEXT,
     sealed_key_id TEXT
   ) STRICT;
   CREATE UNIQUE INDEX documents_by_type ON documents (type_key, key);
   CREATE INDEX documents_sealed ON documents (sealed_key_id) WHERE sealed_key_id IS NOT NULL;

   CREATE TABLE operations (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     resource_key TEXT NOT NULL,
     resource_id TEXT NOT NULL,
     kind TEXT NOT NULL,
     api_version TEXT NOT NULL,
     queue TEXT NOT NULL,
     caller TEXT NOT NULL,
     correlation_id TEXT NOT NULL,
     traceparent TEXT,
     input TEXT,
     state TEXT NOT NULL,
     attempt INTEGER NOT NULL DEFAULT 0,
     steps TEXT NOT NULL DEFAULT '[]',
     error TEXT,
     cancel_reason TEXT,
     created_at INTEGER NOT NULL,
     deadline_at INTEGER NOT NULL,
     started_at INTEGER,
     ended_at INTEGER,
     run_after INTEGER NOT NULL,
     lease_owner TEXT,
     lease_expires INTEGER,
     fence INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE INDEX operations_open ON operations (queue, seq) WHERE ended_at IS NULL;
   CREATE INDEX operations_leased ON operations (queue, lease_expires)
     WHERE ended_at IS NULL AND lease_expires IS NOT NULL;
   CREATE INDEX operations_ended ON operations (ended_at) WHERE ended_at IS NOT NULL;
   CREATE INDEX operations_by_resource ON operations (resource_key, seq);

   CREATE TABLE audit (
     sequence INTEGER PRIMARY KEY AUTOINCREMENT,
     phase TEXT NOT NULL,
     time INTEGER NOT NULL,
     caller TEXT NOT NULL,
     action TEXT NOT NULL,
     target TEXT NOT NULL,
     api_version TEXT NOT NULL,
     correlation_id TEXT NOT NULL,
     operation_id TEXT,
     status INTEGER,
     result TEXT
   ) STRICT;
   CREATE INDEX audit_by_time ON audit (time);

   CREATE TABLE key_checks (key_id TEXT PRIMARY KEY, check_value TEXT NOT NULL) STRICT;`,
  `ALTER TABLE operations ADD COLUMN identity TEXT;
   ALTER TABLE operations ADD COLUMN awaited_by TEXT;
   ALTER TABLE operations ADD COLUMN parked TEXT;
   UPDATE operations SET parked = 'backOff' WHERE ended_at IS NULL AND lease_owner IS NULL AND attempt > 0;
   DROP INDEX operations_open;
   CREATE INDEX operations_ready ON operations (queue, seq) WHERE ended_at IS NULL AND parked IS NULL;
   CREATE INDEX operations_parked ON operations (queue, run_after) WHERE ended_at IS NULL AND parked IS NOT NULL;
   CREATE INDEX operations_awaited ON operations (awaited_by) WHERE ended_at IS NULL AND awaited_by IS NOT NULL;

   CREATE TABLE operation_waits (
     awaited TEXT NOT NULL,
     waiting TEXT NOT NULL,
     PRIMARY KEY (awaited, waiting)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX operation_waits_of ON operation_waits (waiting, awaited);`,
  `ALTER TABLE audit ADD COLUMN intent_id TEXT;
   CREATE TABLE open_intents (id TEXT PRIMARY KEY, sequence INTEGER NOT NULL, operation_id TEXT) STRICT, WITHOUT ROWID;

   CREATE TABLE store_time (now INTEGER NOT NULL) STRICT;
   INSERT INTO store_time VALUES (CAST(unixepoch('subsec') * 1000 AS INTEGER));
   ALTER TABLE audit ADD COLUMN stored_at INTEGER NOT NULL DEFAULT 0;
   UPDATE audit SET stored_at = time;
   DROP INDEX audit_by_time;
   CREATE INDEX audit_by_age ON audit (stored_at);
   ALTER TABLE operations ADD COLUMN kept_since INTEGER;
   UPDATE operations SET kept_since = ended_at;
   DROP INDEX operations_ended;
   CREATE INDEX operations_by_age ON operations (kept_since) WHERE kept_since IS NOT NULL;

   ALTER TABLE operations ADD COLUMN attempt_started_at INTEGER;
   ALTER TABLE operations ADD COLUMN deaths TEXT NOT NULL DEFAULT '[]';

   CREATE INDEX documents_top_level ON documents (key) WHERE type_depth = 1;`,
];

/** 0 for a new database. @throws StoreError `CannotOpen` when the schema is newer than this program. */
export function schemaVersion(database: Database): number {
  const table = database.get("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'");
  const row = table === undefined ? undefined : database.get<{ version: number }>("SELECT version FROM schema_version");
  const version = row?.version ?? 0;
  if (version > migrations.length) {
    throw new StoreError(
      "CannotOpen",
      `The database has schema version ${version}; this program knows ${migrations.length}. Use a newer program.`,
    );
  }
  return version;
}

/** The caller holds the folder's lock, so nobody else migrates meanwhile. */
export function migrate(database: Database, from: number): void {
  for (const [index, sql] of migrations.entries()) {
    if (index < from) {
      continue;
    }
    database.script(
      `BEGIN IMMEDIATE;
       CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL) STRICT;
       DELETE FROM schema_version;
       INSERT INTO schema_version VALUES (${index + 1});
       ${sql}
       COMMIT`,
    );
  }
}
