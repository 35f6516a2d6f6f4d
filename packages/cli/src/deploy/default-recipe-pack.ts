import type { Client } from "@rad/client";
import { ClientError } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { groupId } from "../scope.ts";
import { familyVersion } from "@rad/radius-types/families";
import { environmentsWithoutPacks } from "./template-resources.ts";

const group = "default";
const defaultRecipePackId = `${groupId(group)}/providers/Radius.Core/recipePacks/default`;

const registry = "ghcr.io/radius-project/kube-recipes";
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

/** Gives environments without recipe packs the default one. Tells whether there are such environments. */
export function useDefaultRecipePack(template: JsonObject): boolean {
  const environments = environmentsWithoutPacks(template);
  for (const properties of environments) {
    properties["recipePacks"] = [defaultRecipePackId];
  }
  return environments.length > 0;
}

/** Creates the default recipe pack with its group; one that is there stays as it is. */
export async function ensureDefaultRecipePack(client: Client): Promise<void> {
  const apiVersion = familyVersion(defaultRecipePackId);
  await client.groups.put(group);
  try {
    await client.resources.get(defaultRecipePackId, { apiVersion });
  } catch (error) {
    if (!(error instanceof ClientError && error.isNotFound)) {
      throw error;
    }
    await client.resources.put(defaultRecipePackId, { location: "global", properties: { recipes } }, { apiVersion });
  }
}

function recipe(name: string): JsonObject {
  return { kind: "bicep", source: `${registry}/${name}:${tag}` };
}
