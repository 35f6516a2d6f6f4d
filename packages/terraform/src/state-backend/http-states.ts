import { inSlices, type JsonObject, type JsonValue, readOwnJson } from "@rad/core";
import { listAll, type DocumentInput, type Store, type StoredDocument } from "@rad/store";
import { readText, removeText } from "../sealed-text/sealed-text.ts";

const statesId = "/system/terraformStates";
const stateType = "System.Terraform/states";
const storedVersion = "2025-08-01-preview";

/** What is known of a state without opening it. */
export interface StateHeader {
  readonly resourceId: string;
  readonly lineage: string;
  readonly serial: number;
  readonly bytes: number;
  /** SHA-256 of the text, to tell a repetition from a change. */
  readonly sha256: string;
  readonly updatedAt: string;
  readonly lock?: StateLock | undefined;
}

export interface StateLock {
  readonly id: string;
  readonly runId: string;
  /** As Terraform describes itself. */
  readonly info: JsonObject;
}

/** A state as a list shows it. */
export interface StateSummary extends Omit<StateHeader, "lock" | "sha256"> {
  readonly name: string;
  readonly isLocked: boolean;
}

/** The states that the control plane keeps for recipes without another backend: sealed, one per resource. */
export class HttpStates {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Whether Terraform has saved a state under this name. */
  async has(name: string): Promise<boolean> {
    return isSaved(await this.#store.get(stateId(name)));
  }

  /** The state file as Terraform wrote it. */
  async read(name: string): Promise<JsonValue | undefined> {
    const text = await readText(this.#store, stateTextId(name));
    return text === undefined ? undefined : await inSlices(readOwnJson(text));
  }

  async *list(): AsyncGenerator<StateSummary> {
    const query = { under: statesId, type: stateType };
    for await (const document of listAll((page) => this.#store.list(page), query)) {
      if (isSaved(document)) {
        const { lock, sha256: _, ...header } = headerOf(document);
        yield { ...header, name: document.id.slice(statesId.length + 1), isLocked: lock !== undefined };
      }
    }
  }

  /** After everything in it is destroyed. */
  async remove(name: string): Promise<void> {
    await this.#store.write({
      document: { kind: "remove", id: stateId(name), expect: "any" },
      also: await removeText(this.#store, stateTextId(name)),
    });
  }
}

export function stateId(name: string): string {
  return `${statesId}/${name}`;
}

export function stateTextId(name: string): string {
  return `${stateId(name)}/state`;
}

export function headerOf({ body }: StoredDocument): StateHeader {
  return body as unknown as StateHeader;
}

export function headerInput(name: string, header: StateHeader): DocumentInput {
  const { lock, ...rest } = header;
  const body = { ...rest, ...(lock === undefined ? {} : { lock }) } as unknown as JsonObject;
  return { id: stateId(name), type: stateType, apiVersion: storedVersion, body, secrets: {} };
}

/** A lock comes before the first state. */
export function isSaved(document: StoredDocument | undefined): boolean {
  return document !== undefined && headerOf(document).lineage !== "";
}
