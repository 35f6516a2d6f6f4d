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
    return `The type has these versions: ${same.map(({ version }) => `"${version ?? ""}"`).join(", ")}.`;
  }
  const meant =
    suggestName(
      reference,
      known.filter((other) => namespaceOf(other) === namespace),
    ) ??
    suggestName(
      reference,
      known.filter((other) => pathOf(other) === pathOf(reference)),
    );
  return meant === undefined
    ? `If it is a type of your own, register it with "rad resource-type create -f <manifest>"; if it is registered, "rad bicep restore" fetches it.`
    : `Did you mean "${meant}"?`;
}

function suggestName(reference: ResourceReference, others: readonly ResourceReference[]): string | undefined {
  return suggestSpelling(reference.type, new Set(others.map(({ type }) => type)));
}

function namespaceOf({ segments }: ResourceReference): string {
  return segments[0]?.toLowerCase() ?? "";
}

/** The type without its namespace. */
function pathOf({ segments }: ResourceReference): string {
  return segments.slice(1).join("/").toLowerCase();
}
