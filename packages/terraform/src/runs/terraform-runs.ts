import { createHash, randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { Clock, Logger, Metrics, Tracing } from "@rad/core";
import type { Store } from "@rad/store";
import { createRunCaches, type RunCaches } from "./caches/run-caches.ts";
import { hostsIn, moduleHostsIn } from "./hosts-in.ts";
import { identify, type Machine, thisMachine } from "./processes.ts";
import type { HeldRecord } from "./records/held-record.ts";
import { RunRecords } from "./records/run-records.ts";
import { type RunRecord, runRecordId } from "./records/run-record.ts";
import { createRunFolder, removeRunFolder, type RunFolder, sweepRunFolders, writeRunFiles } from "./run-folder.ts";
import { RunError } from "./run-error.ts";
import { RunMetrics } from "./run-metrics.ts";
import { RunSignal } from "./run-signal.ts";
import { RunSlots } from "./run-slots.ts";
import { SupervisedRun } from "./supervised-run.ts";
import { SpareSupervisor } from "./supervisor/spare-supervisor.ts";
import type { SupervisorHandle } from "./supervisor/supervisor-handle.ts";
import type { RunOrder, TerraformRun, UnsettledRun } from "./terraform-run.ts";
import type { StateReaders } from "./state-readers.ts";

export interface TerraformRunsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tracing: Tracing;
  readonly metrics: Metrics;
  /** Folder of all runs. */
  readonly root: string;
  /** Folder of the caches, on the same file system as `root`. */
  readonly cacheRoot: string;
  readonly maxConcurrent: number;
  /** How long Terraform may take to end after SIGINT. */
  readonly graceMs: number;
  readonly timeoutMs: number;
  /** A record that is not renewed for so long has lost its server. */
  readonly leaseMs: number;
  /** How long a command waits for a state that somebody else has locked. */
  readonly lockTimeoutSeconds: number;
  /** Opens states of the control plane to runs that only read them. */
  readonly readers: StateReaders;
}

/** Runs Terraform for recipes: one run at a time on each state, whatever dies meanwhile. */
export class TerraformRuns {
  readonly #options: TerraformRunsOptions;
  readonly #slots: RunSlots;
  readonly #metrics: RunMetrics;
  readonly #caches: RunCaches;
  readonly #machine: Promise<Machine>;
  readonly #spare = new SpareSupervisor();

  constructor(options: TerraformRunsOptions) {
    this.#options = options;
    this.#slots = new RunSlots(options.maxConcurrent);
    this.#metrics = new RunMetrics(options.metrics);
    this.#caches = createRunCaches(options);
    this.#machine = thisMachine();
  }

  /** Says that a run is about to be opened, so that its process starts while what it needs is loaded. */
  prepare(): void {
    this.#spare.prepare();
  }

  /**
   * Opens a run once no other works on its state: a run that a dead server left is ended or awaited.
   * @throws the reason of the order's signal; RunError
   */
  async open(order: RunOrder): Promise<TerraformRun> {
    const slot = await this.#slots.take(order.signal);
    try {
      return await this.#open(order, slot);
    } catch (error) {
      slot[Symbol.dispose]();
      throw error;
    }
  }

  /** Runs whose results are not stored with their resource: what they have begun to create may exist. */
  async unsettled(): Promise<readonly UnsettledRun[]> {
    const records = await this.#records();
    await records.retireDead();
    const all = await records.all();
    return await Promise.all(
      all.map(async (record) => ({
        runId: record.runId,
        resourceId: record.resourceId,
        purpose: record.purpose,
        state: record.backend,
        host: record.machine.host,
        isRunning: record.state === "running" && (await records.mayRun(record)),
        startedAt: record.startedAt,
        creations: record.creations,
      })),
    );
  }

  /** After the start and every hour: runs of dead servers, their folders, and what the caches do not need. */
  async housekeeping(): Promise<void> {
    const { root, clock, log } = this.#options;
    const records = await this.#records();
    await records.retireDead();
    const needed = new Set((await records.all()).map(({ folder }) => folder));
    const removed = await sweepRunFolders(root, needed, clock.now().getTime());
    if (removed.length > 0) {
      log.info("removed folders that Terraform runs left", { count: removed.length });
    }
    await this.#caches.sweep(clock.now().getTime());
  }

  async #records(): Promise<RunRecords> {
    return new RunRecords({ ...this.#options, machine: await this.#machine });
  }

  async #open(order: RunOrder, slot: Disposable): Promise<TerraformRun> {
    const { root, clock, timeoutMs, graceMs, readers } = this.#options;
    const records = await this.#records();
    let predecessor = order.state && (await records.awaitEnd(order.resourceId, order.signal));
    const folder = await createRunFolder(root);
    const supervisor = this.#spare.take();
    const reader = order.reads && readers.admit(order.reads.name);
    try {
      const { runId, resourceId } = order;
      const isRecorded = order.state !== undefined;
      supervisor.send({ kind: "open", runId, resourceId, folder: folder.path, graceMs, isRecorded });
      const password = randomBytes(32).toString("base64url");
      const [draft] = await Promise.all([
        this.#record(order, folder, supervisor, password),
        writeRunFiles(folder.work, order.files),
      ]);
      let held: HeldRecord | undefined;
      while (predecessor !== undefined && held === undefined) {
        const { record } = predecessor;
        const { creations = [], lockWindows = [], hasUnsavedState = false } = record ?? {};
        held = await records.hold({ ...draft, creations, lockWindows, hasUnsavedState }, predecessor.etag);
        predecessor = held === undefined ? await records.awaitEnd(resourceId, order.signal) : predecessor;
      }
      const leases = [order.binary.signal, ...(held === undefined ? [] : [held.signal])];
      return new SupervisedRun({
        ...this.#options,
        order,
        folder,
        supervisor,
        records,
        held,
        access: reader ?? { username: basename(runRecordId(resourceId)), password },
        over: new RunSignal({ clock, caller: order.signal, leases, timeoutMs: order.timeoutMs ?? timeoutMs }),
        release: () => {
          reader?.[Symbol.dispose]();
          slot[Symbol.dispose]();
        },
        caches: this.#caches,
        metrics: this.#metrics,
        log: this.#logOf(order),
      });
    } catch (error) {
      reader?.[Symbol.dispose]();
      supervisor.kill();
      await supervisor.exited;
      await removeRunFolder(folder.path);
      throw error;
    }
  }

  async #record(order: RunOrder, folder: RunFolder, supervisor: SupervisorHandle, token: string): Promise<RunRecord> {
    const [machine, server, child] = await Promise.all([
      this.#machine,
      identify(process.pid),
      identify(supervisor.pid),
    ]);
    if (server === undefined || child === undefined) {
      throw new RunError("SupervisorLost", "The process that looks after Terraform could not be started.", {
        command: "get",
      });
    }
    const { runId, resourceId, purpose, state = { backend: "", name: "" } } = order;
    return {
      state: "running",
      runId,
      resourceId,
      purpose,
      backend: state,
      machine,
      server,
      supervisor: child,
      folder: folder.path,
      startedAt: this.#options.clock.now().toISOString(),
      leaseMs: this.#options.leaseMs,
      expires: 0,
      tokenHash: createHash("sha256").update(token).digest("hex"),
      planned: [],
      creations: [],
      lockWindows: [],
      hasUnsavedState: false,
    };
  }

  #logOf({ log, runId, resourceId, binary, files }: RunOrder): Logger {
    const hosts = [...hostsIn(files[".terraformrc"] ?? ""), ...moduleHostsIn(files["main.tf.json"] ?? "{}")];
    return log.child({
      runId,
      resourceId,
      terraform: `${binary.product} ${binary.version}`,
      ...(hosts.length === 0 ? {} : { hosts }),
    });
  }
}
