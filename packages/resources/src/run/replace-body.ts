import type { JsonObject } from "@rad/core";
import type { DocumentInput, DocumentPut, StoredDocument } from "@rad/store";

/** Replaces a document as it was read; whatever else changed it meanwhile makes the write fail. */
export function replaceBody(
  document: StoredDocument,
  body: JsonObject,
  { operationId, secrets = "keep" }: Partial<Pick<DocumentInput, "operationId" | "secrets">> = {},
): DocumentPut {
  const { id, type, apiVersion, etag } = document;
  return { kind: "put", input: { id, type, apiVersion, body, secrets, operationId }, expect: { etag } };
}
