import { describeBuiltInTypes } from "./support/describe-built-in-types.ts";
import { startPostgresDatabase } from "./support/postgres-database.ts";

describeBuiltInTypes("PostgreSQL", async () => {
  const database = await startPostgresDatabase();
  const server = await database.startServer({ recordsOnly: true });
  return {
    calls: server,
    folder: database.postgres.folder,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
});
