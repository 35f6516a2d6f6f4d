import { ApiError, objectMember, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { hashedLocalId } from "../../../rendering/local-id.ts";
import type { AzurePart, EnvironmentContext } from "../../../rendering/renderer.ts";
import type { Workload } from "./workload.ts";

export const workloadIdentityKind = "azure.com.workload";

/** Marks pods and service accounts for Azure's workload identity webhook. */
export const identityLabel = { "azure.workload.identity/use": "true" } as const;

/** A role that the container's identity gets. */
export interface AzureRole {
  /** The id of the Azure resource. */
  readonly scope: string;
  readonly role: string;
}

export interface WorkloadIdentity {
  readonly parts: readonly AzurePart[];
  /** The container's property `identity`. */
  readonly settings: JsonObject;
}

/**
 * A managed identity for the container alone, its roles, and the credential by which its service account is that
 * identity. @throws ApiError when the environment does not say where in Azure, and who issues the tokens.
 */
export function workloadIdentity(workload: Workload, roles: readonly AzureRole[]): WorkloadIdentity {
  const { name, namespace, applicationName, context } = workload;
  const scope = azureScope(context.environment);
  const oidcIssuer = tokenIssuer(context.environment);
  const identityId = `${scope}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${applicationName}-${name}`;
  const identity = "UserAssignedManagedIdentity";
  const assignments = new Map(
    roles.map(({ scope, role }): [string, AzurePart] => {
      const localId = hashedLocalId("RoleAssignment", scope, role);
      const body = { scope, roleName: role, identity: identityId };
      return [
        localId,
        { platform: "azure", localId, dependsOn: [identity], type: "Microsoft.Authorization/roleAssignments", body },
      ];
    }),
  );
  return {
    parts: [
      {
        platform: "azure",
        localId: identity,
        type: "Microsoft.ManagedIdentity/userAssignedIdentities",
        body: { id: identityId },
      },
      ...assignments.values(),
      {
        platform: "azure",
        localId: "FederatedIdentity",
        dependsOn: [identity],
        type: "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials",
        body: {
          id: `${identityId}/federatedIdentityCredentials/${name}`,
          properties: {
            issuer: oidcIssuer,
            subject: `system:serviceaccount:${namespace}:${name}`,
            audiences: ["api://AzureADTokenExchange"],
          },
        },
      },
    ],
    settings: { kind: workloadIdentityKind, oidcIssuer, resource: identityId },
  };
}

/** The resource group that identities are created in. Environments of `Radius.Core` name its parts one by one. */
function azureScope({ properties }: EnvironmentContext): string {
  const azure = objectMember(objectMember(properties, "providers"), "azure");
  if (Object.keys(azure).length === 0) {
    throw new ApiError("BadRequest", "environment providers are not specified");
  }
  const { scope, subscriptionId, resourceGroupName } = azure;
  const text =
    typeof scope === "string"
      ? scope
      : `/subscriptions/${textOf(subscriptionId)}/resourceGroups/${textOf(resourceGroupName)}`;
  const types = ResourceId.tryParse(text)?.scopes.flatMap(({ type, name }) =>
    name === undefined ? [] : type.toLowerCase(),
  );
  if (types === undefined || !types.includes("subscriptions") || !types.includes("resourcegroups")) {
    throw new ApiError("BadRequest", `invalid environment Azure Provider scope: ${text}`);
  }
  return text;
}

function tokenIssuer({ properties }: EnvironmentContext): string {
  const places = [objectMember(properties, "compute"), objectMember(objectMember(properties, "providers"), "azure")];
  const issuers = places.map((place) => textOf(objectMember(place, "identity")["oidcIssuer"]));
  const issuer = issuers.find((text) => text !== "");
  if (issuer === undefined) {
    throw new ApiError("BadRequest", "OIDC Issuer URL is not specified");
  }
  return issuer;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
