import type { Clock, Redactor } from "@rad/core";
import type { OperationStep } from "@rad/store";
import { ProgressWriter } from "./progress-writer.ts";
import { type StepNode, StepTree } from "./step-tree.ts";

export type StepWork<T> = (step: StepHandle) => Promise<T>;

export interface StepOptions {
  /** What it is doing, to begin with. */
  readonly detail?: string;
}

/** What the work of a step may say about itself. Texts are redacted and cut to 200 characters. */
export interface StepHandle {
  /** Shows what the step is doing at the moment. Stored within a quarter of a second. */
  detail(text: string): void;
  /** Shows how much of the step is done, from 0 to 1. Stored within a quarter of a second. */
  share(done: number): void;
  /** Runs `work` as a step of this step. */
  step<T>(name: string, work: StepWork<T>, options?: StepOptions): Promise<T>;
}

export interface OperationStepsDeps {
  /** What earlier attempts stored. */
  readonly stored: readonly OperationStep[];
  readonly store: (steps: readonly OperationStep[]) => Promise<void>;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** Aborted while the operation is told to stop. */
  readonly signal: AbortSignal;
}

const maxText = 200;
const maxMessage = 1_000;
const pauseMs = 250;

/** Runs the steps of one attempt and stores how they go; see `StepTree` for what is kept. */
export class OperationSteps implements Disposable {
  readonly #deps: OperationStepsDeps;
  readonly #tree: StepTree;
  readonly #writer: ProgressWriter;
  readonly #running = new Set<StepNode>();

  constructor(deps: OperationStepsDeps) {
    this.#deps = deps;
    this.#tree = new StepTree(deps.stored);
    this.#writer = new ProgressWriter(() => deps.store(this.#tree.snapshot()), deps.clock, pauseMs);
  }

  async run<T>(name: string, work: StepWork<T>, options: StepOptions = {}, parent?: StepNode): Promise<T> {
    const isTaken = (node: StepNode): boolean => this.#running.has(node);
    const node = this.#tree.begin(parent, this.#text(name), this.#now(), isTaken);
    this.#running.add(node);
    if (options.detail !== undefined) {
      node.detail = this.#text(options.detail);
    }
    try {
      await this.#writer.flush();
      const result = await work(this.#handle(node));
      node.state = "Succeeded";
      delete node.share;
      return result;
    } catch (error) {
      node.state = this.#deps.signal.aborted ? "Canceled" : "Failed";
      node.message = this.#text(error instanceof Error ? error.message : String(error), maxMessage);
      throw error;
    } finally {
      node.endTime = this.#now();
      this.#running.delete(node);
      await this.#writer.flush();
    }
  }

  /** The attempt is over: what a step says after that is not stored. */
  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
  }

  #handle(node: StepNode): StepHandle {
    const change = (apply: () => void): void => {
      if (this.#running.has(node)) {
        apply();
        this.#writer.soon();
      }
    };
    return {
      detail: (text) => change(() => (node.detail = this.#text(text))),
      share: (done) => change(() => (node.share = Math.min(1, done > 0 ? done : 0))),
      step: (name, work, options) => this.run(name, work, options, node),
    };
  }

  #text(text: string, max = maxText): string {
    const shown = this.#deps.redactor.redact(text);
    return shown.length <= max ? shown : `${shown.slice(0, max - 1)}…`;
  }

  #now(): string {
    return this.#deps.clock.now().toISOString();
  }
}
