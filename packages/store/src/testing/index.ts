export type { OpenFixture, StoreFixture } from "./contract/fixture.ts";
export { newKey, oldKey } from "./contract/keys.ts";
export { CountingProxy } from "./counting-proxy.ts";
export type { Cut, ProxiedConnection, WireCounts } from "./counting-proxy.ts";
export { describeStore } from "./describe-store.ts";
export { startPostgres } from "./start-postgres.ts";
export type { PostgresOptions, PostgresServer } from "./start-postgres.ts";
export { openTemporaryStore } from "./temporary-store.ts";
export { TransactionPooler } from "./transaction-pooler.ts";
