import { Client } from "pg";
import type { Server } from "../support/api.ts";

/**
 * Audit records and operations that have ended, which are pruned by age. Only PostgreSQL answers beside the server: an
 * embedded database is locked by its server.
 */
export async function agingRows(url: string | undefined): Promise<number> {
  if (url === undefined) {
    return 0;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      `SELECT ((SELECT count(*) FROM audit) + (SELECT count(*) FROM operations WHERE ended_at IS NOT NULL))::integer AS count`,
    );
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

/** The age of the oldest audit record: the log is answered oldest first. */
export async function oldestRecordMinutes(server: Server): Promise<number> {
  const abort = new AbortController();
  const response = await fetch(`${server.url}/audit`, {
    headers: { authorization: `Bearer ${server.token}` },
    signal: abort.signal,
  });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.includes("\n")) {
      break;
    }
  }
  abort.abort();
  const [line = ""] = text.split("\n");
  if (line === "") {
    return 0;
  }
  const { time } = JSON.parse(line) as { time: string };
  return (Date.now() - Date.parse(time)) / 60_000;
}
