import { checkExpectation, guardFailed, instancesOf } from "../documents/conditions.ts";
import { Document, documentColumns, etagOf, typeDepth } from "../documents/document.ts";
import type { DocumentRow } from "../documents/document.ts";
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
  const rows = await sql.query<DocumentRow>(
    `SELECT ${documentColumns} FROM documents WHERE ${where} ORDER BY key LIMIT $3::integer`,
    values,
  );
  const items = rows.slice(0, query.limit).map((row) => new Document(row));
  const last = items.at(-1);
  return rows.length > items.length && last !== undefined ? { items, next: pageTokenAfter(toKey(last.id)) } : { items };
}

/** A document's row, locked until the transaction ends. */
export interface CurrentRow {
  readonly id: string;
  readonly type: string;
  readonly type_key: string;
  readonly etag: string;
  readonly sealed: string | null;
  readonly sealed_key_id: string | null;
}

export async function lockDocument(sql: Sql, id: string): Promise<CurrentRow | undefined> {
  const [row] = await sql.query<CurrentRow>(
    "SELECT id, type, type_key, etag, sealed, sealed_key_id FROM documents WHERE key = $1 FOR UPDATE",
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
  const etag = etagOf(input, body, sealed.text);
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
