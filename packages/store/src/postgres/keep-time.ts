import type { Sql } from "./database.ts";

/**
 * Notes the time of the database. When its clock has gone back since it was last noted, the stored ends of leases,
 * pauses and deadlines would hold up work for as long as the clock takes to catch up, so they go back, too.
 *
 * That happened up to some seconds ago, and what was written since is right already. A lease is never longer than
 * `leaseMs`: it is cut to that, as no living process may lose one. An operation that was accepted within `leaseMs` by the
 * clock of now is taken for a new one, and keeps its deadline. A pause may end early, which does no harm.
 */
export async function keepTime(sql: Sql, leaseMs: number): Promise<void> {
  const [row] = await sql.query<{ back: string | null }>(
    `SELECT CASE WHEN now > clock_timestamp() + interval '1 second' THEN (now - clock_timestamp())::text END AS back
     FROM store_time FOR UPDATE`,
  );
  await sql.query("UPDATE store_time SET now = clock_timestamp()");
  if (typeof row?.back !== "string") {
    return;
  }
  const lease = "$1::float8 * interval '1 millisecond'";
  const end = `clock_timestamp() + ${lease}`;
  const cutLease = `lease_expires = CASE WHEN lease_expires > ${end} THEN ${end} ELSE lease_expires END`;
  await sql.query(
    `UPDATE operations SET ${cutLease}, run_after = run_after - $2::interval,
       deadline_at = CASE WHEN created_at BETWEEN clock_timestamp() - ${lease} AND clock_timestamp() THEN deadline_at
         ELSE deadline_at - $2::interval END
     WHERE ended_at IS NULL`,
    [leaseMs, row.back],
  );
  await sql.query(`UPDATE open_intents SET ${cutLease}`, [leaseMs]);
}
