import type { JsonObject } from "@rad/core";
import type { StoredDocument } from "@rad/store";
import { randomUUID } from "node:crypto";
import type { ResourceReader } from "../resource-access.ts";

/**
 * That one resource refers to another is a document of its own, below a path made of the target's id. So any number of
 * resources can begin to refer to one target at once without writing the same document, and whether anybody refers to it
 * is a guard of the store: nothing lies below the path.
 */
export const referenceType = "System.Resources/references";

/** A reference as it is stored. */
export interface StoredReference {
  readonly document: StoredDocument;
  /** The id of the resource that refers. */
  readonly referrer: string;
}

/** Everything that refers to a resource lies below this. */
export function referencesPath(target: string): string {
  return `/references${target}`.toLowerCase();
}

export function isReferencesPath(path: string): boolean {
  return path.startsWith("/references/");
}

export function referenceId(target: string, referrer: string): string {
  return `${referencesPath(target)}/by${referrer}`.toLowerCase();
}

/** Differs with every write, so that whoever removes a reference removes the one that they have seen. */
export function referenceBody(referrer: string): JsonObject {
  return { referrer, write: randomUUID() };
}

/** The references to a resource, sorted by the id of who refers. */
export async function referencesTo(
  target: string,
  resources: Pick<ResourceReader, "list">,
): Promise<readonly StoredReference[]> {
  const { items } = await resources.list({ type: referenceType, under: referencesPath(target) });
  return items.map((document) => {
    const { referrer } = document.body;
    return { document, referrer: typeof referrer === "string" ? referrer : "" };
  });
}
