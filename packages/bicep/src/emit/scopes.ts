import type { DeploymentScope } from "../limits/index.ts";
import type { ResourceSymbol } from "../semantics/index.ts";
import type { Expression } from "../syntax/index.ts";
import { ScopeFlags } from "../types/index.ts";
import { call, memberOf, text } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import type { Env } from "./env.ts";

/** Where something is deployed. A name or id that is not given is the deployment's own. */
export type EmitScope =
  | { readonly kind: "tenant" }
  | { readonly kind: "managementGroup"; readonly name: ArmExpression | undefined }
  | { readonly kind: "subscription"; readonly id: ArmExpression | undefined }
  | {
      readonly kind: "resourceGroup";
      readonly subscription: ArmExpression | undefined;
      readonly name: ArmExpression | undefined;
    }
  /** On another resource. */
  | { readonly kind: "resource"; readonly id: ArmExpression };

/** What a scope of the source is in the template; `place` is one where the scope's own expressions hold. */
export function emitScope(
  place: Env,
  scope: DeploymentScope,
  idOf: (place: Env, symbol: ResourceSymbol) => ArmExpression,
): EmitScope {
  const convert = (node: Expression | undefined) => (node === undefined ? undefined : place.convert(node));
  switch (scope.scope) {
    case ScopeFlags.Tenant:
      return { kind: "tenant" };
    case ScopeFlags.ManagementGroup:
      return { kind: "managementGroup", name: convert(scope.managementGroup) };
    case ScopeFlags.Subscription:
      return { kind: "subscription", id: convert(scope.subscription) };
    case ScopeFlags.Resource:
      if (scope.resource !== undefined) {
        return { kind: "resource", id: idOf(place, scope.resource) };
      }
      break;
    default:
  }
  return {
    kind: "resourceGroup",
    subscription: convert(scope.subscription),
    name: convert(scope.resourceGroup),
  };
}

/** The id of a resource of a type with these name segments. */
export function idInScope(scope: EmitScope, type: string, segments: readonly ArmExpression[]): ArmExpression {
  const named = [text(type), ...segments];
  switch (scope.kind) {
    case "tenant":
      return call("tenantResourceId", ...named);
    case "managementGroup": {
      const group = scope.name === undefined ? memberOf("managementGroup", "id") : managementGroupId(scope.name);
      return call("extensionResourceId", group, ...named);
    }
    case "subscription":
      return call("subscriptionResourceId", ...(scope.id === undefined ? [] : [scope.id]), ...named);
    case "resourceGroup":
      return scope.name === undefined
        ? call("resourceId", ...named)
        : call("extensionResourceId", resourceGroupId(scope.subscription, scope.name), ...named);
    default:
      return call("extensionResourceId", scope.id, ...named);
  }
}

/** The members of a resource or module that say where it goes, seen from a file with this target scope. */
export function scopeMembers(scope: EmitScope, targetScope: number): [name: string, value: ArmExpression][] {
  switch (scope.kind) {
    case "tenant":
      return targetScope === ScopeFlags.Tenant ? [] : [["scope", text("/")]];
    case "managementGroup": {
      if (scope.name === undefined) {
        return [];
      }
      // Deployments at these two scopes expect the short form.
      const isShort = targetScope === ScopeFlags.Tenant || targetScope === ScopeFlags.ManagementGroup;
      const short = call("format", text("Microsoft.Management/managementGroups/{0}"), scope.name);
      return [["scope", isShort ? short : managementGroupId(scope.name)]];
    }
    case "subscription":
      if (scope.id !== undefined) {
        return [["subscriptionId", scope.id]];
      }
      return targetScope === ScopeFlags.ResourceGroup ? [["subscriptionId", currentSubscription]] : [];
    case "resourceGroup": {
      const members: [string, ArmExpression][] = [];
      if (scope.subscription !== undefined) {
        members.push(["subscriptionId", scope.subscription]);
      }
      if (scope.name !== undefined) {
        members.push(["resourceGroup", scope.name]);
      }
      return members;
    }
    default:
      return [["scope", scope.id]];
  }
}

const currentSubscription = memberOf("subscription", "subscriptionId");

function managementGroupId(name: ArmExpression): ArmExpression {
  return call("tenantResourceId", text("Microsoft.Management/managementGroups"), name);
}

function resourceGroupId(subscription: ArmExpression | undefined, name: ArmExpression): ArmExpression {
  return call("format", text("/subscriptions/{0}/resourceGroups/{1}"), subscription ?? currentSubscription, name);
}
