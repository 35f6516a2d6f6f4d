import type { ResourceIdScope } from "../functions/resource-ids.ts";

export type ScopeKind = ResourceIdScope["kind"];

const managementGroup = /^\/?(?:providers\/)?Microsoft\.Management\/managementGroups\/([^/]+)\/?$/i;
const resourceGroup = /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/?$/i;
const subscription = /^\/subscriptions\/([^/]+)\/?$/i;

/** Reads the id of a scope in which Azure deploys; `undefined` for any other text. */
export function parseAzureScope(id: string): ResourceIdScope | undefined {
  if (id === "/") {
    return { kind: "tenant" };
  }
  const [, groupSubscription, group] = resourceGroup.exec(id) ?? [];
  if (groupSubscription !== undefined && group !== undefined) {
    return { kind: "resourceGroup", subscriptionId: groupSubscription, resourceGroup: group };
  }
  const [, subscriptionId] = subscription.exec(id) ?? [];
  if (subscriptionId !== undefined) {
    return { kind: "subscription", subscriptionId };
  }
  const [, name] = managementGroup.exec(id) ?? [];
  return name === undefined ? undefined : { kind: "managementGroup", managementGroup: name };
}

/** The scope of the given kind within or around this one, where it is known. */
export function scopeOfKind(scope: ResourceIdScope, kind: ScopeKind): ResourceIdScope | undefined {
  switch (kind) {
    case "resourceGroup":
      return scope.subscriptionId === undefined || scope.resourceGroup === undefined ? undefined : { ...scope, kind };
    case "subscription":
      return scope.subscriptionId === undefined ? undefined : { kind, subscriptionId: scope.subscriptionId };
    case "managementGroup":
      return scope.managementGroup === undefined ? undefined : { ...scope, kind };
    case "tenant":
      return { kind };
    default:
      return kind satisfies never;
  }
}

/** What ids in this scope begin with. */
export function scopePrefix(scope: ResourceIdScope): string {
  switch (scope.kind) {
    case "resourceGroup":
      return `/subscriptions/${scope.subscriptionId}/resourceGroups/${scope.resourceGroup}`;
    case "subscription":
      return `/subscriptions/${scope.subscriptionId}`;
    case "managementGroup":
      return `/providers/Microsoft.Management/managementGroups/${scope.managementGroup}`;
    case "tenant":
      return "";
    default:
      return scope.kind satisfies never;
  }
}

/** The id of a scope as `PlanScopes` has it. */
export function scopeId(scope: ResourceIdScope): string {
  return scope.kind === "tenant" ? "/" : scopePrefix(scope);
}
