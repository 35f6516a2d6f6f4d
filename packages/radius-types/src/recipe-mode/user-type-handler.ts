import { ApiError, objectMember, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import {
  apiVersionType,
  providerId,
  type ResourceHandler,
  resourceTypeType,
  type StoredResource,
} from "@rad/resources";
import type { RecipeEngine } from "../recipes/recipe-engine.ts";
import { textMember } from "../rendering/members.ts";
import { chooseRecipe } from "./choose-recipe.ts";
import { recipeHandler } from "./recipe-handler.ts";
import type { RecipeType } from "./recipe-type.ts";
import { schemaRecipe } from "./schema-recipe.ts";
import { onlyStored } from "./without-renderer.ts";

/** The capability of a type whose resources are only stored. */
const manualProvisioning = "manualresourceprovisioning";

/**
 * Code behind the types that clients register: the recipe that the environment has for the type makes the resource. Where it
 * has none, or does not exist itself, the resource is only stored, unless it asks for a recipe.
 */
export function userTypeHandler(recipes: RecipeEngine): ResourceHandler {
  const type = schemaRecipe({ isRendered: false });
  const code = recipeHandler({
    type,
    recipes,
    otherwise: onlyStored,
    schema: async (context) => (await registration(context)).schema,
  });
  return {
    isIdle: (kind, resource) =>
      resource.status["recipe"] === undefined && (kind === "delete" || isOnlyStored(type, resource)),
    put: async (context) => {
      const { isManual } = await registration(context);
      return isManual || (await isRecordOnly(context)) ? undefined : await code.put(context);
    },
    delete: (context) => code.delete(context),
    preview: async (context) => {
      const { isManual } = await registration(context);
      return isManual || (await isRecordOnly(context)) ? { changes: [], warnings: [] } : await code.preview(context);
    },
  };
}

/** Whether no recipe makes a resource that none has made so far. What `put` refuses, it has to say itself. */
async function isOnlyStored(type: RecipeType, resource: StoredResource): Promise<boolean> {
  const { properties } = resource;
  if (properties["environment"] === undefined && properties["application"] === undefined) {
    return true;
  }
  try {
    return (
      properties["recipe"] === undefined &&
      ((await isRecordOnly(resource)) || (await chooseRecipe(type, resource)) === undefined)
    );
  } catch (error) {
    if (error instanceof ApiError) {
      return false;
    }
    throw error;
  }
}

/** Whether a resource that asks for no recipe, and that none has made, names an application or environment that is not there. */
async function isRecordOnly({ properties, status, resources }: StoredResource): Promise<boolean> {
  if (properties["recipe"] !== undefined || status["recipe"] !== undefined) {
    return false;
  }
  for (const id of [textMember(properties, "application"), textMember(properties, "environment")]) {
    if (id !== undefined && (ResourceId.tryParse(id) === undefined || !(await resources.asRequester.get(id)))) {
      return true;
    }
  }
  return false;
}

interface Registration {
  readonly schema: JsonObject;
  readonly isManual: boolean;
}

async function registration({
  id,
  apiVersion,
  resources,
}: Pick<StoredResource, "id" | "apiVersion" | "resources">): Promise<Registration> {
  const typeName = id.type.slice(id.type.indexOf("/") + 1);
  const typeId = `${providerId(id.planeScope, id.namespace)}/${lastPart(resourceTypeType)}/${typeName}`;
  const [type, version] = await Promise.all([
    resources.asServer.get(typeId),
    resources.asServer.get(`${typeId}/${lastPart(apiVersionType)}/${apiVersion}`),
  ]);
  const { capabilities } = objectMember((await type?.parsed()) ?? {}, "properties");
  const names = (Array.isArray(capabilities) ? capabilities : []).filter((name) => typeof name === "string");
  return {
    schema: objectMember(objectMember((await version?.parsed()) ?? {}, "properties"), "schema"),
    isManual: names.some((name) => name.toLowerCase() === manualProvisioning),
  };
}

function lastPart(type: string): string {
  return type.slice(type.lastIndexOf("/") + 1);
}
