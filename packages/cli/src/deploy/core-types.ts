/** The two families that environments and applications come in, the older one first. */
export const coreNamespaces = ["Applications.Core", "Radius.Core"] as const;

const apiVersions = { "applications.core": "2023-10-01-preview", "radius.core": "2025-08-01-preview" } as const;

/** The version in which a resource of one of the families is spoken of. */
export function apiVersionOf(id: string): string {
  return id.toLowerCase().includes("/providers/radius.core/")
    ? apiVersions["radius.core"]
    : apiVersions["applications.core"];
}
