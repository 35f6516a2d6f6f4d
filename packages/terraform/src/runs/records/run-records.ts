import type { Clock, Logger } from "@rad/core";
import { listAll, type Store, type StoredDocument } from "@rad/store";
import { sealText } from "../../sealed-text/sealed-text.ts";
import { endProcessesIn, hasEnded } from "../end-processes.ts";
import { readJournal } from "../journal/read-journal.ts";
import { isAlive, type Machine, signalProcess } from "../processes.ts";
import { removeRunFolder, workFolderOf } from "../run-folder.ts";
import { examineDeadRun } from "./dead-run.ts";
import { HeldRecord, isOvertaken } from "./held-record.ts";
import { recordInput, recordOf, type RunRecord, runRecordId, runsId, runType } from "./run-record.ts";

export interface RunRecordsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly machine: Machine;
  /** How long a supervisor gives Terraform to end by itself. */
  readonly graceMs: number;
}

/** The record of the last run on a resource's state, which has ended. */
interface Predecessor {
  readonly record: RunRecord | undefined;
  readonly etag: string | undefined;
}

const lookEveryMs = 100;
/** What a supervisor may need besides the time that Terraform gets. */
const marginMs = 15_000;

/**
 * Makes sure that one run at most works on a resource's state, across all processes of the store. A run whose server is
 * dead is awaited, or ended, before the next one starts; what it left goes over to that.
 */
export class RunRecords {
  readonly #options: RunRecordsOptions;

  constructor(options: RunRecordsOptions) {
    this.#options = options;
  }

  /** Resolves when no run works on the state any more, with what the last one left. */
  async awaitEnd(resourceId: string, signal: AbortSignal): Promise<Predecessor> {
    const { store, clock } = this.#options;
    const id = runRecordId(resourceId);
    for (;;) {
      signal.throwIfAborted();
      const found = await store.get(id);
      const predecessor = found === undefined ? {} : await this.#endOf(found);
      if (predecessor !== undefined) {
        return { record: undefined, etag: undefined, ...predecessor };
      }
      await clock.sleep(lookEveryMs, signal);
    }
  }

  /** `undefined` when another run came first. */
  async hold(record: RunRecord, expected: string | undefined): Promise<HeldRecord | undefined> {
    const { store } = this.#options;
    const id = runRecordId(record.resourceId);
    const expires = (await store.now()) + record.leaseMs;
    const held = { ...record, expires };
    try {
      const stored = await store.write({
        document: {
          kind: "put",
          input: recordInput(id, held),
          expect: expected === undefined ? "absent" : { etag: expected },
        },
      });
      return new HeldRecord({ ...this.#options, id }, held, stored?.etag ?? "");
    } catch (error) {
      if (isOvertaken(error)) {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * The run of this record has ended: keeps what the next one has to know, and removes its folder.
   * @param isSettled whether what it has created is stored with the resource
   * @returns what is left of the record; `undefined` when another run has taken it over
   */
  async retire(record: RunRecord, etag: string, isSettled = false): Promise<Predecessor | undefined> {
    const { store } = this.#options;
    const { record: examined, unsavedState } = await examineDeadRun(record, workFolderOf(record.folder));
    const ended = isSettled ? { ...examined, creations: [] } : examined;
    const id = runRecordId(record.resourceId);
    const isNeeded = ended.creations.length > 0 || ended.lockWindows.length > 0 || ended.hasUnsavedState;
    try {
      const stored = await store.write({
        document: isNeeded
          ? { kind: "put", input: recordInput(id, ended), expect: { etag } }
          : { kind: "remove", id, expect: { etag } },
        also: unsavedState === undefined ? [] : await sealText(store, unsavedStateId(id), unsavedState),
      });
      await removeRunFolder(record.folder);
      return isNeeded ? { record: ended, etag: stored?.etag } : { record: undefined, etag: undefined };
    } catch (error) {
      if (isOvertaken(error)) {
        return undefined;
      }
      throw error;
    }
  }

  async all(): Promise<readonly RunRecord[]> {
    const records: RunRecord[] = [];
    for await (const { body } of listAll((query) => this.#options.store.list(query), {
      under: runsId,
      type: runType,
    })) {
      records.push(recordOf(body));
    }
    return records;
  }

  /** Looks after records of runs that died with their server and that no other run has followed. */
  async retireDead(): Promise<void> {
    for await (const document of listAll((query) => this.#options.store.list(query), {
      under: runsId,
      type: runType,
    })) {
      const record = recordOf(document.body);
      if (record.state === "running" && !(await this.mayRun(record)) && !(await this.#isSupervised(record))) {
        await this.#endOf(document);
      }
    }
  }

  /** Whether a server still looks after the run, as far as anybody can tell. */
  async mayRun(record: RunRecord): Promise<boolean> {
    const { store, machine, graceMs } = this.#options;
    const now = await store.now();
    if (record.machine.id === machine.id) {
      return now < record.expires && (await isAlive(record.server));
    }
    return now < record.expires + graceMs + marginMs;
  }

  async #isSupervised(record: RunRecord): Promise<boolean> {
    return record.machine.id === this.#options.machine.id && (await isAlive(record.supervisor));
  }

  /** `undefined` when it has not ended, or changed meanwhile. */
  async #endOf(document: StoredDocument): Promise<Predecessor | undefined> {
    const record = recordOf(document.body);
    if (record.state === "ended") {
      return { record, etag: document.etag };
    }
    if (await this.mayRun(record)) {
      return undefined;
    }
    const { log, machine } = this.#options;
    const { runId, resourceId, folder } = record;
    log.info("ending a Terraform run that lost its server", { runId, resourceId, host: record.machine.host });
    if (record.machine.id === machine.id) {
      await this.#endProcesses(record);
    }
    const retired = await this.retire(record, document.etag);
    if (retired !== undefined) {
      log.info("a Terraform run that lost its server has ended", { runId, resourceId, folder });
    }
    return retired;
  }

  /** A supervisor whose server is dead ends by itself; one whose server stands still is told to. */
  async #endProcesses(record: RunRecord): Promise<void> {
    const { clock, graceMs } = this.#options;
    if (await isAlive(record.server)) {
      signalProcess(record.supervisor.pid, "SIGTERM");
    }
    if (!(await hasEnded(record.supervisor, graceMs + marginMs, clock))) {
      signalProcess(record.supervisor.pid, "SIGKILL");
    }
    const journal = await readJournal(record.folder);
    await endProcessesIn(record.folder, { clock, graceMs, terraform: journal?.running });
  }
}

/** Where a state is kept that a run could not save. */
export function unsavedStateId(recordId: string): string {
  return `${recordId}/unsavedState`;
}
