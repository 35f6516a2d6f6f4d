import { createHash } from "node:crypto";
import type { JsonObject } from "@rad/core";
import type { DocumentInput } from "@rad/store";
import type { LockWindow } from "../locks/lock-window.ts";
import type { Machine, ProcessIdentity } from "../processes.ts";
import type { BegunCreation, RunOrder, RunState } from "../terraform-run.ts";

export const runsId = "/system/terraformRuns";
export const runType = "System.Terraform/runs";
const storedVersion = "2025-08-01-preview";

/**
 * The one run that may work on a resource's state.
 *
 * - `running`: its processes may be there. The server renews `expires`; without that it has lost the run.
 * - `ended`: they are gone. `creations` has what no state is known to have; `lockWindows` which locks are leftovers.
 *
 * It is removed when the results are stored with the resource, and replaced by the next run on the state.
 */
export interface RunRecord {
  readonly state: "running" | "ended";
  readonly runId: string;
  readonly resourceId: string;
  readonly purpose: RunOrder["purpose"];
  readonly backend: RunState;
  readonly machine: Machine;
  readonly server: ProcessIdentity;
  readonly supervisor: ProcessIdentity;
  readonly folder: string;
  readonly startedAt: string;
  readonly leaseMs: number;
  /** In store time. */
  readonly expires: number;
  /** SHA-256 of the token with which the run reaches its state in the control plane. */
  readonly tokenHash: string;
  /** Of this run: what it plans to create, while it runs on a machine that may become unreachable. */
  readonly planned: readonly BegunCreation[];
  /** Of runs before it, and of this one once it has ended. */
  readonly creations: readonly BegunCreation[];
  /** Locks that runs before it may have left on the state, and this one once it has ended. */
  readonly lockWindows: readonly OwnedLockWindow[];
  /** Since when this run may hold a lock of its own, by the clock of its machine. */
  readonly lockedSince?: string;
  /** The run, or one before it, left a state that it could not save; it is sealed in the store. */
  readonly hasUnsavedState: boolean;
}

export interface OwnedLockWindow extends LockWindow {
  readonly host: string;
}

export function runRecordId(resourceId: string): string {
  return `${runsId}/${createHash("sha256").update(resourceId.toLowerCase()).digest("hex").slice(0, 40)}`;
}

export function recordInput(id: string, record: RunRecord): DocumentInput {
  return { id, type: runType, apiVersion: storedVersion, body: { ...record } as unknown as JsonObject, secrets: {} };
}

export function recordOf(body: JsonObject): RunRecord {
  return body as unknown as RunRecord;
}
