import { ResourceId } from "@rad/core";
import type { Requester } from "@rad/resources";
import type { ExtensionUse, PlanNode } from "@rad/templates";
import type { ExtensionConfig, ResourceOrder } from "./deployment-target.ts";

export type TargetNode = Exclude<PlanNode, { readonly kind: "barrier" }>;

/** On whose behalf, and for how long. */
export interface OrderedBy {
  readonly requester: Requester;
  readonly signal: AbortSignal;
}

/** What every order about a resource of the template says. */
export function nodeOrder(node: TargetNode, id: string | undefined, { requester, signal }: OrderedBy): ResourceOrder {
  const { type, name, apiVersion } = node;
  return { requester, id, type, name, apiVersion, extension: extensionConfig(node.extension), signal };
}

/** The same for a resource that is known by its id alone. */
export function idOrder(id: string, apiVersion: string | undefined, { requester, signal }: OrderedBy): ResourceOrder {
  const parsed = ResourceId.tryParse(id);
  const [type, name] = [parsed?.type ?? "", parsed?.qualifiedName];
  return { requester, id, type, name, apiVersion, extension: undefined, signal };
}

function extensionConfig(extension: ExtensionUse | undefined): ExtensionConfig | undefined {
  return extension && { name: extension.name, version: extension.version, config: extension.config };
}
