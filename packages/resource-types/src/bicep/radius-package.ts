import { radiusFunctions } from "./radius-functions.ts";
import { createTypePackage } from "./type-package.ts";
import type { PackageType, TypePackage } from "./type-package.ts";

/** Others that a control plane serves, such as deployments, are no resources of the extension: Bicep has modules. */
const namespaces = ["applications.", "radius."];

/** The package of `extension radius`: its types among those that are given, with the methods that Radius gives them. */
export function createRadiusPackage(types: readonly PackageType[]): TypePackage {
  const ours = types.filter(({ name }) => namespaces.some((prefix) => name.toLowerCase().startsWith(prefix)));
  return createTypePackage(
    ours.map((type) => ({ ...type, functions: radiusFunctions(type.name) })),
    { name: "Radius", version: "latest" },
  );
}
