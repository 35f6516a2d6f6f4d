import { silentLogger } from "@rad/core";
import { openPostgresStore } from "@rad/store";
import { oldKey, openTemporaryStore, type PostgresServer, startPostgres } from "@rad/store/testing";
import { after, before } from "node:test";
import { describeInstaller } from "./tests/describe-installer.ts";

let postgres: PostgresServer;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres[Symbol.asyncDispose]());

// One process has the database to itself: both installers share the store.
describeInstaller("SQLite", async () => {
  const store = await openTemporaryStore();
  return { one: store, two: store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
});

describeInstaller("PostgreSQL", async () => {
  const url = await postgres.createDatabase();
  const connect = () => openPostgresStore({ url, keys: { keys: [oldKey] }, log: silentLogger });
  const one = await connect();
  const two = await connect();
  return {
    one,
    two,
    [Symbol.asyncDispose]: async () => {
      await one[Symbol.asyncDispose]();
      await two[Symbol.asyncDispose]();
    },
  };
});
