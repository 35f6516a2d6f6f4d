import { hash } from "node:crypto";
import { inSlices, type JsonObject, readOwnJson, type Sliced } from "@rad/core";
import type { DocumentInput, StoredDocument } from "../store.ts";

/** The columns that both databases return for a document. */
export interface DocumentRow {
  readonly id: string;
  readonly type: string;
  readonly api_version: string;
  readonly etag: string;
  readonly operation_id: string | null;
  readonly body: string;
  readonly bytes?: number;
}

export const documentColumns = "id, type, api_version, etag, operation_id, body";

/** The same where the body is not read. */
export const columnsWithoutBody = `id, type, api_version, etag, operation_id, '{}' AS body,
  octet_length(body) + coalesce(octet_length(sealed), 0) AS bytes`;

/** Parses its body only when somebody looks: most reads send the text on as it is. */
export class Document implements StoredDocument {
  readonly id: string;
  readonly type: string;
  readonly apiVersion: string;
  readonly etag: string;
  readonly operationId: string | undefined;
  readonly json: string;
  readonly bytes?: number;
  #body: JsonObject | undefined;

  /** @param body what the text of the row says, where somebody has just written it. */
  constructor(row: DocumentRow, body?: JsonObject) {
    this.#body = body;
    this.id = row.id;
    this.type = row.type;
    this.apiVersion = row.api_version;
    this.etag = row.etag;
    this.operationId = row.operation_id ?? undefined;
    this.json = row.body;
    if (row.bytes !== undefined) {
      this.bytes = row.bytes;
    }
  }

  get body(): JsonObject {
    this.#body ??= JSON.parse(this.json) as JsonObject;
    return this.#body;
  }

  parsed(): JsonObject | Promise<JsonObject> {
    return this.#body ?? inSlices(this.#parse());
  }

  *#parse(): Sliced<JsonObject> {
    this.#body = (yield* readOwnJson(this.json)) as JsonObject;
    return this.#body;
  }
}

/** The stored text, which is also the text on the wire. */
export function encodeBody(body: JsonObject): string {
  return JSON.stringify(body);
}

/**
 * Covers everything a write can change, the operation too: two writers that both read the document before an operation
 * was accepted for it cannot both win. Sealing the same secret again gives new text and so a new etag, but `reseal`
 * leaves the etag alone: it changes nothing that a reader could see.
 */
export function etagOf(input: DocumentInput, body: string, sealed: string | null): string {
  const text = [body, sealed ?? "", input.apiVersion, input.operationId ?? ""].join("\n");
  return `32-${hash("sha256", text, "hex")}`;
}

/** How the text of documents begins that were stored with indentation, as they all were once. */
export const indentedStart = "{\n";

/** A document that was stored with indentation, with what its etag covers. */
export type IndentedRow = Pick<DocumentRow, "body" | "api_version" | "operation_id" | "etag"> & {
  readonly sealed: string | null;
};

/** A write that changes only white space leaves the etag alone, so that no condition of a client fails over it. */
export function etagOfReprinted(row: IndentedRow, input: DocumentInput, body: string, sealed: string | null): string {
  const isSame =
    row.api_version === input.apiVersion &&
    row.operation_id === (input.operationId ?? null) &&
    row.sealed === sealed &&
    encodeBody(JSON.parse(row.body) as JsonObject) === body;
  return isSame ? row.etag : etagOf(input, body, sealed);
}

/** Number of type segments: 1 for `Applications.Core/containers`. */
export function typeDepth(type: string): number {
  return type.split("/").length - 1;
}
