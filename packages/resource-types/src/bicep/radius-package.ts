import type { JsonObject } from "@rad/core";
import { withOptionalBaseProperties } from "../manifest/base-properties.ts";
import { SchemaError } from "../schema/schema-error.ts";
import type { Envelope } from "./envelope.ts";
import { radiusFunctions } from "./radius-functions.ts";
import { createTypePackage } from "./type-package.ts";
import type { PackageType, TypePackage } from "./type-package.ts";

/** What a control plane serves besides resources of applications, such as deployments: Bicep has modules for these. */
const otherNamespaces = ["microsoft.", "system."];

/** Those that upstream describes by OpenAPI documents; all others come from manifests. */
const trackedNamespaces = ["applications.", "radius.core/"];

/** The package of `extension radius`: its types among those that are given, with the methods that Radius gives them. */
export function createRadiusPackage(types: readonly PackageType[]): TypePackage {
  return packageOf(types, "plain");
}

/**
 * The same for the types that a control plane has registered. They have what it accepts in every resource, and one
 * whose schema cannot be read takes any properties.
 */
export function createRegisteredPackage(types: readonly PackageType[]): TypePackage {
  const { paths, document } = packageOf(
    types.map((type) => (isTracked(type) ? type : mapSchemas(type, withOptionalBaseProperties))),
    "tagged",
  );
  const unchecked = packageOf(
    types.map((type) => mapSchemas(type, () => ({}))),
    "tagged",
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

function packageOf(types: readonly PackageType[], untracked: Envelope): TypePackage {
  const ours = types.filter(({ name }) => !startsWithAny(name, otherNamespaces));
  return createTypePackage(
    ours.map((type) => ({
      ...type,
      envelope: isTracked(type) ? "tracked" : untracked,
      functions: radiusFunctions(type.name),
    })),
    { name: "Radius", version: "latest" },
  );
}

function mapSchemas(type: PackageType, map: (schema: JsonObject) => JsonObject): PackageType {
  const versions = Object.entries(type.versions).map(([version, schema]) => [version, map(schema)]);
  return { ...type, versions: Object.fromEntries(versions) };
}

function isTracked({ name }: PackageType): boolean {
  return startsWithAny(name, trackedNamespaces);
}

function startsWithAny(name: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => name.toLowerCase().startsWith(prefix));
}
