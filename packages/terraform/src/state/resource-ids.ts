import type { JsonValue } from "@rad/core";
import { awsId } from "./aws-id.ts";
import { azureId } from "./azure-id.ts";
import type { DerivedId } from "./derived-id.ts";
import { kubernetesId } from "./kubernetes-id.ts";
import { mergeResourceIds } from "./merge-resource-ids.ts";
import { stateResources } from "./state-resource.ts";
import type { StateResource } from "./state-resource.ts";

export interface ResourceIdOptions {
  /** The AWS scope of the environment, such as `/planes/aws/aws/accounts/123456789012/regions/us-east-1`. */
  readonly awsScope?: string | undefined;
  /** Called for a resource that was created and cannot be given an id; the reason repeats no value of the state. */
  onSkipped?(address: string, reason: string): void;
}

/** A resource of a state, data sources and deposed instances included, with the id that it gives by itself. */
export interface IdentifiedResource {
  readonly address: string;
  readonly deposedKey?: string;
  readonly id?: string;
}

/**
 * The ids of what a recipe created, from the document that `terraform show -json` prints: each once, compared without
 * case, in the order of the state. Never throws, whatever the document is: its resources exist, with an id or without.
 */
export function resourceIdsOf(state: JsonValue, options: ResourceIdOptions): readonly string[] {
  return mergeResourceIds(
    [],
    identifiedResources(state, options).flatMap(({ id }) => id ?? []),
  );
}

/** Every resource of a state, in its order. */
export function identifiedResources(state: JsonValue, options: ResourceIdOptions): IdentifiedResource[] {
  const resources: IdentifiedResource[] = [];
  for (const resource of stateResources(state)) {
    const { address, deposedKey } = resource;
    const derived = idOf(resource, options);
    if (derived !== undefined && "skipped" in derived) {
      options.onSkipped?.(address, derived.skipped);
    }
    resources.push({
      address,
      ...(deposedKey !== undefined && { deposedKey }),
      ...(derived !== undefined && "id" in derived && { id: derived.id }),
    });
  }
  return resources;
}

/** `undefined` for what the recipe did not create, and for providers whose resources have no ids here. */
function idOf(resource: StateResource, { awsScope }: ResourceIdOptions): DerivedId | undefined {
  if (resource.mode !== "managed" || resource.deposedKey !== undefined) {
    return undefined;
  }
  switch (resource.provider) {
    case "registry.terraform.io/hashicorp/azurerm":
    case "registry.opentofu.org/hashicorp/azurerm":
      return azureId(resource);
    case "registry.terraform.io/hashicorp/aws":
    case "registry.opentofu.org/hashicorp/aws":
      return awsId(resource, awsScope);
    case "registry.terraform.io/hashicorp/kubernetes":
    case "registry.opentofu.org/hashicorp/kubernetes":
      return kubernetesId(resource);
    default:
      return undefined;
  }
}
