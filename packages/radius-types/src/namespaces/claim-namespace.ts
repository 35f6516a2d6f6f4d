import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { Validated, ValidateRequest } from "@rad/resources";
import { textMember } from "../rendering/members.ts";

const claimType = "System.Kubernetes/namespaceClaims";

export interface WantedNamespace {
  readonly namespace: string;
  /** What the message calls a resource of the type: `Environment`. */
  readonly what: string;
  /** The namespace that another resource of the type has, by its properties. */
  readonly namespaceOf: (properties: JsonObject) => string | undefined;
}

/**
 * Makes a namespace belong to one resource of the type in its resource group. The claim is a document of its own, named
 * after the namespace and written together with the resource, so that of two requests at once only one comes through.
 * It is never removed: one whose owner is gone, or has another namespace by now, may be taken over.
 * @throws ApiError `Conflict` when another resource has the namespace.
 */
export async function claimNamespace(
  { id, current, resources }: Pick<ValidateRequest, "id" | "current" | "resources">,
  { namespace, what, namespaceOf }: WantedNamespace,
): Promise<Validated> {
  const claimId = `/claims${id.rootScope}/${id.type}/${namespace}`.toLowerCase();
  const claim = await resources.get(claimId);
  if (claim !== undefined && textMember(claim.body, "owner") === id.key) {
    return { guards: [{ kind: "exists", id: claimId, etag: claim.etag }] };
  }
  const input = { id: claimId, type: claimType, apiVersion: "1", body: { owner: id.key }, secrets: {} };
  const before = current === undefined ? undefined : namespaceOf(objectMember(current.body, "properties"));
  if (before === namespace) {
    // Resources from before there were claims keep their namespace, even two with the same one.
    return claim === undefined ? { also: [{ kind: "put", input, expect: "absent" }] } : {};
  }
  // Others from before there were claims have none.
  const { items } = await resources.list({ type: id.type, under: id.rootScope, directly: true });
  for (const other of items) {
    await other.parsed();
    if (
      other.id.toLowerCase() !== id.toString().toLowerCase() &&
      namespaceOf(objectMember(other.body, "properties")) === namespace
    ) {
      throw namespaceTaken(what, other.id, namespace);
    }
  }
  return {
    also: [{ kind: "put", input, expect: claim === undefined ? "absent" : { etag: claim.etag } }],
  };
}

export function namespaceTaken(what: string, id: string, namespace: string): ApiError {
  return new ApiError("Conflict", `${what} ${id} with the same namespace (${namespace}) already exists`, {
    target: "$.properties",
  });
}
