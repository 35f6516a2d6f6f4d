import { after, before } from "node:test";
import { silentLogger } from "@rad/core";
import { describeDeploymentTarget } from "@rad/deployments/testing";
import { openPostgresStore } from "@rad/store";
import { newKey, type PostgresServer, startPostgres } from "@rad/store/testing";
import { openInProcessWorld, ownTypesCan } from "./testing/in-process-world.ts";

let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(async () => {
  await server[Symbol.asyncDispose]();
});

describeDeploymentTarget("our own types on PostgreSQL", ownTypesCan, async () => {
  const url = await server.createDatabase();
  return await openInProcessWorld(await openPostgresStore({ url, keys: { keys: [newKey] }, log: silentLogger }));
});
