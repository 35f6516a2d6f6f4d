import { ApiError, type Clock } from "@rad/core";
import type { AuditRecord, AuditStore, StoredDocument, Store, Write } from "@rad/store";
import { randomUUID } from "node:crypto";
import { synchronousOutcome } from "./audit.ts";

/** Errors that are the outcome of an intent on record, so that they are not recorded as a refusal too. */
const onRecord = new WeakSet<object>();

/** Whether the audit log has the failure as the outcome of an intent. */
export function isOnRecord(error: unknown): boolean {
  return error instanceof Error && (onRecord.has(error) || isOnRecord(error.cause));
}

/** Puts a refusal on record whose target says more than the URL does. @returns the error, to be thrown */
export async function recordRefusal(audit: AuditStore, record: AuditRecord, error: ApiError): Promise<ApiError> {
  await audit.append([{ ...record, phase: "refusal", status: error.status, result: error.code }]);
  onRecord.add(error);
  return error;
}

export interface TrailDeps {
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * The audit records of a change that is made within a request. Both travel with its last write, if that is all it does.
 * A change with effects before that puts its intent on record first, and is left open until the last write:
 *
 *     begin, or the first of several writes ──→ open ── last write ──→ Succeeded
 *                                                 │ ─── error ───────→ Failed
 *                                                 └ ─── the process died, or the store was away ──→ Unknown, by the store
 */
export class ChangeTrail {
  readonly #deps: TrailDeps;
  readonly #intent: AuditRecord;
  readonly #intentId = randomUUID();
  #isOpen = false;

  constructor(deps: TrailDeps, intent: AuditRecord) {
    this.#deps = deps;
    this.#intent = intent;
  }

  /** Puts the intent on record, before effects that are in no transaction. */
  async begin(): Promise<void> {
    await this.#deps.store.audit.append([this.#opening]);
    this.#isOpen = true;
  }

  /** A write of the change that is not the last one. */
  async write(change: Write): Promise<StoredDocument | undefined> {
    const stored = await this.#deps.store.write(this.#isOpen ? change : { ...change, audit: [this.#opening] });
    this.#isOpen = true;
    return stored;
  }

  /** The records that the last write carries. */
  last(status = 200): readonly AuditRecord[] {
    if (!this.#isOpen) {
      return [this.#intent, synchronousOutcome(this.#intent, status)];
    }
    return [{ ...synchronousOutcome(this.#opening, status), time: this.#deps.clock.now() }];
  }

  /** Carries the change out. An error after the intent went on record is its outcome. */
  async around<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } catch (error) {
      if (this.#isOpen) {
        await this.#fail(error);
      }
      this.#deps.store.audit.abandon(this.#intentId);
      throw error;
    }
  }

  async #fail(error: unknown): Promise<void> {
    const { store, clock } = this.#deps;
    const status = error instanceof ApiError ? error.status : undefined;
    try {
      const time = clock.now();
      await store.audit.append([{ ...this.#opening, phase: "outcome", time, status, result: "Failed" }]);
    } catch {
      return; // the store has it as unknown
    }
    if (error instanceof Error) {
      onRecord.add(error);
    }
  }

  get #opening(): AuditRecord {
    return { ...this.#intent, intentId: this.#intentId };
  }
}
