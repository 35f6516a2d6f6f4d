import { type JsonObject, objectMember } from "@rad/core";
import type { StoredDocument } from "@rad/store";
import type { ResourceAccess, ResourceReader } from "../resource-access.ts";

/** By id: the whole body of a resource that is about to be written; `undefined` for all others. */
export type ExpectedResources = (id: string) => JsonObject | undefined;

/** Reads resources as they will be. Lists and secrets are those of now. */
export function withExpected(resources: ResourceAccess, expected: ExpectedResources): ResourceAccess {
  return {
    asServer: expecting(resources.asServer, expected),
    asRequester: expecting(resources.asRequester, expected),
  };
}

/** The same for one reader. */
export function expecting(reader: ResourceReader, expected: ExpectedResources): ResourceReader {
  return {
    list: (query) => reader.list(query),
    secrets: (id) => reader.secrets(id),
    get: async (id) => {
      const current = await reader.get(id);
      const body = expected(id);
      return body === undefined ? current : expectedDocument(id, body, current);
    },
  };
}

/** What earlier work came to stays until new work replaces it. */
function expectedDocument(id: string, body: JsonObject, current: StoredDocument | undefined): StoredDocument {
  const { status } = objectMember(current?.body ?? {}, "properties");
  const properties = { ...objectMember(body, "properties"), ...(status === undefined ? {} : { status }) };
  const whole: JsonObject = { ...body, properties };
  const { type } = body;
  return {
    id: current?.id ?? id,
    type: current?.type ?? (typeof type === "string" ? type : ""),
    apiVersion: current?.apiVersion ?? "",
    etag: current?.etag ?? "",
    operationId: current?.operationId,
    get json() {
      return JSON.stringify(whole);
    },
    body: whole,
    parsed: () => whole,
  };
}
