/** The tables and indexes of the store's SQLite schema that the measured requests touch. */
export const schema = `
  CREATE TABLE documents (
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
  CREATE INDEX audit_by_time ON audit (time);`;
