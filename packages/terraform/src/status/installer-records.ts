import { type Clock, Limiter } from "@rad/core";
import { type Store, StoreError, type StoredDocument, type Write } from "@rad/store";
import { emptyRecord, type InstallerRecord, recordFromJson, recordToJson } from "./installer-record.ts";
import { isAllowed } from "./installer-state.ts";

export const recordId = "/system/terraformInstaller";
const recordType = "System.Terraform/installers";
export const storedVersion = "2025-08-01-preview";

/** The store, or an operation's own way to it, under its lease. */
export interface Writer {
  write(change: Omit<Write, "lease">): Promise<unknown>;
}

/** What to make of the record as it is now. Without `record` it stays, and is held until `change` commits. */
export interface Decision<T> {
  readonly result: T;
  readonly record?: InstallerRecord | undefined;
  readonly change?: Omit<Write, "document">;
}

export interface RecordSnapshot {
  readonly record: InstallerRecord;
  /** Absent before the first job. */
  readonly etag: string | undefined;
}

/** Reads and changes the installer's record, whichever process changes it at the same time. */
export class InstallerRecords {
  readonly #store: Store;
  readonly #clock: Clock;
  /** Changes of this process take turns, so that only those of other processes are ever in the way. */
  readonly #turn = new Limiter(1);

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async read(): Promise<RecordSnapshot> {
    return snapshotOf(await this.#store.get(recordId));
  }

  /**
   * Decides on the record as it is, and stores that in one transaction; decides again when another change came first.
   * @param decide called once or more; changes nothing by itself, and does not take long
   * @param writer where the change belongs to the lease of an operation
   */
  async update<T>(
    decide: (record: InstallerRecord) => Decision<T> | Promise<Decision<T>>,
    writer: Writer = this.#store,
  ): Promise<T> {
    return await this.#turn.run(async () => {
      for (;;) {
        const { record: before, etag } = await this.read();
        const { result, record, change } = await decide(before);
        if (record === undefined && change === undefined) {
          return result;
        }
        try {
          await writer.write({ ...change, ...this.#expecting(before, etag, record, change) });
          return result;
        } catch (error) {
          if (!isOvertaken(error)) {
            throw error;
          }
        }
      }
    });
  }

  #expecting(
    before: InstallerRecord,
    etag: string | undefined,
    record: InstallerRecord | undefined,
    change: Decision<unknown>["change"] = {},
  ): Pick<Write, "document" | "guards"> {
    if (record === undefined) {
      // Nothing to hold on to before the first job: there is no record that could change something for the caller.
      return etag === undefined ? {} : { guards: [...(change.guards ?? []), { kind: "exists", id: recordId, etag }] };
    }
    if (!isAllowed(before.state, record.state)) {
      throw new Error(`The installer cannot go from '${before.state}' to '${record.state}'.`);
    }
    const body = recordToJson({ ...record, lastUpdated: this.#clock.now().toISOString() });
    return {
      document: {
        kind: "put",
        input: { id: recordId, type: recordType, apiVersion: storedVersion, body, secrets: {} },
        expect: etag === undefined ? "absent" : { etag },
      },
    };
  }
}

export function snapshotOf(document: StoredDocument | undefined): RecordSnapshot {
  return document === undefined
    ? { record: emptyRecord, etag: undefined }
    : { record: recordFromJson(document.body), etag: document.etag };
}

function isOvertaken(error: unknown): boolean {
  if (!(error instanceof StoreError)) {
    return false;
  }
  const isGuard = error.code === "GuardFailed" && error.guard?.kind === "exists" && error.guard.id === recordId;
  return error.code === "EtagMismatch" || isGuard;
}
