import { type JsonObject, jsonPointer, objectMember } from "@rad/core";
import type { RecipeDefinition } from "@rad/radius-types";
import type { SealedValues } from "@rad/resources";

/** Sealed values by the document that has them. */
export interface SealedSources {
  readonly ofResource: SealedValues;
  /** Among them values of recipe parameters. */
  readonly ofEnvironment: SealedValues;
  /** Of the recipe packs that the environment names. */
  readonly ofPacks: readonly SealedValues[];
}

export interface SensitiveOptions {
  /** Of the resource. */
  readonly properties: JsonObject;
  readonly definition: Pick<RecipeDefinition, "name" | "parameters">;
  /** That the recipe is for. */
  readonly type: string;
  readonly sealed: SealedSources;
}

/** Where secret values are in a run's parameters and context. */
export function sensitivePointers({ properties, definition, type, sealed }: SensitiveOptions): readonly string[] {
  const own = objectMember(objectMember(properties, "recipe"), "parameters");
  const found: string[] = [];
  for (const pointer of Object.keys(sealed.ofResource)) {
    const [root, first] = jsonPointer.parts(pointer);
    if (root === "properties" && first !== undefined && first !== "status") {
      found.push(`/context/resource${pointer}`);
    }
  }
  for (const path of parametersIn(sealed.ofResource, ["properties", "recipe", "parameters"], own)) {
    found.push(jsonPointer.of(path));
  }
  const { name, parameters } = definition;
  const given = [
    ...parametersIn(sealed.ofEnvironment, ["properties", "recipes", type, name, "parameters"], parameters),
    ...parametersIn(sealed.ofEnvironment, ["properties", "recipeParameters", type], parameters),
    ...sealed.ofPacks.flatMap((ofPack) =>
      parametersIn(ofPack, ["properties", "recipes", type, "parameters"], parameters),
    ),
  ];
  for (const path of given) {
    if (!Object.hasOwn(own, path[0] ?? "")) {
      found.push(jsonPointer.of(path));
    }
  }
  return [...new Set(found)];
}

/**
 * Paths of the sealed values within the parameters of a recipe.
 * @param place where a document has these parameters; types are compared ignoring case
 */
function parametersIn(sealed: SealedValues, place: readonly string[], parameters: JsonObject): string[][] {
  return Object.keys(sealed).flatMap((pointer) => {
    const parts = jsonPointer.parts(pointer);
    const isThere = place.every((part, at) => (parts[at] ?? part).toLowerCase() === part.toLowerCase());
    if (!isThere) {
      return [];
    }
    // A template may have given all parameters, or more, as one secure value.
    return parts.length <= place.length ? Object.keys(parameters).map((name) => [name]) : [parts.slice(place.length)];
  });
}
