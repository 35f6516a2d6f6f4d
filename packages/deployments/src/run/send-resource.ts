import { ApiError, type JsonObject, type JsonValue } from "@rad/core";
import { evaluateNode, type ExistingNode, type ExtensionNode, isReady, type ResourceNode } from "@rad/templates";
import { type ChangeKind, isBusy } from "@rad/resources";
import type { DeploymentTarget } from "../deployment-target.ts";
import { parseDuration } from "../records/iso-duration.ts";
import type { RecordProgress, RecordSubject } from "../records/node-record.ts";
import { EvaluationFailed, ResourceFailed } from "./failure-details.ts";
import type { NodeAnswers } from "./node-answers.ts";
import type { OpenedDeployment } from "./opened-deployment.ts";
import type { TreeContext } from "./tree-context.ts";

export type LeafNode = ResourceNode | ExtensionNode | ExistingNode;

export interface LeafWork {
  readonly tree: TreeContext;
  readonly deployment: OpenedDeployment;
  readonly answers: NodeAnswers;
  readonly node: LeafNode;
  readonly subject: RecordSubject;
  readonly startedAt: Date;
}

const firstPauseMs = 1_000;
const longestPauseMs = 15_000;

/** How long a deployment waits for others to be done with a resource, and how soon it looks again at first. */
const patienceMs = 10 * 60_000;
const firstLookMs = 100;

/** Reads a resource that the template only refers to. Resolves to it, or to `null` where that is allowed. */
export async function readResource(work: LeafWork): Promise<JsonValue> {
  const { tree, answers, node, subject, startedAt, deployment } = work;
  const request = await evaluate(work);
  const id = idOf(request, node);
  tree.host.authorize(tree.requester.caller, `${node.type}/read`, id);
  const found = await answers.readNode(node, id, node.options.nullIfNotFound === true);
  const body = await untilReady(work, id, found, startedAt);
  const progress = { state: "Succeeded", startedAt, statusCode: "OK" } as const;
  await tree.write({ document: deployment.records.put(subject, progress) });
  return body;
}

/** Creates or changes a resource and waits until it is done. Resolves to all of it, and to the id it has. */
export async function writeResource(work: LeafWork): Promise<{ readonly id: string; readonly body: JsonValue }> {
  const { retryOn } = work.node.options;
  const codes = new Set((retryOn?.codes ?? []).map((code) => code.toLowerCase()));
  let change = work.deployment.records.known(work.node.key)?.change;
  for (let retries = 0, pauseMs = firstPauseMs; ; retries += 1, pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      const running = retries === 0 ? startedBefore(work) : undefined;
      const sent = running ?? (await sendOnceFree(work, change));
      ({ change } = sent);
      return await bringToEnd(work, sent);
    } catch (error) {
      if (retries >= (retryOn?.count ?? 0) || !codesOf(error).some((code) => codes.has(code.toLowerCase()))) {
        throw error;
      }
      await work.tree.pause(pauseMs);
    }
  }
}

/** A resource that was sent. */
interface SentResource {
  readonly id: string;
  readonly change: ChangeKind | undefined;
  readonly tracking: string | undefined;
  /** Known when it ended within the call. */
  readonly body: JsonObject | undefined;
  /** Its record says `Succeeded` already. */
  readonly isRecorded: boolean;
  readonly sentAt: Date;
}

/** By an earlier attempt, which did not see the end of it. */
function startedBefore({ deployment, node }: LeafWork): SentResource | undefined {
  const known = deployment.records.known(node.key);
  if (known?.state !== "Running") {
    return undefined;
  }
  const { change, tracking } = known;
  const sentAt = new Date(known.timestamp);
  return { id: known.id ?? node.id ?? "", change, tracking, body: undefined, isRecorded: false, sentAt };
}

/** Deployments may share resources: whoever comes second waits instead of failing. */
async function sendOnceFree(work: LeafWork, earlier: ChangeKind | undefined): Promise<SentResource> {
  const { tree } = work;
  const deadline = tree.host.clock.now().getTime() + patienceMs;
  for (let pauseMs = firstLookMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await send(work, earlier);
    } catch (error) {
      if (!isBusy(error) || tree.host.clock.now().getTime() >= deadline) {
        throw error;
      }
      await tree.pause(pauseMs);
    }
  }
}

/** @param earlier what a try before this one did; a resource that it created was created, whatever is left to do. */
async function send(work: LeafWork, earlier: ChangeKind | undefined): Promise<SentResource> {
  const { tree, node, subject, startedAt, deployment } = work;
  const request = await evaluate(work);
  const id = idOf(request, node);
  tree.stop.throwIfAborted();
  tree.host.authorize(tree.requester.caller, `${node.type}/write`, id);
  const isAwaited = node.options.waitUntil !== undefined;
  let finalId = id;
  const sent = await targetOf(work).put({
    requester: tree.requester,
    id,
    apiVersion: request.apiVersion,
    signal: tree.abandon,
    method: request.kind === "put" ? request.method : "PUT",
    body: request.kind === "put" ? request.body : {},
    secrets: request.kind === "put" ? request.secrets : [],
    onlyIfAbsent: node.options.onlyIfNotExists === true,
    lease: tree.lease,
    record: (effect) => {
      finalId = effect.id;
      const { tracking } = effect;
      const change = greaterChange(earlier, effect.change);
      const isDone = tracking === undefined && !isAwaited;
      const state = isDone ? "Succeeded" : "Running";
      const statusCode = tracking !== undefined ? "Accepted" : statusOf(change);
      const warnings = effect.warnings.map((text) => tree.redactor.redact(text));
      const progress: RecordProgress = { state, startedAt, statusCode, tracking, change, warnings };
      return deployment.records.put({ ...subject, id: effect.id }, progress);
    },
  });
  const isDone = sent.kind === "done";
  return {
    id: finalId,
    change: greaterChange(earlier, sent.change),
    tracking: isDone ? undefined : sent.tracking,
    body: isDone ? sent.body : undefined,
    isRecorded: isDone && !isAwaited,
    sentAt: tree.host.clock.now(),
  };
}

async function bringToEnd(
  work: LeafWork,
  sent: SentResource,
): Promise<{ readonly id: string; readonly body: JsonValue }> {
  const { tree, deployment, subject, startedAt } = work;
  const { id, change, tracking } = sent;
  const found = sent.body ?? (await finish(work, sent));
  const body = await untilReady(work, id, found, sent.sentAt);
  if (!sent.isRecorded) {
    const progress = { state: "Succeeded", startedAt, statusCode: statusOf(change), change, tracking } as const;
    await tree.write({ document: deployment.records.put({ ...subject, id }, progress) });
  }
  return { id, body };
}

async function finish(work: LeafWork, { id, tracking }: SentResource): Promise<JsonValue> {
  const { tree, node, answers } = work;
  if (tracking === undefined) {
    return await answers.readNode(node, id, false);
  }
  const { requester, abandon: signal } = tree;
  try {
    const order = { requester, id, apiVersion: node.apiVersion, signal, tracking };
    return await tree.slot.waiting(() => targetOf(work).finish(order));
  } catch (error) {
    throw error instanceof ApiError ? new ResourceFailed(error) : error;
  }
}

/** Reads the resource again and again until it is as far as its `waitUntil` wants it. */
async function untilReady(work: LeafWork, id: string, found: JsonValue, since: Date): Promise<JsonValue> {
  const { tree, deployment, node, answers } = work;
  const { waitUntil } = node.options;
  if (waitUntil === undefined) {
    return found;
  }
  const deadline = since.getTime() + (parseDuration(waitUntil.timeout) ?? 0);
  let body = found;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const ready = isReady(deployment.plan, node.key, body);
    if (typeof ready !== "boolean") {
      throw new EvaluationFailed(ready);
    }
    if (ready) {
      return body;
    }
    const leftMs = deadline - tree.host.clock.now().getTime();
    if (leftMs <= 0) {
      const message = `The resource '${id}' was not ready within ${waitUntil.timeout}.`;
      throw new ApiError("RequestTimeout", message, { target: id });
    }
    await tree.pause(Math.min(pauseMs, leftMs));
    body = await answers.readNode(node, id, node.options.nullIfNotFound === true);
  }
}

async function evaluate({ answers, deployment, node }: LeafWork) {
  const request = await answers.evaluate(node, (results) => evaluateNode(deployment.plan, node.key, results));
  if (request.kind !== "put" && request.kind !== "read") {
    throw new TypeError(`The node "${node.key}" is nothing to send.`);
  }
  return request;
}

function idOf({ id }: { readonly id: string | undefined }, node: LeafNode): string {
  if (id === undefined) {
    throw new ApiError("InvalidTemplateDeployment", `Resources of the type '${node.type}' have no id to be sent to.`);
  }
  return id;
}

function targetOf({ answers, node }: LeafWork): DeploymentTarget {
  return answers.target(node.provider, node.id ?? node.key);
}

const changesBySize = ["none", "modify", "create"] as const satisfies readonly ChangeKind[];

function greaterChange(earlier: ChangeKind | undefined, later: ChangeKind): ChangeKind {
  return earlier !== undefined && changesBySize.indexOf(earlier) > changesBySize.indexOf(later) ? earlier : later;
}

function statusOf(change: ChangeKind | undefined): string {
  return change === "create" ? "Created" : "OK";
}

function codesOf(error: unknown): string[] {
  const known = error instanceof ResourceFailed ? error.error : error;
  return known instanceof ApiError ? [known.code, ...known.details.map(({ code }) => code)] : [];
}
