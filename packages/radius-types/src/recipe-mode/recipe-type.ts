import type { JsonObject, ResourceId } from "@rad/core";
import type { SealedValues } from "@rad/resources";
import type { RecipeOutput } from "../recipes/recipe-engine.ts";

/** How resources of a type take what a recipe gives them. */
export interface RecipeType {
  /** The server renders resources for which the environment has no recipe, or that of upstream's default pack. */
  readonly isRendered: boolean;
  /** Whether `recipe.recipeStatus` is shown. */
  readonly showsStatus: boolean;
  /** @throws ApiError `RecipeValidationFailed` for an output that the type cannot take. */
  outcome(output: RecipeOutput, resource: RecipeResource): RecipeOutcome;
}

export interface RecipeResource {
  readonly id: ResourceId;
  /** As its author wrote them, sensitive members `null`. */
  readonly properties: JsonObject;
  /** Its own sealed values in clear, by JSON pointer. */
  readonly secrets: SealedValues;
  /** Of its properties; `{}` where anything goes. */
  readonly schema: JsonObject;
}

export interface RecipeOutcome {
  /** Members to set in the resource's own properties. */
  readonly properties: JsonObject;
  /** What others get who connect to the resource. */
  readonly values: JsonObject;
  readonly secretValues: Readonly<Record<string, string>>;
  /** Goes into a `Radius.Security/secrets` resource of its own instead; empty removes that. */
  readonly managedSecrets?: Readonly<Record<string, string>>;
}
