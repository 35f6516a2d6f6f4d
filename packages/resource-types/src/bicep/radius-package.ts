import { radiusFunctions } from "./radius-functions.ts";
import { createTypePackage } from "./type-package.ts";
import type { PackageType, TypePackage } from "./type-package.ts";

/** The package of `extension radius`: types with the methods that Radius gives them. */
export function createRadiusPackage(types: readonly PackageType[]): TypePackage {
  return createTypePackage(
    types.map((type) => ({ ...type, functions: radiusFunctions(type.name) })),
    { name: "Radius", version: "latest" },
  );
}
