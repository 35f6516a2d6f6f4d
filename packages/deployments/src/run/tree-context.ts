import { ApiError, type JsonValue, Limiter, redactedText, Redactor } from "@rad/core";
import { type StepChange, type OperationContext, OperationStopped } from "@rad/operations";
import { StoreError } from "@rad/store";
import type { DeploymentHost } from "../deployment-host.ts";
import type { Caller, Requester } from "@rad/resources";
import { canRedact } from "../can-redact.ts";
import { jsonLength } from "../json-length.ts";
import { recordsOfRun, timestampOf } from "../records/operation-records.ts";
import { Timestamps } from "../records/timestamps.ts";
import { textsIn } from "../texts-in.ts";
import type { Budget } from "@rad/templates";
import { IdleSlot } from "./idle-slot.ts";

/** The outermost deployment lists them all. */
const maxNodes = 50_000;

/** What a deployment shares with everything nested in it during one attempt. */
export class TreeContext {
  readonly host: DeploymentHost;
  readonly requester: Requester;
  /** Of the whole tree: what runs beside each other, and what only waits, goes through it. */
  readonly slot: IdleSlot;
  readonly timestamps: Timestamps;
  /** Of this attempt: one that goes on after a crash has all of it again for what is left to do. */
  readonly budget: Budget;
  /** Nested deployments or answers of calls were stored, by this attempt or perhaps by an earlier one. */
  hasLeftovers = false;
  readonly #context: OperationContext;
  readonly #limiter: Limiter;
  readonly #redactor = new Redactor();
  readonly #hidden = new Set<string>();
  readonly #abandon = new AbortController();
  readonly #end = new AbortController();
  #nodesLeft = maxNodes;
  readonly #stop: AbortSignal;

  constructor(host: DeploymentHost, context: OperationContext, caller: Caller, budget: Budget) {
    this.budget = budget;
    this.host = host;
    this.#context = context;
    this.slot = new IdleSlot((work) => context.withoutSlot(work));
    this.#limiter = new Limiter(host.concurrency);
    this.timestamps = new Timestamps(host.clock);
    const { correlationId, traceparent } = context.operation;
    this.requester = { caller, correlationId, traceparent, hide: (values) => this.hide(values) };
    const { signal } = context;
    this.#stop = AbortSignal.any([signal, this.#end.signal]);
    const onStop = (): void => {
      if (isUrgent(signal.reason)) {
        this.#abandon.abort(signal.reason);
      }
    };
    signal.addEventListener("abort", onStop, { once: true });
    if (signal.aborted) {
      onStop();
    }
  }

  get operation(): OperationContext["operation"] {
    return this.#context.operation;
  }

  get lease(): OperationContext["lease"] {
    return this.#context.lease;
  }

  get log(): OperationContext["log"] {
    return this.#context.log;
  }

  /** Aborts when nothing more is to be started or waited for. */
  get stop(): AbortSignal {
    return this.#stop;
  }

  /** From here on only what has to be done at the end is done, whyever the deployment ends. */
  end(): void {
    this.#end.abort(new OperationStopped("cancelled"));
  }

  /** Aborts when what runs is to be left, because the process or the deployment ends, or somebody else goes on with it. */
  get abandon(): AbortSignal {
    return this.#abandon.signal;
  }

  get redactor(): Redactor {
    return this.#redactor;
  }

  /** Nobody waits for what still runs: it did not come to rest in time. */
  leave(): void {
    this.#abandon.abort(new OperationStopped("deadline"));
  }

  /** Runs `work` when fewer than the allowed number of others run. */
  limited<T>(work: () => Promise<T>): Promise<T> {
    return this.slot.waiting(() => this.#limiter.run(() => this.slot.part(work)));
  }

  /** Until so much time has passed. @throws the reason to stop, when there is one first. */
  pause(ms: number): Promise<void> {
    return this.slot.waiting(() => this.host.clock.sleep(ms, this.stop));
  }

  /** @throws ApiError `DeploymentSizeExceeded` */
  takeRoom(nodes: number): void {
    this.#nodesLeft -= nodes;
    if (this.#nodesLeft < 0) {
      const message = `A deployment has at most ${maxNodes} resources with everything nested in it. Split it into several.`;
      throw new ApiError("DeploymentSizeExceeded", message);
    }
  }

  hide(values: Iterable<string>): void {
    const fresh = [...values].filter((value) => !this.#hidden.has(value));
    if (fresh.length > 0) {
      fresh.forEach((value) => this.#hidden.add(value));
      this.#redactor.add(fresh);
      this.#context.hide(fresh);
    }
  }

  /** Without secrets; a value that is too large to look for all of them is hidden as a whole. */
  redactLarge(value: JsonValue): JsonValue {
    return canRedact(jsonLength(value), this.#hidden.size) ? this.#redactor.redactJson(value) : redactedText;
  }

  hideTextsIn(value: JsonValue): void {
    this.hide(textsIn(value));
  }

  async write(change: StepChange): Promise<void> {
    await this.#context.write(change);
  }

  /** Earlier attempts may have run where the clock was ahead, in nested deployments too. */
  async startAfterRecords(deploymentId: string): Promise<void> {
    for await (const page of recordsOfRun(this.host.store, deploymentId, this.operation.id)) {
      page.forEach((record) => this.timestamps.startAfter(timestampOf(record)));
    }
  }

  /** Such errors say nothing about the node in which they happen; another attempt goes on from what is stored. */
  endsAttempt(error: unknown): boolean {
    if (this.abandon.aborted || (error instanceof ApiError && error.transient)) {
      return true;
    }
    if (error instanceof OperationStopped) {
      return isUrgent(error);
    }
    return error instanceof StoreError && !["EtagMismatch", "GuardFailed", "InvalidToken"].includes(error.code);
  }
}

function isUrgent(reason: unknown): boolean {
  const isGentle =
    reason instanceof OperationStopped && (reason.reason === "cancelled" || reason.reason === "deadline");
  return !isGentle;
}
