import { applicationsVersion } from "./applications-core/version.ts";
import { radiusCoreVersion } from "./radius-core/version.ts";

/** The two families that environments and applications come in, the older one first. Loads no schema. */
export const families = [
  { namespace: "Applications.Core", apiVersion: applicationsVersion },
  { namespace: "Radius.Core", apiVersion: radiusCoreVersion },
] as const;

/** Of both families, in lower case. */
export const environmentTypes: readonly string[] = families.map(
  ({ namespace }) => `${namespace.toLowerCase()}/environments`,
);

/** The version in which a resource of one of the families is spoken of. */
export function familyVersion(id: string): string {
  const family = families.find(({ namespace }) => id.toLowerCase().includes(`/providers/${namespace.toLowerCase()}/`));
  return (family ?? families[0]).apiVersion;
}

/** Where the recipes of the default recipe pack come from. What they deploy, the server renders without them. */
export const defaultRecipeRegistry = "ghcr.io/radius-project/kube-recipes";
