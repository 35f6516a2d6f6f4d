import type { ExtensionNamespace } from "../semantics/index.ts";
import { suggestSpelling } from "../types/index.ts";
import type { ResourceReference } from "../types/index.ts";
import type { TypePackage } from "./type-package.ts";

export interface RadiusLayers {
  /** The types that a control plane has registered. */
  readonly registered: TypePackage | undefined;
  /** Told of every registered type that a file uses. */
  readonly onRegisteredUse: (type: string) => void;
  /** Takes types of Radius's own namespaces with any properties. A package of upstream's leaves these to Azure. */
  readonly ownTypes?: ExtensionNamespace;
}

/** `extension radius`: the types of a package, and after those of all other packages what a control plane registered. */
export function radiusExtension(defined: TypePackage, layers: RadiusLayers): ExtensionNamespace {
  const { registered, onRegisteredUse, ownTypes } = layers;
  const { provider, version, singleton, configuration, namespace } = defined;
  const known = [...defined.references, ...(registered?.references ?? [])];
  return {
    provider,
    version,
    singleton,
    configuration,
    namespace,
    resourceType: (reference, existing) => defined.resourceType(reference, existing),
    registeredType: (reference, existing) => {
      const type = registered?.resourceType(reference, existing);
      if (type !== undefined) {
        onRegisteredUse(type.reference.text);
      }
      return type;
    },
    ownType: (reference, existing) => ownTypes?.resourceType(reference, existing),
    adviceFor: (reference) => adviceFor(reference, known),
    fallbackType: (reference, existing) => defined.fallbackType(reference, existing),
  };
}

function adviceFor(reference: ResourceReference, known: readonly ResourceReference[]): string | undefined {
  const namespace = namespaceOf(reference);
  if (namespace.startsWith("microsoft.")) {
    return undefined;
  }
  const same = known.filter(({ type }) => type.toLowerCase() === reference.type.toLowerCase());
  if (same.length > 0) {
    // A built-in type is among the registered ones as well.
    const versions = new Set(same.map(({ version }) => `"${version ?? ""}"`));
    return `The type has these versions: ${[...versions].join(", ")}.`;
  }
  const meant = likelyType(reference, known);
  return meant === undefined
    ? `If it is a type of your own, register it with "rad resource-type create -f <manifest>"; if it is registered, "rad bicep restore" fetches it.`
    : `Did you mean "${meant}"?`;
}

/** A type that differs in its namespace or in the rest of its name, and there only by a few letters. */
function likelyType(reference: ResourceReference, known: readonly ResourceReference[]): string | undefined {
  for (const [same, part] of [
    [namespaceOf, pathOf],
    [pathOf, namespaceOf],
  ] as const) {
    const others = known.filter((other) => same(other) === same(reference));
    const meant = suggestSpelling(part(reference), new Set(others.map(part)));
    if (meant !== undefined) {
      return others.find((other) => part(other) === meant)?.type;
    }
  }
  return undefined;
}

function namespaceOf({ segments }: ResourceReference): string {
  return segments[0]?.toLowerCase() ?? "";
}

/** The type without its namespace. */
function pathOf({ segments }: ResourceReference): string {
  return segments.slice(1).join("/").toLowerCase();
}
