import { columnsWithoutBody, Document, documentColumns } from "../documents/document.ts";
import type { DocumentRow, IndentedRow } from "../documents/document.ts";
import { keysBelow, toKey } from "../documents/keys.ts";
import { keyOfPageToken, pageTokenAfter } from "../documents/page-token.ts";
import type { ListQuery, Page } from "../store.ts";
import type { Sql } from "./database.ts";
import type { SqlValue } from "./prepared-query.ts";

export async function listDocuments(sql: Sql, query: ListQuery): Promise<Page> {
  const range = keysBelow(query.under, query);
  const start = query.after === undefined ? range.after : keyOfPageToken(query.after, range);
  // One more than asked for tells whether another page follows; NULL means all.
  const values: SqlValue[] = [start, range.before, query.limit === undefined ? null : query.limit + 1];
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

/** What its etag covers, of a document that was stored with indentation. */
export async function readIndented(sql: Sql, id: string): Promise<IndentedRow | undefined> {
  const [row] = await sql.query<IndentedRow>(
    "SELECT body, api_version, operation_id, sealed, etag FROM documents WHERE key = $1",
    [toKey(id)],
  );
  return row;
}
