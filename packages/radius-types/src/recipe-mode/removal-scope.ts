import { objectMember, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { HandlerContext, ResourceAccess } from "@rad/resources";
import type { RecipeRemoval, ScopeResource } from "../recipes/recipe-engine.ts";
import { setupError } from "../recipes/recipe-error.ts";
import { textMember } from "../rendering/members.ts";

/**
 * What a resource belongs to whose recipe is undone. Whoever may delete the resource need not be allowed to read it.
 * @throws RecipeError when the environment is gone, which says how to reach what the recipe made
 */
export async function removalScope({
  properties,
  resources,
}: Pick<HandlerContext, "properties"> & { readonly resources: ResourceAccess }): Promise<
  Pick<RecipeRemoval, "environment" | "application">
> {
  const read = async (id: string | undefined): Promise<ScopeResource | undefined> => {
    const document = ResourceId.tryParse(id ?? "") === undefined ? undefined : await resources.asServer.get(id ?? "");
    return document && { id: ResourceId.parse(document.id), properties: await propertiesOf(document) };
  };
  const application = await read(textMember(properties, "application"));
  const environmentId =
    textMember(properties, "environment") ?? textMember(application?.properties ?? {}, "environment");
  const environment = await read(environmentId);
  if (environment === undefined) {
    throw setupError(
      "RecipeConfigurationFailure",
      `The environment "${environmentId ?? ""}" of the resource does not exist, so what its recipe made cannot be destroyed. ` +
        "Create the environment again and delete the resource; or run 'rad resource delete --force', which leaves it behind.",
    );
  }
  return { environment, application };
}

async function propertiesOf(document: { parsed(): JsonObject | Promise<JsonObject> }): Promise<JsonObject> {
  return objectMember(await document.parsed(), "properties");
}
