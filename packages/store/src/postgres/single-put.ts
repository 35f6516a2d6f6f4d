import { auditLock } from "./audit-functions.ts";
import type { Sql } from "./database.ts";
import type { SqlValue } from "./prepared-query.ts";
import type { AppliedChange } from "./shared-writes.ts";
import type { SwiftPut } from "./swift-puts.ts";
import type { AuditItem } from "./write-item.ts";

/** The guards hold when as many documents are there as were asked for: by key, or by key and version. */
const holds = `(SELECT held FROM locked) IS NOT NULL
  AND (SELECT count(*) FROM found WHERE key = ANY ($2::text[]) OR key || ' ' || etag = ANY ($3::text[]))
    = cardinality($1::text[])`;

const update = {
  values: 11,
  text: `
    UPDATE documents SET api_version = $6, etag = $7, operation_id = $8, body = $9, sealed = $10, sealed_key_id = $11
    WHERE key = $4 AND etag = $5 AND substr(body, 1, 2) <> E'{\\n' AND ${holds}
    RETURNING id, type`,
};

const insert = {
  values: 15,
  text: `
    INSERT INTO documents (key, api_version, etag, operation_id, body, sealed, sealed_key_id, id, type_key, type,
      type_depth)
    SELECT $4, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::integer WHERE $5 = '' AND ${holds}
    ON CONFLICT DO NOTHING RETURNING id, type`,
};

const recordTypes = ["text", "timestamptz", "text", "text", "text", "text", "text", "text", "integer", "text"];

function statementFor(change: { readonly values: number; readonly text: string }, records: number): string {
  const rows = Array.from({ length: records }, (_, row) => {
    const first = change.values + 1 + row * recordTypes.length;
    return `(${recordTypes.map((type, column) => `$${first + column}::${type}`).join(", ")})`;
  });
  const recorded = `, recorded AS (
    INSERT INTO audit (phase, time, caller, action, target, api_version, correlation_id, operation_id, status, result)
    SELECT record.* FROM done, (VALUES ${rows.join(", ")}) AS record)`;
  return `
    WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${auditLock}) AS held),
    found AS MATERIALIZED (SELECT key, etag FROM documents WHERE key = ANY ($1::text[]) ORDER BY key FOR SHARE),
    done AS (${change.text})${records === 0 ? "" : recorded}
    SELECT id, type FROM done`;
}

/** Intent and outcome: what a request for one document leaves. */
const mostRecords = 2;
const counts = Array.from({ length: mostRecords + 1 }, (_, records) => records);
const updates = counts.map((records) => statementFor(update, records));
const inserts = counts.map((records) => statementFor(insert, records));

export function isSingle(puts: readonly SwiftPut[]): puts is readonly [SwiftPut] {
  const [put] = puts;
  return puts.length === 1 && put !== undefined && put.records.length <= mostRecords;
}

/** As `sendSwiftPuts`, for one: without arrays to take apart, the database needs about half the time. */
export async function sendSinglePut(sql: Sql, { put, guards, records }: SwiftPut): Promise<AppliedChange | undefined> {
  const isNew = put.expect === "";
  const values: SqlValue[] = [
    guards.map(({ exists }) => exists),
    guards.flatMap(({ exists, etag }) => (etag === undefined ? [exists] : [])),
    guards.flatMap(({ exists, etag }) => (etag === undefined ? [] : [`${exists} ${etag}`])),
    put.key,
    put.expect,
    put.apiVersion,
    put.etag,
    put.operationId,
    put.body,
    put.sealed,
    put.keyId,
  ];
  if (isNew) {
    values.push(put.id, put.typeKey, put.type, put.depth);
  }
  records.forEach((record) => values.push(...valuesOf(record)));
  const statement = (isNew ? inserts : updates)[records.length] ?? "";
  const [row] = await sql.query<{ id: string; type: string }>(statement, values);
  return row && { id: row.id, type: row.type, etag: put.etag ?? "" };
}

function valuesOf(record: AuditItem): readonly SqlValue[] {
  const { phase, time, caller, action, target, apiVersion, correlationId, operationId, status, result } = record;
  return [phase, time, caller, action, target, apiVersion, correlationId, operationId, status, result];
}
