import { checkExpectation, guardFailed, instancesOf } from "../documents/conditions.ts";
import {
  columnsWithoutBody,
  Document,
  documentColumns,
  etagOf,
  etagOfReprinted,
  indentedStart,
  typeDepth,
} from "../documents/document.ts";
import type { DocumentRow, IndentedRow } from "../documents/document.ts";
import { keysBelow, toKey } from "../documents/keys.ts";
import { keyOfPageToken, pageTokenAfter } from "../documents/page-token.ts";
import { completePut, type PreparedPut } from "../documents/prepared-put.ts";
import type { Expectation, Guard, ListQuery, Page, StoredDocument } from "../store.ts";
import { TryAgain } from "./database.ts";
import type { Sql } from "./database.ts";

export async function getDocument(sql: Sql, id: string): Promise<StoredDocument | undefined> {
  const [row] = await sql.query<DocumentRow>(`SELECT ${documentColumns} FROM documents WHERE key = $1`, [toKey(id)]);
  return row && new Document(row);
}

export async function listDocuments(sql: Sql, query: ListQuery): Promise<Page> {
  const range = keysBelow(query.under, query);
  const start = query.after === undefined ? range.after : keyOfPageToken(query.after, range);
  // One more than asked for tells whether another page follows; NULL means all.
  const values: unknown[] = [start, range.before, query.limit === undefined ? null : query.limit + 1];
  let where = "key > $1 AND key < $2";
  if (query.type !== undefined) {
    where += " AND type_key = $4";
    values.push(query.type.toLowerCase());
  }
  if (query.topLevel === true) {
    where += " AND type_depth = 1";
  }
  const columns = `key, ${query.withoutBodies === true ? columnsWithoutBody : documentColumns}`;
  const select = `SELECT ${columns} FROM documents WHERE ${where} ORDER BY key LIMIT $3::integer`;
  const rows = await sql.query<SizedRow>(
    query.maxBytes === undefined || query.withoutBodies === true ? select : withinBytes(select, query.maxBytes),
    values,
  );
  const end = rows.findIndex((row, index) => index === query.limit || row.fits === false);
  const items = rows.slice(0, end === -1 ? undefined : end).map((row) => new Document(row));
  const last = items.at(-1);
  return rows.length > items.length && last !== undefined ? { items, next: pageTokenAfter(toKey(last.id)) } : { items };
}

interface SizedRow extends DocumentRow {
  /** Absent where bytes do not count. */
  readonly fits?: boolean;
}

/** Of the rows that do not fit only the first is returned, without its text. Sizes are known without reading texts. */
function withinBytes(select: string, maxBytes: number): string {
  const total = "sum(octet_length(body)) OVER (ORDER BY key ROWS UNBOUNDED PRECEDING)";
  const sized = `SELECT *, row_number() OVER (ORDER BY key) AS position, ${total} AS total FROM (${select}) AS found`;
  const fits = `(position = 1 OR total <= ${Math.trunc(maxBytes)})`;
  return `SELECT id, type, api_version, etag, operation_id, CASE WHEN ${fits} THEN body ELSE '{}' END AS body, ${fits} AS fits
    FROM (${sized}) AS pages WHERE position <= 2 OR total - octet_length(body) <= ${Math.trunc(maxBytes)} ORDER BY key`;
}

/** A document's row, locked until the transaction ends. */
export interface CurrentRow {
  readonly id: string;
  readonly type: string;
  readonly type_key: string;
  readonly etag: string;
  readonly sealed: string | null;
  readonly sealed_key_id: string | null;
  /** The first two characters of the body. */
  readonly start: string;
}

export async function lockDocument(sql: Sql, id: string): Promise<CurrentRow | undefined> {
  const [row] = await sql.query<CurrentRow>(
    "SELECT id, type, type_key, etag, sealed, sealed_key_id, substr(body, 1, 2) AS start FROM documents WHERE key = $1 FOR UPDATE",
    [toKey(id)],
  );
  return row;
}

/** @throws StoreError `EtagMismatch` */
export async function putDocument(
  sql: Sql,
  put: PreparedPut,
  expect: Expectation,
  current: CurrentRow | undefined,
): Promise<StoredDocument> {
  const { input, body } = completePut(put);
  const key = toKey(input.id);
  checkExpectation(input.id, expect, current?.etag);
  const kept = { text: current?.sealed ?? null, keyId: current?.sealed_key_id ?? null };
  const sealed = put.sealed === "keep" ? kept : put.sealed;
  const etag =
    current?.start === indentedStart
      ? etagOfReprinted(await indentedRow(sql, key), input, body, sealed.text)
      : (put.etag ?? etagOf(input, body, sealed.text));
  const operationId = input.operationId ?? null;
  if (current === undefined) {
    const inserted = await sql.query(
      `INSERT INTO documents (key, id, type_key, type, type_depth, api_version, etag, operation_id, body, sealed,
         sealed_key_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT DO NOTHING RETURNING 1`, // any of the unique indexes may be the first to notice
      [
        key,
        input.id,
        input.type.toLowerCase(),
        input.type,
        typeDepth(input.type),
        input.apiVersion,
        etag,
        operationId,
        body,
        sealed.text,
        sealed.keyId,
      ],
    );
    if (inserted.length === 0) {
      throw new TryAgain("The document appeared after it was looked for.");
    }
  } else {
    await sql.query(
      `UPDATE documents SET api_version = $2, etag = $3, operation_id = $4, body = $5, sealed = $6, sealed_key_id = $7
       WHERE key = $1`,
      [key, input.apiVersion, etag, operationId, body, sealed.text, sealed.keyId],
    );
  }
  const { id, type } = current ?? input;
  const row = { id, type, api_version: input.apiVersion, etag, operation_id: operationId, body };
  return new Document(row, input.body);
}

async function indentedRow(sql: Sql, key: string): Promise<IndentedRow> {
  const columns = "body, api_version, operation_id, sealed, etag";
  const [row] = await sql.query<IndentedRow>(`SELECT ${columns} FROM documents WHERE key = $1`, [key]);
  return row as IndentedRow;
}

/** @throws StoreError `EtagMismatch` */
export async function removeDocument(
  sql: Sql,
  id: string,
  expect: Expectation,
  current: CurrentRow | undefined,
): Promise<void> {
  checkExpectation(id, expect, current?.etag);
  if (current !== undefined) {
    await sql.query("DELETE FROM documents WHERE key = $1", [toKey(id)]);
  }
}

/**
 * `exists` holds a share lock on the row it found, so the row cannot go before we commit; `empty` locks the row it
 * speaks for, so nobody whose own guard needs that row can add something below it meanwhile.
 * @throws StoreError `GuardFailed`
 */
export async function checkGuard(sql: Sql, guard: Guard): Promise<void> {
  if (!(await holds(sql, guard))) {
    throw guardFailed(guard);
  }
}

async function holds(sql: Sql, guard: Guard): Promise<boolean> {
  switch (guard.kind) {
    case "exists": {
      const [row] = await sql.query<{ etag: string }>("SELECT etag FROM documents WHERE key = $1 FOR SHARE", [
        toKey(guard.id),
      ]);
      return row !== undefined && (guard.etag === undefined || guard.etag === row.etag);
    }
    case "empty": {
      await lockDocument(sql, guard.under);
      const { after, before } = keysBelow(guard.under);
      const except = (guard.except ?? []).map(toKey);
      const found = await sql.query(
        "SELECT 1 FROM documents WHERE key > $1 AND key < $2 AND key <> ALL ($3::text[]) LIMIT 1",
        [after, before, except],
      );
      return found.length === 0;
    }
    case "noInstances": {
      const { keys, firstType, lastType } = instancesOf(guard);
      const found = await sql.query(
        "SELECT 1 FROM documents WHERE type_key >= $1 AND type_key <= $2 AND key > $3 AND key < $4 LIMIT 1",
        [firstType, lastType, keys.after, keys.before],
      );
      return found.length === 0;
    }
    default:
      return guard satisfies never;
  }
}
