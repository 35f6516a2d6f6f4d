import type { Store } from "@rad/store";
import { jobId, type JobProgress } from "../status/job-document.ts";
import type { ExecutionLeases } from "../leases/execution-leases.ts";
import { recordId, snapshotOf } from "../status/installer-records.ts";
import { runningJob, statusDocument } from "../status/status-document.ts";

/** Answers the status document. Clients poll it, so an answer is printed once for all who ask before something changes. */
export class InstallerStatus {
  readonly #store: Store;
  readonly #leases: ExecutionLeases;
  #printed: { readonly key: string; readonly json: string } | undefined;

  constructor(store: Store, leases: ExecutionLeases) {
    this.#store = store;
    this.#leases = leases;
  }

  async json(): Promise<string> {
    const document = await this.#store.get(recordId);
    const { record, etag } = snapshotOf(document);
    const running = runningJob(record);
    const job = running === undefined ? undefined : await this.#store.get(jobId(running.operationId));
    const executions = await this.#leases.count();
    const key = `${etag} ${job?.etag} ${executions}`;
    if (this.#printed?.key !== key) {
      const progress: JobProgress = job?.body ?? {};
      this.#printed = { key, json: JSON.stringify(statusDocument({ record, progress, executions })) };
    }
    return this.#printed.json;
  }
}
