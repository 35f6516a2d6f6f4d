import { isJsonObject, type JsonValue } from "@rad/core";
import { authorizeLeaf, evaluateLeaf, type LeafWork, untilReady } from "./leaf-work.ts";
import { nodeSubject } from "./node-subject.ts";

/** Reads a resource that the template only refers to. Resolves to it, or to `null` where that is allowed. */
export async function readResource(work: LeafWork): Promise<JsonValue> {
  const { tree, answers, node, startedAt, deployment } = work;
  const sinceMs = tree.host.clock.monotonicMs();
  const place = await evaluateLeaf(work, "read");
  authorizeLeaf(work, "read");
  const found = await answers.readNode(node, place, node.options.nullIfNotFound === true);
  const body = await untilReady(work, place, found, sinceMs);
  answers.learnId(node, isJsonObject(body) && typeof body["id"] === "string" ? body["id"] : undefined);
  const progress = { state: "Succeeded", startedAt, statusCode: "OK" } as const;
  await tree.write({ document: deployment.records.put(nodeSubject(node, answers.idOf(node)), progress) });
  return body;
}
