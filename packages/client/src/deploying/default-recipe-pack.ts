import type { JsonObject } from "@rad/core";
import { defaultRecipeRegistry, familyVersion } from "@rad/radius-types/families";
import type { CallOptions, Client } from "../client.ts";
import { radiusPlane, systemApiVersion } from "../create-client.ts";
import { ClientError } from "../client-error.ts";
import { environmentsWithoutPacks } from "./template-resources.ts";

const groupId = `${radiusPlane}/resourceGroups/default`;
const defaultRecipePackId = `${groupId}/providers/Radius.Core/recipePacks/default`;

const tag = "latest";

/** Recipes that need nothing but a Kubernetes cluster, so that a first environment can deploy something. */
const recipes: JsonObject = {
  "Radius.Compute/containers": recipe("containers"),
  "Radius.Compute/persistentVolumes": recipe("persistentvolumes"),
  "Radius.Compute/routes": {
    ...recipe("routes"),
    parameters: { gatewayName: "radius", gatewayNamespace: "radius-system" },
  },
  "Radius.Security/secrets": recipe("secrets"),
  "Radius.Data/mySqlDatabases": recipe("mysqldatabases"),
};

/** The template with the default pack in environments that name none; the same object when there are none of those. */
export function withDefaultRecipePack(template: JsonObject): JsonObject {
  if (environmentsWithoutPacks(template).length === 0) {
    return template;
  }
  const copy = structuredClone(template);
  for (const properties of environmentsWithoutPacks(copy)) {
    properties["recipePacks"] = [defaultRecipePackId];
  }
  return copy;
}

/** Creates the default recipe pack with its group; one that is there stays as it is. Resolves to its id. */
export async function ensureDefaultRecipePack(client: Client, options: CallOptions): Promise<string> {
  const call = { ...options, apiVersion: familyVersion(defaultRecipePackId) };
  await client.resources.put(groupId, { location: "global" }, { ...options, apiVersion: systemApiVersion });
  try {
    await client.resources.get(defaultRecipePackId, call);
  } catch (error) {
    if (!(error instanceof ClientError && error.isNotFound)) {
      throw error;
    }
    await client.resources.put(defaultRecipePackId, { location: "global", properties: { recipes } }, call);
  }
  return defaultRecipePackId;
}

function recipe(name: string): JsonObject {
  return { kind: "bicep", source: `${defaultRecipeRegistry}/${name}:${tag}` };
}
