import { ApiError, type ErrorDetail, isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import { type ChangeKind, isBusy } from "@rad/resources";
import type { PutRequest } from "@rad/templates";
import type { DeploymentTarget, SentEffect } from "../deployment-target.ts";
import { isInDoubt, type RecordProgress } from "../records/node-record.ts";
import { numberOfSend, sendKey } from "../records/send-key.ts";
import { nodeOrder } from "../target-order.ts";
import { isUnknownEffect, unknownEffect } from "../unknown-effect.ts";
import { bounded, EvaluationFailed, ResourceFailed, statusName } from "./failure-details.ts";
import { authorizeLeaf, evaluateLeaf, firstPauseMs, type LeafWork, longestPauseMs, untilReady } from "./leaf-work.ts";
import { nodeSubject } from "./node-subject.ts";
import { untilAnswered } from "./until-answered.ts";

/** How long a deployment waits for others to be done with a resource, and how soon it looks again at first. */
const patienceMs = 10 * 60_000;
const firstLookMs = 100;

export interface WrittenResource {
  readonly id: string;
  readonly body: JsonValue;
}

/** A resource that was sent. */
interface SentResource {
  readonly tracking: string | undefined;
  /** Known when it ended within the call. */
  readonly body: JsonObject | undefined;
  /** Its record says `Succeeded` already. */
  readonly isRecorded: boolean;
  /** Monotonic; the start of this attempt where an earlier one sent it. */
  readonly sentAt: number;
}

/**
 * Creates or changes a resource and waits until it is done, over as many attempts and sends as that takes. Sends are
 * numbered: one without an answer is repeated under its number, and so under its key; one that the target refused, or
 * that failed in the end, is followed by the next, because a provider that keeps keys would only tell the failure again.
 */
export class ResourceWrite {
  readonly #work: LeafWork;
  #number: number;
  /** What sends so far have done; a resource that one of them created was created, whatever is left to do. */
  #change: ChangeKind | undefined;

  constructor(work: LeafWork) {
    const known = work.deployment.records.known(work.node.key);
    const last = known?.requestId === undefined ? 1 : numberOfSend(known.requestId);
    this.#work = work;
    this.#number = known?.error === undefined ? last : last + 1;
    this.#change = known?.change;
  }

  async run(): Promise<WrittenResource> {
    const { tree, node } = this.#work;
    const { retryOn } = node.options;
    const codes = new Set((retryOn?.codes ?? []).map((code) => code.toLowerCase()));
    let sent = this.#sentBefore();
    for (let retries = 0, pauseMs = firstPauseMs; ; retries += 1, pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      try {
        sent ??= await this.#sendOnceFree();
        return await this.#bringToEnd(sent);
      } catch (error) {
        if (retries >= (retryOn?.count ?? 0) || !codesOf(error).some((code) => codes.has(code.toLowerCase()))) {
          throw error;
        }
        await this.#prepareNextSend(error);
        await tree.pause(pauseMs);
        sent = undefined;
      }
    }
  }

  /**
   * Sends once more what an earlier attempt may have sent, to learn what came of it and have that on record. Waits only
   * where the end alone tells the id.
   */
  async settle(signal: AbortSignal): Promise<void> {
    const sent = this.#sentBefore() ?? (await this.#send(await this.#sameRequest(), signal));
    if (sent.tracking !== undefined && this.#id === undefined) {
      await this.#finish(sent, signal);
      await this.#recordEnd(sent);
    }
  }

  /** What may have been sent was permitted, and has to be settled. */
  async #request(): Promise<PutRequest> {
    if (this.#isRepeated) {
      return await this.#sameRequest();
    }
    const request = await evaluateLeaf(this.#work, "put");
    authorizeLeaf(this.#work, "write");
    return request;
  }

  /** As it was sent; when that cannot be told any more, that says nothing about the resource. */
  async #sameRequest(): Promise<PutRequest> {
    try {
      return await evaluateLeaf(this.#work, "put");
    } catch (error) {
      const isAnswer = error instanceof EvaluationFailed || (error instanceof ApiError && !error.transient);
      throw isAnswer ? unknownEffect("Internal", error) : error;
    }
  }

  /** By an earlier attempt, which did not see the end of it. */
  #sentBefore(): SentResource | undefined {
    const { deployment, node } = this.#work;
    const known = deployment.records.known(node.key);
    if (known?.state !== "Running" || known.error !== undefined || isInDoubt(known)) {
      return undefined;
    }
    // The record's time is one of the wall clock, which says nothing about how long anybody has waited; so that starts again.
    const sentAt = this.#work.tree.host.clock.monotonicMs();
    return { tracking: known.tracking, body: undefined, isRecorded: false, sentAt };
  }

  /** Deployments may share resources: whoever comes second waits instead of failing. */
  async #sendOnceFree(): Promise<SentResource> {
    const { tree } = this.#work;
    const deadline = tree.host.clock.monotonicMs() + patienceMs;
    for (let pauseMs = firstLookMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      try {
        const request = await this.#request();
        tree.stop.throwIfAborted();
        return await untilAnswered(tree, () => this.#send(request, tree.abandon));
      } catch (error) {
        if (!isBusy(error) || tree.host.clock.monotonicMs() >= deadline) {
          throw error;
        }
        await this.#prepareNextSend(error);
        await tree.pause(pauseMs);
      }
    }
  }

  async #send(request: PutRequest, signal: AbortSignal): Promise<SentResource> {
    const { tree, node, startedAt } = this.#work;
    const isAwaited = node.options.waitUntil !== undefined;
    const key = this.#key;
    const sent = await this.#target.put({
      ...nodeOrder(node, this.#id, { requester: tree.requester, signal }),
      apiVersion: request.apiVersion,
      key,
      sentBefore: this.#isRepeated,
      method: request.method,
      body: request.body,
      secrets: request.secrets,
      onlyIfAbsent: node.options.onlyIfNotExists === true,
      lease: tree.lease,
      intent: () => this.#record({ state: "Running", startedAt, change: this.#change, requestId: key }),
      record: (effect) => this.#recordEffect(effect, isAwaited),
    });
    const isDone = sent.kind === "done";
    this.#change = greaterChange(this.#change, sent.change);
    return {
      tracking: isDone ? undefined : sent.tracking,
      body: isDone ? sent.body : undefined,
      isRecorded: isDone && !isAwaited,
      sentAt: tree.host.clock.monotonicMs(),
    };
  }

  #recordEffect({ id, tracking, change, warnings }: SentEffect, isAwaited: boolean) {
    const { tree, node, answers, startedAt } = this.#work;
    answers.learnId(node, id);
    const greatest = greaterChange(this.#change, change);
    const isDone = tracking === undefined && !isAwaited;
    const progress: RecordProgress = {
      state: isDone ? "Succeeded" : "Running",
      startedAt,
      statusCode: tracking !== undefined ? "Accepted" : statusOf(greatest),
      tracking,
      change: greatest,
      warnings: warnings.map((text) => tree.redactor.redact(text)),
    };
    return this.#record(progress, id);
  }

  /**
   * What was refused or failed is not in doubt, whatever becomes of the deployment before the next send. Where nobody
   * knows, it stays in doubt, and the next send is the same again: under another key it might be made twice.
   */
  async #prepareNextSend(error: unknown): Promise<void> {
    const { tree, node, deployment, startedAt } = this.#work;
    if (isUnknownEffect(error)) {
      return;
    }
    this.#number += 1;
    if (deployment.records.requestId(node.key) !== undefined) {
      const [detail] = bounded([tree.redactor.redactError(reportedError(error))]);
      const progress = {
        startedAt,
        statusCode: statusName(error),
        change: this.#change,
        ...(detail && { error: detail }),
      };
      await tree.write({ document: this.#record({ state: "Running", ...progress }) });
    }
  }

  async #bringToEnd(sent: SentResource): Promise<WrittenResource> {
    const found = sent.body ?? (await this.#finish(sent, this.#work.tree.abandon));
    const body = await untilReady(this.#work, { id: this.#id, body: undefined }, found, sent.sentAt);
    if (!sent.isRecorded) {
      await this.#recordEnd(sent);
    }
    return { id: this.#requireId(), body: isJsonObject(body) ? withId(body, this.#requireId()) : body };
  }

  async #recordEnd({ tracking }: SentResource): Promise<void> {
    const { tree, startedAt } = this.#work;
    const change = this.#change;
    const progress = { state: "Succeeded", startedAt, statusCode: statusOf(change), change, tracking } as const;
    // After a power cut the next attempt asks for the end once more.
    await tree.write({ document: this.#record(progress, this.#requireId()), durability: "soon" });
  }

  /** Some providers tell the id only now. */
  async #finish({ tracking }: SentResource, signal: AbortSignal): Promise<JsonValue> {
    const { tree, node, answers } = this.#work;
    const id = this.#id;
    if (tracking === undefined) {
      return await answers.readNode(node, { id, body: undefined }, false);
    }
    const body = id === undefined ? (await evaluateLeaf(this.#work, "put")).body : undefined;
    const ordered = nodeOrder(node, id, { requester: tree.requester, signal });
    const order = { ...ordered, key: this.#key, tracking, body };
    try {
      const finished = await untilAnswered(tree, () => tree.slot.waiting(() => this.#target.finish(order)));
      if (id === undefined && typeof finished["id"] === "string") {
        answers.learnId(node, finished["id"]);
      }
      return finished;
    } catch (error) {
      throw error instanceof ApiError ? new ResourceFailed(error) : error;
    }
  }

  #record(progress: RecordProgress, id = this.#id) {
    return this.#work.deployment.records.put(nodeSubject(this.#work.node, id), progress);
  }

  get #key(): string {
    const { tree, deployment, node } = this.#work;
    return sendKey({ operationId: tree.operation.id, deploymentId: deployment.id, node: node.key }, this.#number);
  }

  /** This send may have arrived already: its intent is stored. */
  get #isRepeated(): boolean {
    const { deployment, node } = this.#work;
    const last = deployment.records.requestId(node.key);
    return last !== undefined && last === this.#key;
  }

  get #id(): string | undefined {
    return this.#work.answers.idOf(this.#work.node);
  }

  #requireId(): string {
    if (this.#id === undefined) {
      throw new ApiError("Internal", "The provider has made a resource without telling its id.");
    }
    return this.#id;
  }

  get #target(): DeploymentTarget {
    const { answers, node } = this.#work;
    return answers.target(node.provider, node.id ?? node.key);
  }
}

/** Expressions read the id from the body, and not every provider has it there. */
function withId(body: JsonObject, id: string): JsonObject {
  return body["id"] === undefined ? { id, ...body } : body;
}

const changesBySize = ["none", "modify", "create"] as const satisfies readonly ChangeKind[];

function greaterChange(earlier: ChangeKind | undefined, later: ChangeKind): ChangeKind {
  return earlier !== undefined && changesBySize.indexOf(earlier) > changesBySize.indexOf(later) ? earlier : later;
}

function statusOf(change: ChangeKind | undefined): string {
  return change === "create" ? "Created" : "OK";
}

function codesOf(error: unknown): string[] {
  const { code, details = [] } = reportedError(error);
  return error instanceof ApiError || error instanceof ResourceFailed
    ? [code, ...details.map((detail) => detail.code)]
    : [];
}

function reportedError(error: unknown): ErrorDetail {
  const known = error instanceof ResourceFailed ? error.error : error;
  return known instanceof ApiError ? known.toDetail() : { code: "Internal", message: "It failed unexpectedly." };
}
