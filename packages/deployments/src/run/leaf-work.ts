import { ApiError, inSlices, type JsonValue } from "@rad/core";
import {
  evaluateNode,
  type ExistingNode,
  type ExtensionNode,
  sliced,
  isReady,
  type NodeRequest,
  type ResourceNode,
} from "@rad/templates";
import { permissionPlace } from "../node-permission.ts";
import { parseDuration } from "../records/iso-duration.ts";
import { EvaluationFailed } from "./failure-details.ts";
import type { NodeAnswers, NodePlace } from "./node-answers.ts";
import type { OpenedDeployment } from "./opened-deployment.ts";
import type { TreeContext } from "./tree-context.ts";

export type LeafNode = ResourceNode | ExtensionNode | ExistingNode;

/** A node that stands for one resource, and what working on it needs. */
export interface LeafWork {
  readonly tree: TreeContext;
  readonly deployment: OpenedDeployment;
  readonly answers: NodeAnswers;
  readonly node: LeafNode;
  readonly startedAt: Date;
}

export const firstPauseMs = 1_000;
export const longestPauseMs = 15_000;

export async function evaluateLeaf<K extends "put" | "read">(
  { answers, deployment, node }: LeafWork,
  kind: K,
): Promise<Extract<NodeRequest, { readonly kind: K }>> {
  const request = await answers.evaluate(node, (results) => evaluateNode(deployment.plan, node.key, results));
  if (request.kind !== kind) {
    throw new TypeError(`The node "${node.key}" is nothing to ${kind}.`);
  }
  return request as Extract<NodeRequest, { readonly kind: K }>;
}

/** @throws ApiError `Forbidden` */
export function authorizeLeaf({ tree, deployment, node }: LeafWork, verb: "read" | "write"): void {
  tree.host.authorize(tree.requester.caller, `${node.type}/${verb}`, permissionPlace(node, deployment.input));
}

/** Reads the resource again and again until it is as far as its `waitUntil` wants it. */
export async function untilReady(
  work: LeafWork,
  place: NodePlace,
  found: JsonValue,
  sinceMs: number,
): Promise<JsonValue> {
  const { tree, deployment, node, answers } = work;
  const { waitUntil } = node.options;
  if (waitUntil === undefined) {
    return found;
  }
  const deadline = sinceMs + (parseDuration(waitUntil.timeout) ?? 0);
  let body = found;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const ready = await inSlices(sliced(isReady(deployment.plan, node.key, body)));
    if (typeof ready !== "boolean") {
      throw new EvaluationFailed(ready);
    }
    if (ready) {
      return body;
    }
    const leftMs = deadline - tree.host.clock.monotonicMs();
    if (leftMs <= 0) {
      const target = place.id ?? node.key;
      throw new ApiError("RequestTimeout", `The resource '${target}' was not ready within ${waitUntil.timeout}.`, {
        target,
      });
    }
    await tree.pause(Math.min(pauseMs, leftMs));
    body = await answers.readNode(node, place, node.options.nullIfNotFound === true);
  }
}
