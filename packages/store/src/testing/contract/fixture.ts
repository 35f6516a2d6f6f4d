import type { JsonObject } from "@rad/core";
import type { KeyRingSource } from "../../sealing/key-ring.ts";
import type { AuditRecord, DocumentInput, Expectation, NewOperation, Store, StoredDocument } from "../../store.ts";

/** An implementation under test, with an empty database. */
export interface StoreFixture extends AsyncDisposable {
  /** The open store; another one after `reopen`. */
  readonly store: Store;
  /** Lets time pass for the store. */
  advance(ms: number): Promise<void>;
  /** Sets the clock back that the store goes by, the wall clock or the database's; after `meanwhile` the store notices. */
  setClockBack(ms: number, meanwhile?: () => Promise<void>): Promise<void>;
  /** Closes the store and opens the same data with other keys. When that fails, the old keys are used next time. */
  reopen(keys?: KeyRingSource): Promise<Store>;
  /** Changes columns of a document's row as an earlier version would have written them. The store is open again then. */
  overwrite(id: string, columns: Readonly<Record<string, string>>): Promise<void>;
  /** Everything the database has on disk, as text. */
  contents(): Promise<string>;
}

export type OpenFixture = () => Promise<StoreFixture>;

export const group = "/planes/radius/local/resourceGroups/dev";
export const containerType = "Applications.Core/containers";

export function containerId(name: string, scope: string = group): string {
  return `${scope}/providers/${containerType}/${name}`;
}

export function input(id: string, body: JsonObject = {}, more: Partial<DocumentInput> = {}): DocumentInput {
  return { id, type: containerType, apiVersion: "2023-10-01-preview", body, secrets: {}, ...more };
}

export async function put(store: Store, document: DocumentInput, expect: Expectation = "any"): Promise<StoredDocument> {
  const stored = await store.write({ document: { kind: "put", input: document, expect } });
  if (stored === undefined) {
    throw new Error("A put resolves to the document.");
  }
  return stored;
}

let operations = 0;

export function operation(more: Partial<NewOperation> = {}): NewOperation {
  operations += 1;
  return {
    id: `00000000-0000-4000-8000-${String(operations).padStart(12, "0")}`,
    resourceId: containerId("web"),
    kind: "put",
    apiVersion: "2023-10-01-preview",
    queue: "default",
    timeoutMs: 600_000,
    caller: "ana",
    correlationId: "c-1",
    ...more,
  };
}

/** Accepts an operation and resolves to its id. */
export async function accept(store: Store, more: Partial<NewOperation> = {}): Promise<string> {
  const accepted = operation(more);
  await store.write({ operation: accepted });
  return accepted.id;
}

export function auditRecord(more: Partial<AuditRecord> = {}): AuditRecord {
  return {
    phase: "intent",
    time: new Date("2026-01-02T03:04:05.678Z"),
    caller: "ana",
    action: "Applications.Core/containers/write",
    target: containerId("web"),
    apiVersion: "2023-10-01-preview",
    correlationId: "c-1",
    ...more,
  };
}
