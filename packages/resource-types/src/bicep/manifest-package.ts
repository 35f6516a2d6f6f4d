import type { Manifest } from "../manifest/manifest.ts";
import { createTypePackage } from "./type-package.ts";
import type { TypePackage } from "./type-package.ts";

/**
 * The type package of manifests. Its provider is named as upstream names it, `radius` and the namespace without dots,
 * so that a control plane knows whose resources these are; several namespaces together are plain `Radius`.
 */
export function createManifestPackage(manifests: readonly Manifest[]): TypePackage {
  const types = manifests.flatMap(({ namespace, types: described }) =>
    described.map(({ name, apiVersions }) => ({
      name: `${namespace}/${name}`,
      envelope: "tagged" as const,
      versions: Object.fromEntries(apiVersions.map((version) => [version.name, version.schema])),
    })),
  );
  const [namespace, ...others] = new Set(manifests.map((manifest) => manifest.namespace.toLowerCase()));
  return createTypePackage(types, {
    name: namespace === undefined || others.length > 0 ? "Radius" : `radius${namespace.replaceAll(".", "")}`,
    version: "0.0.1",
  });
}
