import type { JsonObject } from "@rad/core";
import type { RecipeDefinition } from "@rad/radius-types";

/**
 * What the store knows of the recipe behind a resource. It is there from right before the first effect until everything
 * is destroyed, whether or not the resource still is: a record without a resource is an orphan.
 */
export interface RecipeRecord {
  readonly resourceId: string;
  readonly environmentId: string;
  readonly applicationId?: string;
  /** What the latest run ran; its parameters and the credentials of its address are sealed beside the record. */
  readonly definition: Omit<RecipeDefinition, "parameters" | "userInfo" | "secretQuery">;
  /** JSON pointers to the parameters that are secrets, as the latest run knew them. */
  readonly sensitive?: readonly string[];
  /** Tells whether the settings of the environment are still those of the latest run. */
  readonly settings?: string;
  /** Where the driver keeps what it knows; for Terraform the backend and the name of the state. */
  readonly state: JsonObject;
  /** Ids of what exists. */
  readonly resources: readonly string[];
  /** Creations that had begun when a run died, and that its state does not have: to be looked for by hand. */
  readonly unsaved: readonly UnsavedCreation[];
  readonly run: RecordedRun;
}

export interface UnsavedCreation {
  /** In the template. */
  readonly address: string;
  readonly type: string;
  /** `completed`: it was created. `begun`: creating it had begun. `planned`: nobody can tell. */
  readonly state: string;
  /** What the provider calls it, where that is known. */
  readonly id?: string;
}

export interface RecordedRun {
  readonly id: string;
  readonly kind: "execute" | "delete";
  readonly startedAt: string;
  readonly correlationId: string;
  /** Absent while it runs, and for a run whose server died. */
  readonly outcome?: "succeeded" | "failed";
  readonly endedAt?: string;
}
