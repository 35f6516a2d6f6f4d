import { SchemaError } from "../schema/schema-error.ts";
import { radiusFunctions } from "./radius-functions.ts";
import { createTypePackage } from "./type-package.ts";
import type { PackageType, TypePackage } from "./type-package.ts";

/** What a control plane serves besides resources of applications, such as deployments: Bicep has modules for these. */
const otherNamespaces = ["microsoft.", "system."];

/** Those that upstream describes by OpenAPI documents; all others come from manifests. */
const trackedNamespaces = ["applications.", "radius.core/"];

/** The package of `extension radius`: its types among those that are given, with the methods that Radius gives them. */
export function createRadiusPackage(types: readonly PackageType[]): TypePackage {
  const ours = types.filter(({ name }) => !startsWithAny(name, otherNamespaces));
  return createTypePackage(
    ours.map((type) => ({
      ...type,
      envelope: startsWithAny(type.name, trackedNamespaces) ? "tracked" : "plain",
      functions: radiusFunctions(type.name),
    })),
    { name: "Radius", version: "latest" },
  );
}

/** The same for types from elsewhere: one whose schema cannot be read takes any properties. */
export function createLenientRadiusPackage(types: readonly PackageType[]): TypePackage {
  const { paths, document } = createRadiusPackage(types);
  const unchecked = createRadiusPackage(
    types.map((type) => ({
      ...type,
      versions: Object.fromEntries(Object.keys(type.versions).map((version) => [version, {}])),
    })),
  );
  return {
    paths,
    document: (path) => {
      try {
        return document(path);
      } catch (error) {
        if (error instanceof SchemaError) {
          return unchecked.document(path);
        }
        throw error;
      }
    },
  };
}

function startsWithAny(name: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => name.toLowerCase().startsWith(prefix));
}
