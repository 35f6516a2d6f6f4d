import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import type { TestDatabase } from "../support/database.ts";

/** What is pruned by age: audit records and operations that have ended. */
export interface AgingRows {
  readonly count: number;
  readonly oldestMinutes: number;
}

export async function agingRows({ url, folder }: TestDatabase): Promise<AgingRows> {
  return url === undefined ? ofSqlite(path.join(folder, "radius.db")) : await ofPostgres(url);
}

function ofSqlite(file: string): AgingRows {
  using database = new DatabaseSync(file, { readOnly: true });
  const row = database
    .prepare(
      `SELECT count(*) AS count, min(at) AS oldest FROM (
         SELECT time AS at FROM audit UNION ALL SELECT ended_at FROM operations WHERE ended_at IS NOT NULL)`,
    )
    .get() as { count: number; oldest: number | null };
  return { count: row.count, oldestMinutes: (Date.now() - (row.oldest ?? Date.now())) / 60_000 };
}

async function ofPostgres(url: string): Promise<AgingRows> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<AgingRows>(
      `SELECT count(*)::integer AS count,
         coalesce(extract(epoch FROM clock_timestamp() - min(at)) / 60, 0)::float8 AS "oldestMinutes"
       FROM (
         SELECT stored_at AS at FROM audit UNION ALL SELECT ended_at FROM operations WHERE ended_at IS NOT NULL) AS aging`,
    );
    return rows[0] ?? { count: 0, oldestMinutes: 0 };
  } finally {
    await client.end();
  }
}
