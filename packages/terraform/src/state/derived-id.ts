import { ResourceId } from "@rad/core";

/** What one resource of a state gives: its id, or why it has none. A reason never repeats a value of the state. */
export type DerivedId = { readonly id: string } | { readonly skipped: string };

export const sensitiveId: DerivedId = { skipped: "its id would show a sensitive value" };

/**
 * An id that a reader finds again: our parser takes it for a resource and prints the same text, but for the case of
 * `providers`, which some services of Azure begin with a capital. Lone surrogates would change when they are stored, and
 * control characters when they are shown.
 */
export function derivedId(text: string, otherwise: string): DerivedId {
  const id = text.isWellFormed() && !/\p{Cc}/u.test(text) ? ResourceId.tryParse(text) : undefined;
  const isResource = id?.kind === "resource" || id?.kind === "extensionResource";
  return isResource && id.key === text.toLowerCase() ? { id: text } : { skipped: otherwise };
}
