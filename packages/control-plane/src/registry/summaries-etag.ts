import { createHash } from "node:crypto";
import { ResourceId } from "@rad/core";
import { apiVersionType, providerType, resourceTypeType } from "@rad/resources";
import { listAll, type Store } from "@rad/store";
import type { ApiRequest } from "../api/api-request.ts";
import type { VisibleTypes } from "./registry-views.ts";

/**
 * The etag of the list of summaries, which clients keep: it changes with every registration that the caller may see.
 * It is made from the etags of the registrations, so no schema is read for it.
 */
export async function summariesEtag(request: ApiRequest, store: Store, visible: VisibleTypes): Promise<string> {
  const hash = createHash("sha256").update(`icons=${request.parameter("includeIcons") ?? ""}`);
  const query = { under: `${request.id.planeScope}/providers/${providerType}`, withoutBodies: true };
  for await (const { id, type, etag } of listAll((page) => store.list(page), query)) {
    if (visible === undefined || isVisible(ResourceId.parse(id), type, visible)) {
      hash.update(`\n${id} ${etag}`);
    }
  }
  return `"${hash.digest("base64url")}"`;
}

function isVisible(id: ResourceId, type: string, visible: (type: string) => boolean): boolean {
  switch (type.toLowerCase()) {
    case resourceTypeType.toLowerCase():
      return visible(`${id.truncate().name}/${id.name}`);
    case apiVersionType.toLowerCase():
      return visible(`${id.truncate().truncate().name}/${id.truncate().name}`);
    default:
      return true;
  }
}

/** Whether `If-None-Match`, which may be a list, has the etag. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const given = ifNoneMatch?.split(",").map((text) => text.trim().replace(/^W\//, "")) ?? [];
  return given.includes(etag);
}
