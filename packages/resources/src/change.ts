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
}

/** What carrying a PUT out would change outside of the store. */
export interface NestedPreview {
  readonly changes: readonly NestedChange[];
  /** What could not be told, for the caller. */
  readonly warnings: readonly string[];
}

/** One thing that would be created, changed or deleted; what stays the same is left out. Secret members are `null`. */
export interface NestedChange extends Pick<ResourcePreview, "before" | "changedSecrets"> {
  readonly id: string;
  readonly change: "create" | "modify" | "delete";
  /** Absent for what would be deleted. */
  readonly after: JsonObject | undefined;
}
