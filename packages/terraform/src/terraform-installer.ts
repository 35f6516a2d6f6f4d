import type { Clock, Logger, Metrics, Tracing } from "@rad/core";
import type { OperationExecutor } from "@rad/operations";
import type { Store } from "@rad/store";
import { createReadStream } from "node:fs";
import { machinePlatform } from "./platform.ts";
import { BinaryHealth } from "./installer/binary-health.ts";
import { Installer, type InstallerAnswer, type InstallerRequest, installerQueue } from "./installer/installer.ts";
import { InstallerExecutor } from "./installer/installer-executor.ts";
import { InstallerMetrics } from "./installer/installer-metrics.ts";
import { ReadAudit } from "./installer/read-audit.ts";
import { removeUnused } from "./installer/remove-unused.ts";
import { ExecutionLeases } from "./leases/execution-leases.ts";
import { pullBinary, type PullSource } from "./leases/pull-binary.ts";
import { isBusy } from "./status/installer-record.ts";
import { InstallerRecords } from "./status/installer-records.ts";
import { InstallerStatus } from "./installer/installer-status.ts";
import type { BinaryVolume, InstalledBinary } from "./volume/binary-volume.ts";

export interface TerraformInstallerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly volume: BinaryVolume;
  /** How long one job may run. */
  readonly timeoutMs: number;
  readonly drainMs: number;
  /** Of executions. */
  readonly leaseMs: number;
  /** Where the active binary comes from when the volume of this process does not have it. */
  readonly pullFrom?: PullSource | undefined;
}

/** A binary on its way to a worker without the shared volume. */
export interface BinaryContent {
  readonly size: number;
  /** Opens the file, which is needed only if somebody reads it. */
  readonly content: () => AsyncIterable<Uint8Array>;
}

/** Of a release, for one platform. */
export interface ReleaseArchive extends Pick<InstalledBinary, "product" | "version"> {
  readonly platform: string;
  readonly url?: string;
  readonly sha256?: string;
  /** Why it cannot be told. */
  readonly error?: string;
}

const lookEveryMs = 30_000;

/** The installer of one process: what its routes call, what its worker runs, what recipes borrow. */
export class TerraformInstaller implements Disposable {
  readonly queue = installerQueue;
  readonly executor: OperationExecutor;
  readonly leases: ExecutionLeases;
  readonly #options: TerraformInstallerOptions;
  readonly #records: InstallerRecords;
  readonly #health: BinaryHealth;
  readonly #installer: Installer;
  readonly #status: InstallerStatus;
  readonly #reads: ReadAudit;
  readonly #timer: NodeJS.Timeout;

  constructor(options: TerraformInstallerOptions) {
    const { store, clock, volume, log, pullFrom } = options;
    this.#options = options;
    const records = new InstallerRecords(store, clock);
    const health = new BinaryHealth(volume, records);
    const pull =
      pullFrom === undefined
        ? undefined
        : (binary: InstalledBinary, signal: AbortSignal) => pullBinary(binary, volume, pullFrom, { clock, signal });
    const leases = new ExecutionLeases({
      ...options,
      records,
      pull,
      onMissing: (binary) => health.store(binary, "missing"),
      onReleased: () => this.#removeUnused(),
    });
    const metrics = new InstallerMetrics(options.metrics, records, leases);
    const deps = { ...options, records, leases, health };
    this.leases = leases;
    this.executor = new InstallerExecutor({ ...deps, metrics });
    this.#installer = new Installer(deps);
    this.#records = records;
    this.#health = health;
    this.#status = new InstallerStatus(store, leases);
    this.#reads = new ReadAudit(store.audit, clock);
    this.#timer = setInterval(() => void this.#look("quick"), lookEveryMs).unref();
    log.debug("terraform binaries are on a volume", { root: volume.root });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.leases[Symbol.dispose]();
  }

  async install(request: InstallerRequest, body: Parameters<Installer["install"]>[1]): Promise<InstallerAnswer> {
    return await this.#installer.install(request, body);
  }

  async uninstall(request: InstallerRequest, body: Parameters<Installer["uninstall"]>[1]): Promise<InstallerAnswer> {
    return await this.#installer.uninstall(request, body);
  }

  /** The status document as JSON, from the store alone. */
  async status(request: InstallerRequest): Promise<string> {
    await this.#reads.note(request);
    return await this.#status.json();
  }

  /** A binary of this process's volume, by its SHA-256. */
  async binary(sha256: string): Promise<BinaryContent | undefined> {
    const binaries = await this.#options.volume.list();
    const found = binaries.find((binary) => binary.sha256 === sha256.toLowerCase());
    return found && { size: found.size, content: () => createReadStream(found.path) };
  }

  /**
   * The archives of the active version for these platforms. What the active one came from is known; others are looked up
   * where the installer gets its releases.
   */
  async archives(platforms: readonly string[], signal: AbortSignal): Promise<readonly ReleaseArchive[]> {
    const { current } = (await this.#records.read()).record;
    if (current === undefined) {
      return [];
    }
    const { product, version, source } = current;
    const { os, arch } = machinePlatform();
    return await Promise.all(
      platforms.map(async (platform): Promise<ReleaseArchive> => {
        if (platform === `${os}_${arch}`) {
          return { product, version, platform, url: source.url, sha256: source.checksum };
        }
        const [otherOs = "", otherArch = ""] = platform.split("_");
        try {
          const wanted = { product, version, platform: { os: otherOs, arch: otherArch } };
          const { url, checksum } = await this.#options.volume.archive(wanted, { signal });
          return { product, version, platform, url, sha256: checksum };
        } catch (error) {
          signal.throwIfAborted();
          return { product, version, platform, error: error instanceof Error ? error.message : String(error) };
        }
      }),
    );
  }

  /** After the start and every hour. */
  async housekeeping(): Promise<void> {
    await this.#options.volume.repair();
    await this.#look("whole");
    await this.#removeUnused();
  }

  async #look(look: "whole" | "quick"): Promise<void> {
    if (this.#options.pullFrom !== undefined) {
      return; // the volume is not the one that jobs install to
    }
    try {
      await this.#health.note(look);
    } catch (error) {
      this.#options.log.warn("the active Terraform could not be looked at", { error });
    }
  }

  /** Only between jobs: a binary that a job has just placed is not active yet. */
  async #removeUnused(): Promise<void> {
    const { record } = await this.#records.read();
    if (!isBusy(record)) {
      await removeUnused(record, { ...this.#options, leases: this.leases });
    }
  }
}
