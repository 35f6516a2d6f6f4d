import type { StoreEvent } from "../store.ts";
import { auditLock } from "./audit-functions.ts";
import type { Sql } from "./database.ts";
import { etagExpression } from "./document-functions.ts";
import type { Told } from "./hints.ts";
import { endNow } from "./operation-functions.ts";
import type { SqlValue } from "./prepared-query.ts";
import type { AppliedChange } from "./shared-writes.ts";
import { recordsOf, type SwiftPut, wantedBy } from "./swift-puts.ts";
import type { AuditItem, EndingItem, ExistsItem, OperationItem, PutItem } from "./write-item.ts";

/** Rows that a statement takes as one array for each column: its type, and what a row has there. */
type Columns<Row> = Readonly<Record<string, readonly [type: string, value: (row: Row) => SqlValue]>>;

interface Keyed {
  readonly key: string;
}

const guardColumns: Columns<ExistsItem> = {
  key: ["text", ({ exists }) => exists],
  etag: ["text", ({ etag }) => etag],
};

const putColumns: Columns<PutItem & { readonly endsOperation: string | undefined }> = {
  key: ["text", ({ key }) => key],
  id: ["text", ({ id }) => id],
  type_key: ["text", ({ typeKey }) => typeKey],
  type: ["text", ({ type }) => type],
  type_depth: ["integer", ({ depth }) => depth],
  api_version: ["text", ({ apiVersion }) => apiVersion],
  expected: ["text", ({ expect }) => expect],
  etag: ["text", ({ etag }) => etag],
  operation_id: ["text", ({ operationId }) => operationId],
  body: ["text", ({ body }) => body],
  keeps: ["boolean", ({ keep }) => keep === true],
  sealed: ["text", ({ sealed }) => sealed],
  sealed_key_id: ["text", ({ keyId }) => keyId],
  ends_operation: ["text", ({ endsOperation }) => endsOperation],
};

const operationColumns: Columns<OperationItem & Keyed> = {
  key: ["text", ({ key }) => key],
  id: ["text", ({ id }) => id],
  resource_key: ["text", ({ resourceKey }) => resourceKey],
  resource_id: ["text", ({ resourceId }) => resourceId],
  kind: ["text", ({ kind }) => kind],
  api_version: ["text", ({ apiVersion }) => apiVersion],
  queue: ["text", ({ queue }) => queue],
  caller: ["text", ({ caller }) => caller],
  correlation_id: ["text", ({ correlationId }) => correlationId],
  traceparent: ["text", ({ traceparent }) => traceparent],
  input: ["text", ({ input }) => input],
  identity: ["text", ({ identity }) => identity],
  awaited_by: ["text", ({ awaitedBy }) => awaitedBy],
  timeout_ms: ["float8", ({ timeoutMs }) => timeoutMs],
};

const endingColumns: Columns<EndingItem> = {
  id: ["text", ({ operationId }) => operationId],
  owner: ["text", ({ owner }) => owner],
  held_fence: ["integer", ({ fence }) => fence],
  state: ["text", ({ state }) => state],
  error: ["text", ({ error }) => error],
};

const recordColumns: Columns<AuditItem & Keyed> = {
  key: ["text", ({ key }) => key],
  phase: ["text", ({ phase }) => phase],
  time: ["timestamptz", ({ time }) => time],
  caller: ["text", ({ caller }) => caller],
  action: ["text", ({ action }) => action],
  target: ["text", ({ target }) => target],
  api_version: ["text", ({ apiVersion }) => apiVersion],
  correlation_id: ["text", ({ correlationId }) => correlationId],
  operation_id: ["text", ({ operationId }) => operationId],
  status: ["integer", ({ status }) => status],
  result: ["text", ({ result }) => result],
};

/** What operations and records are joined or worked out by. */
const notStored = ["key", "timeout_ms"];

/** How the statement names rows that it is given. */
class Tables {
  #parameters = 0;

  /** A table of that name, with the place of each row. */
  rows(name: string, columns: Columns<never>): string {
    const arrays = Object.values(columns).map(([type]) => this.parameter(`${type}[]`));
    return `unnest(${arrays.join(", ")}) WITH ORDINALITY AS ${name} (${namesOf(columns)}, place)`;
  }

  parameter(type: string): string {
    this.#parameters += 1;
    return `$${this.#parameters}::${type}`;
  }
}

/** @param table whose columns are meant, where several have them */
function namesOf(columns: Columns<never>, except: readonly string[] = [], table?: string): string {
  return Object.keys(columns)
    .filter((name) => !except.includes(name))
    .map((name) => (table === undefined ? name : `${table}.${name}`))
    .join(", ");
}

function valuesOf<Row>(columns: Columns<Row>, rows: readonly Row[]): SqlValue[] {
  return Object.values(columns).map(([, value]) => rows.map((row) => value(row) ?? null) as SqlValue);
}

/**
 * As in `radius_apply`, operations that end are locked first, then documents, then what guards look at. What waited for an
 * operation may have begun to wait after this statement began, so a function looks for it, which sees what is there by then.
 */
function statementOf(tables: Tables): string {
  const etag = (sealed: string): string =>
    `coalesce(input.etag, ${etagExpression({ body: "input.body", sealed, apiVersion: "input.api_version", operationId: "input.operation_id" })})`;
  return `
  WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${auditLock}) AS held),
  ending AS MATERIALIZED (SELECT * FROM ${tables.rows("ending", endingColumns)}),
  leased AS MATERIALIZED (
    SELECT operations.id FROM operations JOIN ending USING (id)
    WHERE operations.id = ANY (ARRAY(SELECT id FROM ending)) -- so that no other index is looked through
      AND lease_owner = owner AND fence = held_fence AND lease_expires > clock_timestamp() AND ended_at IS NULL
    ORDER BY id FOR UPDATE OF operations),
  wanted AS MATERIALIZED (SELECT * FROM ${tables.rows("wanted", guardColumns)}),
  found AS MATERIALIZED (
    SELECT key, etag FROM documents WHERE key = ANY (ARRAY(SELECT key FROM wanted)) ORDER BY key FOR SHARE),
  input AS MATERIALIZED (
    SELECT input.* FROM ${tables.rows("input", putColumns)} CROSS JOIN locked
    WHERE (ends_operation IS NULL OR ends_operation IN (SELECT id FROM leased))
      AND NOT EXISTS (
        SELECT 1 FROM wanted LEFT JOIN found USING (key)
        WHERE found.etag IS NULL OR found.etag <> coalesce(wanted.etag, found.etag))),
  changed AS (
    UPDATE documents SET api_version = input.api_version, operation_id = input.operation_id, body = input.body,
      sealed = CASE WHEN keeps THEN documents.sealed ELSE input.sealed END,
      sealed_key_id = CASE WHEN keeps THEN documents.sealed_key_id ELSE input.sealed_key_id END,
      etag = ${etag("CASE WHEN keeps THEN documents.sealed ELSE input.sealed END")}
    FROM input
    WHERE documents.key = input.key AND documents.etag = expected AND substr(documents.body, 1, 2) <> E'{\\n'
    RETURNING documents.key, documents.id, documents.type, documents.etag),
  created AS (
    INSERT INTO documents (key, id, type_key, type, type_depth, api_version, etag, operation_id, body, sealed,
      sealed_key_id)
    SELECT key, id, type_key, type, type_depth, api_version, ${etag("input.sealed")}, operation_id, body, sealed,
      sealed_key_id
    FROM input WHERE expected = '' ORDER BY key
    ON CONFLICT DO NOTHING RETURNING key, id, type, etag),
  done AS MATERIALIZED (SELECT * FROM changed UNION ALL SELECT * FROM created),
  accepted AS (
    INSERT INTO operations (${namesOf(operationColumns, notStored)}, state, created_at, deadline_at, run_after)
    SELECT ${namesOf(operationColumns, notStored, "operation")}, 'Accepted', clock_timestamp(),
      clock_timestamp() + timeout_ms * interval '1 millisecond', clock_timestamp()
    FROM done JOIN ${tables.rows("operation", operationColumns)} USING (key) ORDER BY place
    RETURNING queue),
  ended AS (
    UPDATE operations SET ${endNow}, state = ending.state, error = ending.error
    FROM ending JOIN input ON ends_operation = ending.id JOIN done USING (key)
    WHERE operations.id = ending.id
    RETURNING operations.id, operations.queue),
  recorded AS (
    INSERT INTO audit (${namesOf(recordColumns, notStored)})
    SELECT ${namesOf(recordColumns, notStored, "record")}
    FROM done JOIN ${tables.rows("record", recordColumns)} USING (key) ORDER BY place),
  events AS MATERIALIZED (
    SELECT coalesce(jsonb_agg(event ORDER BY part), '[]') AS list FROM (
      SELECT 1 AS part, jsonb_build_object('kind', 'progress', 'operationId', ends_operation, 'document',
        jsonb_build_object('id', done.id, 'etag', done.etag)) AS event
      FROM done JOIN input USING (key) WHERE ends_operation = operation_id
      UNION ALL SELECT 2, jsonb_build_object('kind', 'ended', 'operationId', id) FROM ended
      UNION ALL SELECT 3, jsonb_build_object('kind', 'work', 'queue', queue, 'count', count(*))
        FROM (SELECT queue FROM accepted UNION ALL SELECT queue FROM ended) AS queues GROUP BY queue
      UNION ALL SELECT 4, woken
        FROM (SELECT array_agg(id) AS ids FROM ended) AS all_ended, jsonb_array_elements(radius_wake_all(ids)) AS woken
    ) AS told)
  SELECT (SELECT jsonb_agg(to_jsonb(done)) FROM done) AS stored, list AS events,
    CASE WHEN list <> '[]' THEN radius_tell(${tables.parameter("text")}, ${tables.parameter("jsonb")} || list) END
  FROM events`;
}

const statement = statementOf(new Tables());

export interface SwiftOperations {
  readonly changes: readonly (AppliedChange | undefined)[];
  readonly events: readonly StoreEvent[];
}

/** As `sendSwiftPuts`, for puts of which some accept an operation or end one. */
export async function sendSwiftOperations(
  sql: Sql,
  puts: readonly SwiftPut[],
  { sender, hints }: { readonly sender: string; readonly hints: Told },
): Promise<SwiftOperations> {
  const endings = puts.flatMap(({ ending }) => ending ?? []);
  const operations = puts.flatMap(({ put: { key }, operation }) => (operation ? [{ ...operation, key }] : []));
  const inputs = puts.map(({ put, ending }) => ({ ...put, endsOperation: ending?.operationId }));
  const [row] = await sql.query<{ stored: readonly (AppliedChange & Keyed)[] | null; events: readonly StoreEvent[] }>(
    statement,
    [
      ...valuesOf(endingColumns, endings),
      ...valuesOf(guardColumns, wantedBy(puts)),
      ...valuesOf(putColumns, inputs),
      ...valuesOf(operationColumns, operations),
      ...valuesOf(recordColumns, recordsOf(puts)),
      sender,
      JSON.stringify(hints.events),
    ],
  );
  const byKey = new Map(row?.stored?.map(({ key, id, type, etag }) => [key, { id, type, etag }]));
  return { changes: puts.map(({ put }) => byKey.get(put.key)), events: row?.events ?? [] };
}
