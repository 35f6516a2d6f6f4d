import type { JsonObject } from "@rad/core";

/** `none`: the stored document is equal to what was sent. */
export type ChangeKind = "create" | "modify" | "none";

/** What a PUT does, for records that are stored in its transaction. */
export interface Effect {
  readonly change: ChangeKind;
  /** The operation that carries the change out, while it is running. */
  readonly tracking: string | undefined;
  /** The id that the resource has now, in the spelling of its first write. */
  readonly id: string;
  /** Warnings for the caller, such as members that were not stored. */
  readonly warnings: readonly string[];
}

/**
 * Both sides in the form in which they are stored, without what the server owns (`id`, `systemData`, read-only
 * members, `provisioningState`), defaults filled in, sensitive members `null`.
 */
export interface ResourcePreview {
  /** Absent when there is no such resource. */
  readonly before: JsonObject | undefined;
  readonly after: JsonObject;
  /** JSON pointers of sensitive members whose value would be set, replaced or removed. */
  readonly changedSecrets: readonly { readonly pointer: string; readonly change: "create" | "modify" | "delete" }[];
  /** What the PUT would warn of. */
  readonly warnings: readonly string[];
  /** What carrying the PUT out would change elsewhere, such as objects of a cluster. */
  readonly nested?: readonly NestedChange[];
  /** What would become of the recipe behind the resource. */
  readonly recipe?: RecipePreview;
}

/** What carrying a PUT out would change outside of the store. */
export interface NestedPreview {
  readonly changes: readonly NestedChange[];
  /** What could not be told, for the caller. */
  readonly warnings: readonly string[];
  readonly recipe?: RecipePreview;
}

/** What a PUT would do with the recipe behind a resource. No recipe runs for this. */
export interface RecipePreview {
  /** Of the recipe: its name, the kind of its template, and where that is. */
  readonly name: string;
  readonly kind: string;
  readonly source: string;
  readonly version?: string;
  /** `none`: the environment only simulates. `destroy`: what it made goes, since no recipe makes the resource any more. */
  readonly action: "run" | "destroy" | "none";
  readonly reasons: readonly RecipeReason[];
  /** Finds out what the recipe would change, which may take minutes. Changes nothing. @throws ApiError */
  readonly plan?: (signal: AbortSignal) => Promise<RecipePlan>;
}

export const recipeReasons = [
  "newResource",
  "changedProperties",
  "changedRecipe",
  "changedParameters",
  "changedSettings",
  /** It depends on what is known only after other resources are deployed. */
  "unknownValues",
  /** No run of it has ended well so far. */
  "notRunBefore",
  /** All that it is given is as it was at the run before, so it only repairs what somebody else has changed. */
  "unchanged",
  /** Nothing makes the resource by a recipe any more. */
  "recipeLeft",
  "simulated",
] as const;
export type RecipeReason = (typeof recipeReasons)[number];

/** What a recipe would change, without any value. */
export interface RecipePlan {
  /** `false`: what the recipe needs is known only after other resources are deployed, so nothing was planned. */
  readonly isKnown: boolean;
  readonly changes: readonly PlannedChange[];
  /** Members of the resource that are known only after other resources are deployed, with the reason. */
  readonly unknown: readonly { readonly path: string; readonly reason: string }[];
  /** What else there is to say. */
  readonly notes: readonly string[];
}

export interface PlannedChange {
  /** In the template: `module.default.aws_s3_bucket.this[0]`. */
  readonly address: string;
  readonly type: string;
  readonly action: "create" | "update" | "replace" | "delete" | "no-op" | "read" | "forget";
  /** Those that change, and all that are sensitive. Absent where they are not known. */
  readonly attributes?: readonly PlannedAttribute[];
}

export interface PlannedAttribute {
  readonly name: string;
  readonly changed: boolean;
  readonly sensitive: boolean;
  /** Its value is known only after the change. */
  readonly unknown: boolean;
}

/** One thing that would be created, changed or deleted; what stays the same is left out. Secret members are `null`. */
export interface NestedChange extends Pick<ResourcePreview, "before" | "changedSecrets"> {
  readonly id: string;
  readonly change: "create" | "modify" | "delete";
  /** Absent for what would be deleted. */
  readonly after: JsonObject | undefined;
}
