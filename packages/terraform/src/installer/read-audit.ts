import type { Clock } from "@rad/core";
import type { ResourceRequest } from "@rad/resources";
import type { AuditStore } from "@rad/store";
import { readRecord } from "./installer-audit.ts";

const everyMs = 60_000;
/** Callers that are remembered; beyond that the ones seen longest ago are recorded again. */
const maxCallers = 10_000;

/** Records who reads the status: clients poll it, so repeated reads by one caller within a minute are one record. */
export class ReadAudit {
  readonly #audit: AuditStore;
  readonly #clock: Clock;
  readonly #recordedAt = new Map<string, number>();

  constructor(audit: AuditStore, clock: Clock) {
    this.#audit = audit;
    this.#clock = clock;
  }

  /** Resolves when the read is on record. */
  async note(request: Pick<ResourceRequest, "caller" | "correlationId" | "apiVersion">): Promise<void> {
    const now = this.#clock.monotonicMs();
    const { subject } = request.caller;
    const before = this.#recordedAt.get(subject);
    if (before !== undefined && now - before < everyMs) {
      return;
    }
    this.#recordedAt.delete(subject); // the map is in the order of the last records
    this.#recordedAt.set(subject, now);
    const [oldest] = this.#recordedAt.keys();
    if (this.#recordedAt.size > maxCallers && oldest !== undefined) {
      this.#recordedAt.delete(oldest);
    }
    try {
      await this.#audit.append([readRecord(request, this.#clock)]);
    } catch (error) {
      this.#recordedAt.delete(subject);
      throw error;
    }
  }
}
