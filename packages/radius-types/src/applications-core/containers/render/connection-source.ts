import { ApiError, ResourceId } from "@rad/core";

/** What a connection leads to: a URL, or a resource of ours, of Azure or of another plane. */
export type ConnectionSource =
  | { readonly kind: "url"; readonly scheme: string; readonly hostname: string; readonly port: string }
  | { readonly kind: "radius" | "azure" | "other"; readonly id: ResourceId };

/** @throws ApiError for what is neither a URL with a port nor a resource id. */
export function readSource(source: string): ConnectionSource {
  if (!source.startsWith("/") && URL.canParse(source)) {
    return readUrl(source);
  }
  const id = ResourceId.tryParse(source);
  if (id === undefined || (id.kind !== "resource" && id.kind !== "extensionResource")) {
    throw new ApiError("BadRequest", `invalid source: ${source}. Must be either a URL or a valid resourceID`);
  }
  return { kind: planeOf(id), id };
}

/** Ids without a plane are Azure's own. */
function planeOf({ isUcp, scopes }: ResourceId): "radius" | "azure" | "other" {
  const plane = isUcp ? scopes[0]?.type.toLowerCase() : "azure";
  return plane === "radius" || plane === "azure" ? plane : "other";
}

const url = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#@]*@)?(?:\[([^\]]+)\]|([^/?#:]+)):(\d+)(?:[/?#]|$)/i;

/** By hand, because the platform's parser drops a port that is the usual one of the scheme. */
function readUrl(source: string): ConnectionSource {
  const [, scheme, address, host, port] = url.exec(source) ?? [];
  const hostname = address ?? host;
  if (scheme === undefined || hostname === undefined || port === undefined) {
    // The URL itself is left out: it may hold a password.
    throw new ApiError(
      "BadRequest",
      "failed to parse source URL: the source of a connection needs a host and a port. Write it like http://host:3000.",
    );
  }
  return { kind: "url", scheme: scheme.toLowerCase(), hostname, port };
}
