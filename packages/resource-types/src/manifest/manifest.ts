import type { JsonObject } from "@rad/core";

/** What a platform engineer writes to add resource types: one namespace with its types. */
export interface Manifest {
  readonly namespace: string;
  readonly location: ManifestLocation;
  readonly types: readonly ManifestType[];
}

export interface ManifestLocation {
  readonly name: string;
  /** Where upstream's services listen. Kept and shown, never called. */
  readonly address?: string;
}

export interface ManifestType {
  readonly name: string;
  readonly description?: string;
  readonly capabilities: readonly string[];
  readonly defaultApiVersion?: string;
  readonly apiVersions: readonly ManifestApiVersion[];
  /** SVG text; comes from a file beside the manifest, never from the manifest itself. */
  readonly icon?: string;
}

export interface ManifestApiVersion {
  readonly name: string;
  /** With the base properties merged in; `{}` when anything goes. */
  readonly schema: JsonObject;
}

/** Where a manifest does not say otherwise, and the only location that requests are routed by. */
export const defaultLocation: ManifestLocation = { name: "global" };
