import { ApiError, objectMember, ResourceId } from "@rad/core";
import type { ValidateRequest } from "@rad/resources";
import { recipePackIds, recipePackType } from "../recipes/recipe-pack-ids.ts";
import { requireReadOfNew } from "../secret-references/require-read-of-new.ts";

/**
 * Checks the packs of an environment.
 * @throws ApiError `BadRequest` for what is no pack, `Conflict` for a resource type that two packs have a recipe for.
 */
export async function checkRecipePacks(request: ValidateRequest): Promise<void> {
  const { id, properties, current, resources } = request;
  const packs = recipePackIds(id, properties);
  for (const pack of packs) {
    requirePackId(pack);
  }
  requireReadOfNew(request, packs, recipePackIds(id, objectMember(current?.body ?? {}, "properties")));
  const packOf = new Map<string, string>();
  for (const pack of packs) {
    const document = await resources.get(pack);
    if (document === undefined) {
      throw refused(`Referenced recipePacks resource "${pack}" does not exist.`);
    }
    const recipes = objectMember(objectMember(await document.parsed(), "properties"), "recipes");
    for (const type of Object.keys(recipes)) {
      const other = packOf.get(type.toLowerCase());
      if (other !== undefined) {
        throw new ApiError(
          "Conflict",
          `Resource type '${type}' is defined in multiple recipe packs: ${other} and ${pack}`,
          { target: "$.properties.recipePacks" },
        );
      }
      packOf.set(type.toLowerCase(), pack);
    }
  }
}

function requirePackId(text: string): void {
  const id = ResourceId.tryParse(text);
  if (id?.kind !== "resource") {
    throw refused(`Invalid recipePacks resource ID: ${text}`);
  }
  if (id.type.toLowerCase() !== recipePackType.toLowerCase()) {
    throw refused(`Referenced recipePacks resource "${text}" has type "${id.type}"; expected "${recipePackType}".`);
  }
}

function refused(message: string): ApiError {
  return new ApiError("BadRequest", message, { target: "$.properties.recipePacks" });
}
