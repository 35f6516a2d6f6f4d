import type { JsonObject } from "@rad/core";
import type { SplitSource } from "@rad/core/terraform";

/** A recipe that an environment has for a type. */
export interface RecipeDefinition {
  /** As the environment of `Applications.Core` names it; `default` in recipe packs. */
  readonly name: string;
  /** Which driver runs it: `terraform` or `bicep`. */
  readonly kind: string;
  /** The address of the module or template, without the version; credentials in it are shown as `***`. */
  readonly source: string;
  /** The credentials that the address has. */
  readonly userInfo?: SplitSource["userInfo"];
  readonly secretQuery?: SplitSource["secretQuery"];
  readonly version?: string;
  readonly plainHttp?: boolean;
  /** Those of the pack or environment entry, with `recipeParameters` of the environment laid over them. */
  readonly parameters: JsonObject;
  /** For modules without `result`: the property that each output gives. */
  readonly outputs?: Readonly<Record<string, string>>;
  readonly secretOutputs?: Readonly<Record<string, string>>;
}
