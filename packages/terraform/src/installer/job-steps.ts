import type { Clock, Tracing } from "@rad/core";
import type { OperationContext } from "@rad/operations";
import { type JobProgress, jobPut } from "../status/job-document.ts";

export interface JobStepsOptions {
  readonly context: OperationContext;
  readonly clock: Clock;
  readonly tracing: Tracing;
  /** As the job's document has it; what a step says of itself is added. */
  readonly progress: JobProgress;
}

const progressEveryMs = 250;

/**
 * The steps of a job, one after the other: on the operation for its status, as spans, and with their bytes in the job's
 * document. A step that an earlier attempt has finished is run again but not listed again, since listing would count as
 * getting further: a job that kills its process at the same place every time has to come to an end.
 */
export class JobSteps {
  readonly #options: JobStepsOptions;
  #progress: JobProgress;
  #writing: Promise<void> = Promise.resolve();
  #writtenAt = -Infinity;

  constructor(options: JobStepsOptions) {
    this.#options = options;
    this.#progress = options.progress;
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { context, tracing } = this.#options;
    await this.#show({ step: name, bytes: undefined, totalBytes: undefined });
    const traced = (): Promise<T> => tracing.withSpan({ name: `terraform ${name}` }, () => work());
    const isListed = context.operation.steps.some((step) => step.name === name && step.state === "Succeeded");
    return isListed ? await traced() : await context.step(name, traced);
  }

  /**
   * Runs work that tells by itself which step it is at.
   * @param work is given a function to call at the start of each step, and with the bytes of it
   */
  async runAll<T>(
    work: (at: (step: string, bytes: number, totalBytes: number | undefined) => void) => Promise<T>,
  ): Promise<T> {
    let steps: Promise<void> = Promise.resolve();
    let current: { readonly name: string; readonly end: PromiseWithResolvers<void> } | undefined;
    const at = (name: string, bytes: number, totalBytes: number | undefined): void => {
      if (current?.name !== name) {
        current?.end.resolve();
        const end = Promise.withResolvers<void>();
        current = { name, end };
        steps = steps.then(() => this.run(name, () => end.promise));
        steps.catch(() => {}); // met below
        end.promise.catch(() => {}); // its step may never have begun
      }
      this.#note({ step: name, bytes, totalBytes });
    };
    try {
      const result = await work(at);
      current?.end.resolve();
      await steps;
      return result;
    } catch (error) {
      current?.end.reject(error);
      await steps.catch(() => {});
      throw error;
    } finally {
      await this.#writing.catch(() => {});
    }
  }

  /** Bytes change often: they are stored now and then, and by whom they cannot be stored is told by the heartbeat. */
  #note(progress: JobProgress): void {
    const now = this.#options.clock.monotonicMs();
    if (now - this.#writtenAt < progressEveryMs) {
      return;
    }
    this.#show(progress).catch(() => {});
  }

  async #show(progress: JobProgress): Promise<void> {
    const { context, clock } = this.#options;
    this.#progress = { ...this.#progress, ...progress };
    this.#writtenAt = clock.monotonicMs();
    const { operation } = context;
    this.#writing = this.#writing
      .catch(() => {})
      .then(async () => {
        await context.write({ document: jobPut(operation.id, this.#progress), durability: "soon" });
      });
    await this.#writing;
  }
}
