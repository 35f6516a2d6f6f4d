import { hash } from "node:crypto";

export interface SendKeyParts {
  /** Of the run. */
  readonly operationId: string;
  readonly deploymentId: string;
  /** Of the node or the call, unique within the deployment. */
  readonly node: string;
}

/**
 * The idempotency key of the `number`-th change of a node in one run, counted from 1. Letters, digits and hyphens, so
 * that it fits into a header, a label or a client token.
 */
export function sendKey({ operationId, deploymentId, node }: SendKeyParts, number = 1): string {
  const digest = hash("sha256", `${operationId}/${deploymentId.toLowerCase()}/${node}`, "hex");
  return `${digest.slice(0, 32)}-${number}`;
}

export function numberOfSend(key: string): number {
  return Number(key.slice(key.lastIndexOf("-") + 1));
}
