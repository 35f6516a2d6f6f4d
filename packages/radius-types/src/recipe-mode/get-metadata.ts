import { ApiError, isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ResourceAction } from "@rad/resources";
import { findRecipe } from "../recipes/find-recipe.ts";
import type { RecipeEngine } from "../recipes/recipe-engine.ts";
import { textMember } from "../rendering/members.ts";
import { wholeProperties } from "../sealed/whole-properties.ts";

/**
 * `POST {environment}/getMetadata`: a recipe of an `Applications.Core` environment, with the parameters that its template
 * declares. What the environment sets is the `value` of a parameter; a sealed one is `null`, as a GET shows it.
 */
export function getMetadata(recipes: RecipeEngine): ResourceAction {
  return async ({ id, properties: shown, secrets, body, resources, requester, signal, log }) => {
    const properties = wholeProperties(shown, await secrets());
    const request = isJsonObject(body) ? body : {};
    const [type, name] = [textMember(request, "resourceType"), textMember(request, "name")];
    if (type === undefined || name === undefined) {
      throw new ApiError("BadRequest", "'resourceType' and 'name' are required.");
    }
    const definition = findRecipe({ properties }, type, name);
    if (definition === undefined) {
      throw new ApiError(
        "NotFound",
        `Either recipe with name "${name}" or resource type "${type}" not found on environment with id "${id.toString()}"`,
      );
    }
    const environment = { id, properties };
    const declared = await recipes.parameters({ definition, environment, resources, requester, signal, log });
    const visible = findRecipe({ properties: shown }, type, name)?.parameters ?? {};
    const parameters = Object.entries(declared).map(([parameter, described]): [string, JsonObject] => {
      const value = Object.hasOwn(visible, parameter) ? visible[parameter] : undefined;
      return [parameter, value === undefined ? described : { ...described, value }];
    });
    const { kind, source, version, plainHttp } = definition;
    return {
      templateKind: kind,
      templatePath: source,
      ...(version === undefined ? {} : { templateVersion: version }),
      ...(kind === "bicep" ? { plainHttp: plainHttp === true } : {}),
      parameters: Object.fromEntries(parameters),
    };
  };
}
