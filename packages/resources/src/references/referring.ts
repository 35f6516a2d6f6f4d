import { objectMember, ResourceId } from "@rad/core";
import type { DocumentChange, Guard, StoredDocument } from "@rad/store";
import type { Referring, ResourceHandler } from "../resource-handler.ts";
import { referenceBody, referenceId, referenceType } from "./reference-documents.ts";

/** What belongs into the transaction that changes a resource, so that its references are those that it has. */
export interface ReferenceChanges {
  readonly also: readonly DocumentChange[];
  readonly guards: readonly Guard[];
}

const none: ReferenceChanges = { also: [], guards: [] };

/**
 * Records what a resource refers to after a PUT, and what no longer. Its targets must still exist by then. What it
 * referred to before is known from `current`, which the write expects unchanged.
 */
export function changedReferences(
  handler: ResourceHandler,
  resource: Referring,
  current: StoredDocument | undefined,
): ReferenceChanges {
  if (handler.references === undefined) {
    return none;
  }
  const targets = targetsOf(handler, resource);
  const before = current === undefined ? new Map<string, string>() : targetsBefore(handler, current);
  const referrer = resource.id.toString();
  return {
    also: [
      ...[...targets.keys()].map((key): DocumentChange => {
        const body = referenceBody(referrer);
        const input = { id: referenceId(key, referrer), type: referenceType, apiVersion: "1", body, secrets: {} };
        return { kind: "put", input, expect: "any" };
      }),
      ...[...before.keys()]
        .filter((key) => !targets.has(key))
        .map((key): DocumentChange => ({ kind: "remove", id: referenceId(key, referrer), expect: "any" })),
    ],
    guards: [...targets.values()].map((target) => ({ kind: "exists", id: target })),
  };
}

/** The ids of the reference documents of a resource that is about to go. */
export function ownReferences(handler: ResourceHandler, document: StoredDocument): readonly string[] {
  return handler.references === undefined
    ? []
    : [...targetsBefore(handler, document).keys()].map((key) => referenceId(key, document.id));
}

function targetsBefore(handler: ResourceHandler, document: StoredDocument): ReadonlyMap<string, string> {
  const { apiVersion, body } = document;
  return targetsOf(handler, {
    id: ResourceId.parse(document.id),
    apiVersion,
    properties: objectMember(body, "properties"),
  });
}

/** By id in lower case: one reference counts, however often and in whatever case it is written. */
function targetsOf(handler: ResourceHandler, resource: Referring): ReadonlyMap<string, string> {
  const targets = handler.references?.(resource) ?? [];
  return new Map(targets.map((target) => [target.toLowerCase(), target]));
}
