import { ApiError, type Clock, type Logger } from "@rad/core";
import { type Store, StoreError } from "@rad/store";
import { randomUUID } from "node:crypto";
import { access } from "node:fs/promises";
import { hostname } from "node:os";
import { productNames } from "../product.ts";
import { type InstallerRecord, isBusy, usableBinary } from "../status/installer-record.ts";
import { type InstallerRecords, recordId } from "../status/installer-records.ts";
import type { BinaryVolume, InstalledBinary } from "../volume/binary-volume.ts";
import {
  type ExecutionLease,
  HeldLease,
  leaseInput,
  type LeaseRecord,
  leasesId,
  leaseType,
} from "./execution-lease.ts";

export interface ExecutionLeasesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly records: InstallerRecords;
  readonly volume: BinaryVolume;
  /** A lease that is not renewed for so long has run out. */
  readonly leaseMs: number;
  /** Gets a binary from a control plane that has it, where the volume is not shared. */
  readonly pull?: ((binary: InstalledBinary, signal: AbortSignal) => Promise<void>) | undefined;
  /** The active binary is not on the volume. */
  readonly onMissing?: (binary: InstalledBinary) => Promise<void>;
  /** A lease has ended: what nobody uses any more can go. */
  readonly onReleased?: () => Promise<void>;
}

/** What runs without Terraform say, and so does everybody else. */
const notInstalledText = "Terraform is not installed. Run 'rad terraform install' to install Terraform.";
export const inProgressText = "install in progress, retry after status shows Succeeded";

/** How long a count for people may be out of date. */
const countedMs = 1_000;

/** How long an execution waits for a file that a job replaces. */
const replacedMs = 2_000;
const lookAgainMs = 100;

/**
 * Lends the active binary to executions, across all processes of the store. A lease is a document with an end in store
 * time. It is stored only if the installer's record is still the one that allowed it, so none begins once an uninstall
 * has marked the version; it counts until it is disposed, or until its process is dead for `leaseMs`.
 */
export class ExecutionLeases implements Disposable {
  readonly #options: ExecutionLeasesOptions;
  readonly #events: Disposable;
  #counted: { readonly at: number; readonly count: Promise<number> } | undefined;

  constructor(options: ExecutionLeasesOptions) {
    this.#options = options;
    this.#events = options.store.subscribe((event) => {
      if (event.kind === "document" && (event.type === leaseType.toLowerCase() || event.type === "*")) {
        this.#counted = undefined;
      }
    });
  }

  [Symbol.dispose](): void {
    this.#events[Symbol.dispose]();
  }

  /** @throws ApiError `Conflict` when nothing is installed, or it is being uninstalled */
  async acquire(options: { readonly signal?: AbortSignal } = {}): Promise<ExecutionLease> {
    const { signal = new AbortController().signal } = options;
    const { binary, held } = await this.#hold(signal);
    try {
      const path = await this.#localPath(binary, signal);
      const { product, version, sha256 } = binary;
      return {
        product,
        version,
        path,
        sha256,
        signal: held.signal,
        [Symbol.asyncDispose]: async () => {
          await held[Symbol.asyncDispose]();
          await this.#released(binary);
        },
      };
    } catch (error) {
      await held[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Binaries that executions use now, one entry for each. Expired leases are removed, so that they cannot come back. */
  async live(): Promise<readonly LeaseRecord[]> {
    const { store } = this.#options;
    const now = await store.now();
    const { items } = await store.list({ type: leaseType, under: leasesId });
    const live: LeaseRecord[] = [];
    for (const { id, etag, body } of items) {
      const lease = body as unknown as LeaseRecord;
      if (lease.expires <= now) {
        if (!(await this.#expire(id, etag))) {
          live.push(lease);
        }
        continue;
      }
      live.push(lease);
      if (lease.expires > now + 2 * lease.leaseMs) {
        await this.#cut(id, etag, { ...lease, expires: now + lease.leaseMs });
      }
    }
    return live;
  }

  /** How many executions there are, for people: up to a second old. */
  count(): Promise<number> {
    const now = this.#options.clock.monotonicMs();
    if (this.#counted === undefined || now - this.#counted.at >= countedMs) {
      const count = this.live().then((live) => live.length);
      const counted = { at: now, count };
      this.#counted = counted;
      count.catch(() => {
        if (this.#counted === counted) {
          this.#counted = undefined;
        }
      });
    }
    return this.#counted.count;
  }

  async #hold(signal: AbortSignal): Promise<{ readonly binary: InstalledBinary; readonly held: HeldLease }> {
    const { store, clock, log, records, leaseMs } = this.#options;
    const id = `${leasesId}/${randomUUID()}`;
    for (;;) {
      signal.throwIfAborted();
      const { record: installer, etag } = await records.read();
      const binary = requireUsable(installer);
      const { product, version, sha256 } = binary;
      const lease: LeaseRecord = {
        product,
        version,
        sha256,
        holder: `${hostname()}/${process.pid}`,
        acquiredAt: clock.now().toISOString(),
        leaseMs,
        expires: (await store.now()) + leaseMs,
      };
      try {
        const stored = await store.write({
          document: { kind: "put", input: leaseInput(id, lease), expect: "absent" },
          guards: [{ kind: "exists", id: recordId, ...(etag === undefined ? {} : { etag }) }],
        });
        return {
          binary,
          held: new HeldLease({ store, clock, log, id, record: lease, etag: stored?.etag ?? "" }),
        };
      } catch (error) {
        if (!(error instanceof StoreError && error.code === "GuardFailed")) {
          throw error;
        } // the record changed meanwhile, perhaps only its queue
      }
    }
  }

  /** Executions come and go; only an outdated binary is a reason to clean up. */
  async #released({ product, version }: InstalledBinary): Promise<void> {
    const { records, onReleased, log } = this.#options;
    try {
      const { current } = (await records.read()).record;
      if (current?.product !== product || current.version !== version) {
        await onReleased?.();
      }
    } catch (error) {
      log.warn("unused binaries could not be removed; the next clean-up tries again", { error });
    }
  }

  /** Where this process has the binary. */
  async #localPath(binary: InstalledBinary, signal: AbortSignal): Promise<string> {
    const { pull, records, clock } = this.#options;
    for (let waitedMs = 0; ; waitedMs += lookAgainMs) {
      const found = await this.#find(binary);
      if (found !== undefined) {
        return found;
      }
      if (waitedMs >= replacedMs || !isBusy((await records.read()).record)) {
        break; // unless a job is just replacing the file by one of another archive
      }
      await clock.sleep(lookAgainMs, signal);
    }
    if (pull !== undefined) {
      await pull(binary, signal);
      const pulled = await this.#find(binary);
      if (pulled !== undefined) {
        return pulled;
      }
    }
    await this.#options.onMissing?.(binary);
    throw new ApiError("Conflict", notInstalledText);
  }

  async #find({ product, version, sha256 }: InstalledBinary): Promise<string | undefined> {
    const found = await this.#options.volume.find(product, version);
    if (found === undefined || found.sha256 !== sha256) {
      return undefined;
    }
    const isThere = await access(found.path).then(
      () => true,
      () => false,
    );
    return isThere ? found.path : undefined;
  }

  /** @returns `false` when it was renewed at the last moment */
  async #expire(id: string, etag: string): Promise<boolean> {
    try {
      await this.#options.store.write({ document: { kind: "remove", id, expect: { etag } } });
      return true;
    } catch (error) {
      if (error instanceof StoreError && error.code === "EtagMismatch") {
        return (await this.#options.store.get(id)) === undefined;
      }
      throw error;
    }
  }

  /** The database's clock has gone back: the end of a dead lease would be far away. */
  async #cut(id: string, etag: string, lease: LeaseRecord): Promise<void> {
    try {
      await this.#options.store.write({ document: { kind: "put", input: leaseInput(id, lease), expect: { etag } } });
    } catch (error) {
      if (!(error instanceof StoreError && error.code === "EtagMismatch")) {
        throw error;
      } // renewed or released meanwhile
    }
  }
}

function requireUsable(record: InstallerRecord): InstalledBinary {
  const { current, state } = record;
  if (current !== undefined && (state === "pending-deletion" || state === "uninstalling")) {
    const name = `${productNames[current.product]} ${current.version}`;
    throw new ApiError("Conflict", `${name} is being uninstalled and takes no new executions (${state}).`);
  }
  const binary = usableBinary(record);
  if (binary === undefined) {
    const details = state === "installing" ? [{ code: "Conflict", message: inProgressText }] : [];
    throw new ApiError("Conflict", notInstalledText, { details });
  }
  return binary;
}
