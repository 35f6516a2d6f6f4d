export type {
  AuditRecord,
  AuditStore,
  DocumentChange,
  DocumentInput,
  DocumentPut,
  DocumentRemove,
  Durability,
  Expectation,
  Guard,
  Lease,
  LeasedOperation,
  ListQuery,
  CancelRequest,
  NewOperation,
  Operation,
  OperationOutcome,
  OperationState,
  OperationStep,
  OperationStore,
  Page,
  Park,
  QueueDepth,
  PutDocument,
  QueueRule,
  Store,
  StoredAuditRecord,
  Recalled,
  StoredDocument,
  StoreErrorCode,
  StoreErrorOptions,
  StoreEvent,
  TakeRequest,
  Write,
} from "./store.ts";
export { fileExposure } from "./private-path.ts";
export { StoreError } from "./store.ts";
export { listAll, pageBytes } from "./documents/list-all.ts";
export { createKeyFile, readKeyFile } from "./sealing/key-file.ts";
export type { KeyRingSource, SealingKey } from "./sealing/key-ring.ts";
export { openSqliteStore } from "./sqlite/open-sqlite-store.ts";
export type { SqliteStoreOptions } from "./sqlite/open-sqlite-store.ts";
export { openPostgresStore } from "./postgres/load-postgres-store.ts";
export type { PostgresStoreOptions } from "./postgres/open-postgres-store.ts";
