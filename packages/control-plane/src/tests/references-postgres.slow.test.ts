import { describeReferences } from "./support/describe-references.ts";
import { startPostgresDatabase } from "./support/postgres-database.ts";

describeReferences("PostgreSQL", async () => {
  const database = await startPostgresDatabase();
  const server = await database.startServer({ recordsOnly: true });
  const replica = await database.startServer({ recordsOnly: true });
  return {
    calls: server,
    replica,
    [Symbol.asyncDispose]: async () => {
      await replica[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
});
