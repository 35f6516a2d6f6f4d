import { hash } from "node:crypto";
import { type JsonObject, type JsonValue, objectMember } from "@rad/core";
import type { RecipeDefinition } from "@rad/radius-types";
import type { DocumentChange, Store } from "@rad/store";
import type { RecipeRecord } from "./recipe-record.ts";

const recordsId = "/system/recipes";
const recordType = "System.Recipes/records";
const logType = "System.Recipes/logs";
const storedVersion = "2026-01-01";

/** Of a definition: what its address has besides what is shown. */
const credentialMembers = ["userInfo", "secretQuery"] as const;

/** Characters of a log that are kept: its end, which says what went wrong. */
const maxLogCharacters = 256 * 1024;

export interface StoredRecord {
  readonly record: RecipeRecord;
  readonly definition: RecipeDefinition;
}

/** The records of recipes in the store. Changes are given to whoever holds the lease of the resource's operation. */
export class RecipeRecords {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async read(resourceId: string): Promise<StoredRecord | undefined> {
    const id = recordId(resourceId);
    const document = await this.#store.get(id);
    if (document === undefined) {
      return undefined;
    }
    const record = (await document.parsed()) as unknown as RecipeRecord;
    const sealed = await this.#store.secrets(id);
    const parameters = objectMember({ parameters: sealed["/parameters"] ?? {} }, "parameters");
    const credentials = Object.fromEntries(
      credentialMembers.flatMap((name) => (sealed[`/${name}`] === undefined ? [] : [[name, sealed[`/${name}`]]])),
    ) as Pick<RecipeDefinition, (typeof credentialMembers)[number]>;
    return { record, definition: { ...record.definition, parameters, ...credentials } };
  }

  /** Every record, page by page. */
  async *all(): AsyncIterable<RecipeRecord> {
    let after: string | undefined;
    do {
      const page = await this.#store.list({
        type: recordType,
        under: recordsId,
        ...(after === undefined ? {} : { after }),
      });
      for (const document of page.items) {
        yield (await document.parsed()) as unknown as RecipeRecord;
      }
      after = page.next;
    } while (after !== undefined);
  }

  put(record: RecipeRecord, definition: RecipeDefinition): DocumentChange {
    const credentials = credentialMembers.filter((name) => definition[name] !== undefined);
    const sealed = ["parameters", ...credentials] as const;
    const body = { ...record, ...Object.fromEntries(sealed.map((name) => [name, null])) } as unknown as JsonObject;
    const id = recordId(record.resourceId);
    const secrets = Object.fromEntries(sealed.map((name) => [`/${name}`, definition[name] as unknown as JsonValue]));
    return { kind: "put", input: { id, type: recordType, apiVersion: storedVersion, body, secrets }, expect: "any" };
  }

  /** The log stays: it says how the destruction went. */
  remove(resourceId: string): DocumentChange {
    return { kind: "remove", id: recordId(resourceId), expect: "any" };
  }

  putLog(resourceId: string, runId: string, text: string): DocumentChange {
    const kept = text.length <= maxLogCharacters ? text : `…\n${text.slice(-maxLogCharacters)}`;
    const body = { resourceId, runId, text: kept };
    const input = { id: logId(resourceId), type: logType, apiVersion: storedVersion, body, secrets: {} };
    return { kind: "put", input, expect: "any" };
  }

  async readLog(resourceId: string): Promise<{ readonly runId: string; readonly text: string } | undefined> {
    const document = await this.#store.get(logId(resourceId));
    const { runId, text } = (await document?.parsed()) ?? {};
    return typeof runId === "string" && typeof text === "string" ? { runId, text } : undefined;
  }
}

function recordId(resourceId: string): string {
  return `${recordsId}/${hash("sha256", resourceId.toLowerCase())}`;
}

/** Beside the records, which have nothing below them. */
function logId(resourceId: string): string {
  return `/system/recipeLogs/${hash("sha256", resourceId.toLowerCase())}`;
}
