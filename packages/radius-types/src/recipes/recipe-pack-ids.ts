import type { JsonObject, ResourceId } from "@rad/core";

export const recipePackType = "Radius.Core/recipePacks";

/** The ids of the packs that an environment names, by id or by name in its own resource group, each once. */
export function recipePackIds(environment: ResourceId, properties: JsonObject): readonly string[] {
  const { recipePacks } = properties;
  const named = Array.isArray(recipePacks) ? recipePacks.filter((name) => typeof name === "string") : [];
  const ids = new Map<string, string>();
  for (const name of named) {
    const id = name.startsWith("/") ? name : `${environment.rootScope}/providers/${recipePackType}/${name}`;
    ids.set(id.toLowerCase(), ids.get(id.toLowerCase()) ?? id);
  }
  return [...ids.values()];
}
