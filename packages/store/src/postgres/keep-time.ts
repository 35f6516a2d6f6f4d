import type { Sql } from "./database.ts";

/**
 * Notes the time of the database. When its clock has gone back since it was last noted, the ends of leases, pauses
 * and deadlines go back as far, because they would hold up work for as long as the clock takes to catch up.
 */
export async function keepTime(sql: Sql): Promise<void> {
  const [row] = await sql.query<{ back: string | null }>(
    `SELECT CASE WHEN now > clock_timestamp() + interval '1 second' THEN (now - clock_timestamp())::text END AS back
     FROM store_time FOR UPDATE`,
  );
  await sql.query("UPDATE store_time SET now = clock_timestamp()");
  if (typeof row?.back !== "string") {
    return;
  }
  await sql.query(
    `UPDATE operations SET deadline_at = deadline_at - $1::interval, run_after = run_after - $1::interval,
       lease_expires = lease_expires - $1::interval WHERE ended_at IS NULL`,
    [row.back],
  );
  await sql.query("UPDATE open_intents SET lease_expires = lease_expires - $1::interval", [row.back]);
}
