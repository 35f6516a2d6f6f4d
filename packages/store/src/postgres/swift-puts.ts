import type { Sql } from "./database.ts";
import { isSingle, sendSinglePut } from "./single-put.ts";
import type { AppliedChange } from "./shared-writes.ts";
import type { AuditItem, EndingItem, ExistsItem, OperationItem, PutItem, WriteItem } from "./write-item.ts";
import { auditLock } from "./audit-functions.ts";

/** A write of the most common form: it puts one document over a version it knows, beside others that exist. */
export interface SwiftPut {
  readonly put: PutItem;
  readonly guards: readonly ExistsItem[];
  readonly records: readonly AuditItem[];
  /** What it accepts. */
  readonly operation: OperationItem | undefined;
  /** What it ends. */
  readonly ending: EndingItem | undefined;
}

/** @returns nothing unless all of them have that form and one statement can do them together. */
export function swiftPuts(items: readonly WriteItem[]): readonly SwiftPut[] | undefined {
  const puts: SwiftPut[] = [];
  const keys = new Set<string>();
  for (const item of items) {
    const put = swiftPut(item);
    if (put === undefined || keys.has(put.put.key)) {
      return undefined;
    }
    keys.add(put.put.key);
    puts.push(put);
  }
  return puts;
}

function swiftPut(item: WriteItem): SwiftPut | undefined {
  const { changes = [], guards = [], audit = [], operation, lease, outcome, ...rest } = item;
  const [put] = changes;
  const hasNoMore = changes.length === 1 && Object.values(rest).every((part) => part === undefined);
  if (!hasNoMore || put === undefined || "remove" in put || audit.some(({ intentId }) => intentId !== undefined)) {
    return undefined;
  }
  if (lease !== undefined && outcome === undefined) {
    return undefined;
  }
  const ending = lease && outcome && { ...lease, ...outcome };
  const isKnown = put.expect !== undefined && put.over === undefined && (put.etag !== undefined || put.keep === true);
  const exist = guards.filter((guard): guard is ExistsItem => "exists" in guard);
  return isKnown && exist.length === guards.length
    ? { put, guards: exist, records: audit, operation, ending }
    : undefined;
}

/** What must exist, each once. */
export function wantedBy(puts: readonly SwiftPut[]): readonly ExistsItem[] {
  return [
    ...new Map(puts.flatMap(({ guards }) => guards.map((guard) => [`${guard.exists} ${guard.etag}`, guard]))).values(),
  ];
}

/** Whether the statement for documents and records alone can do it. */
export function isPlain({ put, operation, ending }: SwiftPut): boolean {
  return put.etag !== undefined && operation === undefined && ending === undefined;
}

export function recordsOf(puts: readonly SwiftPut[]): readonly (AuditItem & { readonly key: string })[] {
  return puts.flatMap(({ put: { key }, records }) => records.map((record) => ({ ...record, key })));
}

/** Guards come first here. They are of the kind that is only waited for, so that does no harm; see `writeFunctions`. */
const statement = `
  WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${auditLock})),
  found AS MATERIALIZED (SELECT key, etag FROM documents WHERE key = ANY ($1::text[]) ORDER BY key FOR SHARE),
  held AS MATERIALIZED (
    SELECT cardinality($1::text[]) = (
      SELECT count(*) FROM unnest($1::text[], $2::text[]) AS wanted (key, etag) JOIN found USING (key)
      WHERE found.etag = coalesce(wanted.etag, found.etag)) AS all_hold
    FROM locked),
  input AS MATERIALIZED (
    SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::text[], $9::text[],
        $10::text[], $11::text[], $12::text[], $13::text[], $14::text[])
      AS put (key, id, type_key, type, type_depth, api_version, expected, etag, operation_id, body, sealed,
        sealed_key_id)
    CROSS JOIN held WHERE all_hold),
  changed AS (
    UPDATE documents SET api_version = input.api_version, etag = input.etag, operation_id = input.operation_id,
      body = input.body, sealed = input.sealed, sealed_key_id = input.sealed_key_id
    FROM input
    WHERE documents.key = input.key AND documents.etag = expected AND substr(documents.body, 1, 2) <> E'{\\n'
    RETURNING documents.key, documents.id, documents.type),
  created AS (
    INSERT INTO documents (key, id, type_key, type, type_depth, api_version, etag, operation_id, body, sealed,
      sealed_key_id)
    SELECT key, id, type_key, type, type_depth, api_version, etag, operation_id, body, sealed, sealed_key_id
    FROM input WHERE expected = '' ORDER BY key
    ON CONFLICT DO NOTHING RETURNING key, id, type),
  done AS MATERIALIZED (SELECT * FROM changed UNION ALL SELECT * FROM created),
  recorded AS (
    INSERT INTO audit (phase, time, caller, action, target, api_version, correlation_id, operation_id, status, result)
    SELECT phase, time, caller, action, target, api_version, correlation_id, operation_id, status, result
    FROM done JOIN unnest($15::text[], $16::text[], $17::timestamptz[], $18::text[], $19::text[], $20::text[],
        $21::text[], $22::text[], $23::text[], $24::integer[], $25::text[]) WITH ORDINALITY
      AS record (key, phase, time, caller, action, target, api_version, correlation_id, operation_id, status, result,
        place)
      USING (key)
    ORDER BY place)
  SELECT key, id, type FROM done`;

/**
 * Carries plain puts out that nothing stands against, all in one statement, which costs the database a fraction of what
 * `radius_write` does. @returns for each what it stored; nothing for one to which something stands against.
 */
export async function sendSwiftPuts(
  sql: Sql,
  puts: readonly SwiftPut[],
): Promise<readonly (AppliedChange | undefined)[]> {
  if (isSingle(puts)) {
    return [await sendSinglePut(sql, puts[0])];
  }
  const wanted = wantedBy(puts);
  const column = <T>(value: (put: PutItem) => T | null | undefined): (T | null)[] =>
    puts.map(({ put }) => value(put) ?? null);
  const records = recordsOf(puts);
  const recordColumn = <T>(value: (record: AuditItem & { readonly key: string }) => T | undefined): (T | null)[] =>
    records.map((record) => value(record) ?? null);
  const rows = await sql.query<{ key: string; id: string; type: string }>(statement, [
    wanted.map(({ exists }) => exists),
    wanted.map(({ etag }) => etag ?? null),
    column(({ key }) => key),
    column(({ id }) => id),
    column(({ typeKey }) => typeKey),
    column(({ type }) => type),
    column(({ depth }) => depth),
    column(({ apiVersion }) => apiVersion),
    column(({ expect }) => expect),
    column(({ etag }) => etag),
    column(({ operationId }) => operationId),
    column(({ body }) => body),
    column(({ sealed }) => sealed),
    column(({ keyId }) => keyId),
    recordColumn(({ key }) => key),
    recordColumn(({ phase }) => phase),
    recordColumn(({ time }) => time),
    recordColumn(({ caller }) => caller),
    recordColumn(({ action }) => action),
    recordColumn(({ target }) => target),
    recordColumn(({ apiVersion }) => apiVersion),
    recordColumn(({ correlationId }) => correlationId),
    recordColumn(({ operationId }) => operationId),
    recordColumn(({ status }) => status),
    recordColumn(({ result }) => result),
  ]);
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return puts.map(({ put }) => {
    const row = byKey.get(put.key);
    return row && { id: row.id, type: row.type, etag: put.etag ?? "" };
  });
}
