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
import type { Database, SqlValue } from "./database.ts";
import type { DocumentCache } from "../documents/document-cache.ts";

const selectDocument = `SELECT ${documentColumns} FROM documents WHERE key = ?`;

export function getDocument(database: Database, cache: DocumentCache, id: string): StoredDocument | undefined {
  const key = toKey(id);
  const known = cache.get(key);
  if (known !== undefined) {
    return new Document(known);
  }
  const row = database.get<DocumentRow>(selectDocument, [key]);
  if (row === undefined) {
    return undefined;
  }
  cache.add(key, row);
  return new Document(row);
}

export function listDocuments(database: Database, query: ListQuery): Page {
  const range = keysBelow(query.under, query);
  const start = query.after === undefined ? range.after : keyOfPageToken(query.after, range);
  const values: SqlValue[] = [start, range.before];
  let where = "key > ? AND key < ?";
  if (query.type !== undefined) {
    where += " AND type_key = ?";
    values.push(query.type.toLowerCase());
  }
  if (query.topLevel === true) {
    where += " AND type_depth = 1";
  }
  // One more than asked for tells whether another page follows; -1 means all.
  values.push(query.limit === undefined ? -1 : query.limit + 1);
  const columns = query.withoutBodies === true ? columnsWithoutBody : documentColumns;
  const sql = `SELECT ${columns} FROM documents WHERE ${where} ORDER BY key LIMIT ?`;
  return fillPage(database.each<DocumentRow>(sql, values), query);
}

/** Reads no more rows than the page takes, and one that tells that there are more. */
function fillPage(rows: Iterable<DocumentRow>, { limit, maxBytes = Infinity }: ListQuery): Page {
  const items: Document[] = [];
  let bytes = 0;
  for (const row of rows) {
    const last = items.at(-1);
    bytes += maxBytes === Infinity ? 0 : Buffer.byteLength(row.body);
    if (last !== undefined && (items.length === limit || bytes > maxBytes)) {
      return { items, next: pageTokenAfter(toKey(last.id)) };
    }
    items.push(new Document(row));
  }
  return { items };
}

interface CurrentRow {
  readonly id: string;
  readonly type: string;
  readonly etag: string;
  readonly sealed: string | null;
  readonly sealed_key_id: string | null;
  /** The first two characters of the body. */
  readonly start: string;
}

/** @throws StoreError `EtagMismatch` */
export function putDocument(database: Database, put: PreparedPut, expect: Expectation): StoredDocument {
  const { input, body } = completePut(put);
  const key = toKey(input.id);
  const current = database.get<CurrentRow>(
    "SELECT id, type, etag, sealed, sealed_key_id, substr(body, 1, 2) AS start FROM documents WHERE key = ?",
    [key],
  );
  checkExpectation(input.id, expect, current?.etag);
  const kept = { text: current?.sealed ?? null, keyId: current?.sealed_key_id ?? null };
  const sealed = put.sealed === "keep" ? kept : put.sealed;
  const etag =
    current?.start === indentedStart
      ? etagOfReprinted(indentedRow(database, key), input, body, sealed.text)
      : (put.etag ?? etagOf(input, body, sealed.text));
  const operationId = input.operationId ?? null;
  if (current === undefined) {
    const typeKey = input.type.toLowerCase();
    database.run(
      `INSERT INTO documents (key, id, type_key, type, type_depth, api_version, etag, operation_id, body, sealed,
         sealed_key_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        key,
        input.id,
        typeKey,
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
  } else {
    database.run(
      `UPDATE documents SET api_version = ?, etag = ?, operation_id = ?, body = ?, sealed = ?, sealed_key_id = ?
       WHERE key = ?`,
      [input.apiVersion, etag, operationId, body, sealed.text, sealed.keyId, key],
    );
  }
  const { id, type } = current ?? input;
  const row = { id, type, api_version: input.apiVersion, etag, operation_id: operationId, body };
  return new Document(row, input.body);
}

function indentedRow(database: Database, key: string): IndentedRow {
  const sql = "SELECT body, api_version, operation_id, sealed, etag FROM documents WHERE key = ?";
  return database.get(sql, [key]) as IndentedRow;
}

/** @returns the lower-cased type of what was removed. @throws StoreError `EtagMismatch` */
export function removeDocument(database: Database, id: string, expect: Expectation): string | undefined {
  const key = toKey(id);
  const current = database.get<{ etag: string; type_key: string }>(
    "SELECT etag, type_key FROM documents WHERE key = ?",
    [key],
  );
  checkExpectation(id, expect, current?.etag);
  database.run("DELETE FROM documents WHERE key = ?", [key]);
  return current?.type_key;
}

/** @throws StoreError `GuardFailed` */
export function checkGuard(database: Database, guard: Guard): void {
  if (!holds(database, guard)) {
    throw guardFailed(guard);
  }
}

function holds(database: Database, guard: Guard): boolean {
  switch (guard.kind) {
    case "exists": {
      const row = database.get<{ etag: string }>("SELECT etag FROM documents WHERE key = ?", [toKey(guard.id)]);
      return row !== undefined && (guard.etag === undefined || guard.etag === row.etag);
    }
    case "empty": {
      const { after, before } = keysBelow(guard.under);
      const except = JSON.stringify((guard.except ?? []).map(toKey));
      const found = database.get(
        `SELECT 1 FROM documents WHERE key > ? AND key < ? AND key NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
        [after, before, except],
      );
      return found === undefined;
    }
    case "noInstances": {
      const { keys, firstType, lastType } = instancesOf(guard);
      const found = database.get(
        "SELECT 1 FROM documents WHERE type_key >= ? AND type_key <= ? AND key > ? AND key < ? LIMIT 1",
        [firstType, lastType, keys.after, keys.before],
      );
      return found === undefined;
    }
    default:
      return guard satisfies never;
  }
}
