import { radiusFunctions } from "./radius-functions.ts";
import { createTypePackage } from "./type-package.ts";
import type { PackageType, TypePackage } from "./type-package.ts";

/** Others that a control plane serves, such as deployments, are no resources of the extension: Bicep has modules. */
const namespaces = ["applications.", "radius."];

/** Those that upstream describes by OpenAPI documents; the rest of `Radius.*` comes from manifests. */
const trackedNamespaces = ["applications.", "radius.core/"];

/** The package of `extension radius`: its types among those that are given, with the methods that Radius gives them. */
export function createRadiusPackage(types: readonly PackageType[]): TypePackage {
  const ours = types.filter(({ name }) => startsWithAny(name, namespaces));
  return createTypePackage(
    ours.map((type) => ({
      ...type,
      envelope: startsWithAny(type.name, trackedNamespaces) ? "tracked" : "plain",
      functions: radiusFunctions(type.name),
    })),
    { name: "Radius", version: "latest" },
  );
}

function startsWithAny(name: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => name.toLowerCase().startsWith(prefix));
}
