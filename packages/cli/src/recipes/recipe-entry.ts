import type { ResourceBody } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core/json";
import { naturalOrder } from "../output/natural-order.ts";
import type { Column } from "../output/table-layout.ts";
import { withoutCredentials } from "@rad/core/without-credentials";

/** A recipe of an environment, with the member names that upstream's `rad recipe list -o json` has. */
export interface RecipeEntry {
  readonly name: string;
  readonly resourceType: string;
  readonly templateKind: string;
  readonly templatePath: string;
  readonly templateVersion?: string;
  readonly plainHTTP?: boolean;
}

export const recipeColumns: readonly Column<RecipeEntry>[] = [
  { heading: "RECIPE", value: ({ name }) => name },
  { heading: "TYPE", value: ({ resourceType }) => resourceType },
  { heading: "TEMPLATE KIND", value: ({ templateKind }) => templateKind },
  { heading: "TEMPLATE VERSION", value: ({ templateVersion }) => templateVersion },
  { heading: "TEMPLATE", value: ({ templatePath }) => templatePath },
];

/** The recipes of an environment of `Applications.Core`, by type and name. */
export function recipesOfEnvironment(environment: ResourceBody): RecipeEntry[] {
  return Object.entries(objectMember(objectMember(environment, "properties"), "recipes"))
    .flatMap(([resourceType, byName]) =>
      Object.entries(isJsonObject(byName) ? byName : {}).flatMap(([name, recipe]) =>
        isJsonObject(recipe) ? [toEntry(name, resourceType, recipe)] : [],
      ),
    )
    .sort(byNameAndType);
}

/** The recipes of a pack, which has one for each type; resources ask for it as `default`. */
export function recipesOfPack(pack: ResourceBody): RecipeEntry[] {
  return Object.entries(objectMember(objectMember(pack, "properties"), "recipes"))
    .flatMap(([resourceType, recipe]) => {
      if (!isJsonObject(recipe)) {
        return [];
      }
      const { kind = "", source = "", plainHttp } = recipe;
      const template = { templateKind: kind, templatePath: source, ...(plainHttp === undefined ? {} : { plainHttp }) };
      return [toEntry("default", resourceType, template)];
    })
    .sort(byNameAndType);
}

/** A recipe as the API has it. */
export function toEntry(name: string, resourceType: string, recipe: JsonObject): RecipeEntry {
  const { templateKind, templatePath, templateVersion, plainHttp } = recipe;
  return {
    name,
    resourceType,
    templateKind: text(templateKind),
    templatePath: withoutCredentials(text(templatePath)),
    ...(typeof templateVersion === "string" && templateVersion !== "" ? { templateVersion } : {}),
    ...(plainHttp === true ? { plainHTTP: true } : {}),
  };
}

function byNameAndType(a: RecipeEntry, b: RecipeEntry): number {
  return naturalOrder(a.name, b.name) || naturalOrder(a.resourceType, b.resourceType);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
