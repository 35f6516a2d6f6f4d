import pg from "pg";
import { startPostgresDatabase } from "../support/postgres-database.ts";
import { describeHandlers } from "./describe-handlers.ts";

describeHandlers("PostgreSQL", async (options) => {
  const database = await startPostgresDatabase();
  const server = await database.startServer(options);
  return {
    server,
    stored: async () => {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      try {
        const { rows } = await client.query(
          "SELECT d::text AS text FROM documents d UNION ALL SELECT o::text FROM operations o",
        );
        return rows.map((row: { text: string }) => row.text).join("\n");
      } finally {
        await client.end();
      }
    },
    close: async () => {
      await server[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
});
