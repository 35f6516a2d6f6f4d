import type { ExtensionNamespace, Features } from "../semantics/index.ts";
import { azNamespace } from "../functions/index.ts";
import {
  additionalOf,
  anyObject,
  anyType,
  functionTable,
  namespaceOf,
  objectOf,
  PropertyFlags,
  propertyOf,
  ScopeFlags,
  secureString,
  stringLiteral,
  stringType,
} from "../types/index.ts";
import type { ObjectType, ResourceReference, ResourceType, Type, TypeProperty } from "../types/index.ts";
import { anyMethod, extensionResource } from "./extension-resource.ts";
import { radiusExtension } from "./radius-extension.ts";
import type { RadiusLayers } from "./radius-extension.ts";
import type { ReadDocument } from "./type-files.ts";
import { readTypeDocuments } from "./type-package.ts";
import type { TypePackage } from "./type-package.ts";

/**
 * The extensions that need no package. `radius` checks the types that the host has a package for, or that a control
 * plane has registered, and takes any properties otherwise; `aws` and `kubernetes` always take any properties.
 */
export function builtInExtension(
  name: string,
  features: Features,
  types: BuiltInTypes,
): ExtensionNamespace | undefined {
  switch (name) {
    case "az":
      return azure(features);
    case "radius":
      return radius(types);
    case "aws":
      return new OpenExtension("AWS", "latest", undefined, awsBody);
    case "kubernetes":
      return new OpenExtension("Kubernetes", "1.0.0", kubernetesConfiguration, kubernetesBody);
    default:
      return undefined;
  }
}

/** What is known about the types of built-in extensions. */
export interface BuiltInTypes {
  /** The type package that the host has for an extension. */
  readonly packageOf: (extension: string) => ReadDocument | undefined;
  /** What goes on top of the types of `radius`. */
  readonly radiusLayers: () => RadiusLayers;
}

/** Whether an extension works without its package. */
export function isBuiltIn(name: string): boolean {
  return ["az", "radius", "aws", "kubernetes"].includes(name);
}

function radius({ packageOf, radiusLayers }: BuiltInTypes): ExtensionNamespace {
  const open = new OpenExtension("Radius", "latest", undefined, radiusBody);
  const documents = packageOf("radius");
  if (documents === undefined) {
    const { registered, onRegisteredUse } = radiusLayers();
    const unchecked: TypePackage = {
      ...openParts(open),
      references: [],
      resourceType: (reference, existing) =>
        registered?.resourceType(reference, existing) === undefined
          ? open.resourceType(reference, existing)
          : undefined,
      fallbackType: () => undefined,
    };
    return radiusExtension(unchecked, { registered, onRegisteredUse });
  }
  const known = readTypeDocuments(documents);
  if ("problem" in known) {
    throw new Error(`The host's types of the extension radius are broken: ${known.problem.message}`);
  }
  return radiusExtension(known.value, { ...radiusLayers(), ownTypes: open });
}

function openParts({ provider, version, singleton, configuration, namespace }: ExtensionNamespace) {
  return { provider, version, singleton, configuration, namespace };
}

/** Azure, declared in so many words; its resource types are the checker's own business. */
function azure(features: Features): ExtensionNamespace {
  return {
    provider: "AzureResourceManager",
    version: "1.0.0",
    singleton: true,
    configuration: undefined,
    namespace: azNamespace({
      file: "template",
      targetScope: ScopeFlags.None,
      feature: (name) => features[name] === true,
    }),
    resourceType: () => undefined,
    fallbackType: () => undefined,
  };
}

class OpenExtension implements ExtensionNamespace {
  readonly provider: string;
  readonly version: string;
  readonly singleton = false;
  readonly configuration: Type | undefined;
  readonly namespace: ExtensionNamespace["namespace"];
  readonly #bodyOf: (reference: ResourceReference) => ObjectType | undefined;
  readonly #built = new Map<string, ResourceType | undefined>();

  constructor(
    provider: string,
    version: string,
    configuration: Type | undefined,
    bodyOf: (reference: ResourceReference) => ObjectType | undefined,
  ) {
    this.provider = provider;
    this.version = version;
    this.configuration = configuration;
    this.#bodyOf = bodyOf;
    this.namespace = namespaceOf(provider, { functions: functionTable([]), decorators: new Map(), types: new Map() });
  }

  resourceType(reference: ResourceReference, existing: boolean): ResourceType | undefined {
    const key = `${existing} ${reference.text}`;
    if (!this.#built.has(key)) {
      const body = this.#bodyOf(reference);
      this.#built.set(key, body === undefined ? undefined : this.#build(reference, body, existing));
    }
    return this.#built.get(key);
  }

  fallbackType(): undefined {
    return undefined;
  }

  #build(reference: ResourceReference, body: ObjectType, existing: boolean): ResourceType {
    const extension = this.provider;
    return extensionResource({
      reference,
      extension,
      body,
      methods: anyMethod,
      writableScopes: 0,
      readableScopes: 0,
      existing,
    });
  }
}

const { AllowImplicitNull, DeployTimeConstant, LoopVariant, ReadableAtDeployTime, ReadOnly, Required, System } =
  PropertyFlags;
const identifier = Required | DeployTimeConstant | ReadableAtDeployTime | System | LoopVariant;
const identity = identifier | PropertyFlags.ResourceIdentifier;

const radiusNamespaces = ["applications.", "radius."];

function radiusBody(reference: ResourceReference): ObjectType | undefined {
  const namespace = reference.segments[0]?.toLowerCase() ?? "";
  if (reference.version === undefined || !radiusNamespaces.some((prefix) => namespace.startsWith(prefix))) {
    return undefined;
  }
  return open(reference, [
    propertyOf("id", stringType, ReadOnly | DeployTimeConstant),
    propertyOf("type", stringLiteral(reference.type), ReadOnly | DeployTimeConstant),
    propertyOf("apiVersion", stringLiteral(reference.version), ReadOnly | DeployTimeConstant),
    propertyOf("name", stringType, identity),
    propertyOf("location", stringType, AllowImplicitNull),
    propertyOf("properties", anyObject, AllowImplicitNull),
  ]);
}

function awsBody(reference: ResourceReference): ObjectType | undefined {
  const namespace = reference.segments[0]?.toLowerCase() ?? "";
  if (!namespace.startsWith("aws.")) {
    return undefined;
  }
  return open(reference, [
    propertyOf("alias", stringType, identity),
    propertyOf("properties", anyObject, AllowImplicitNull | PropertyFlags.ResourceIdentifier),
  ]);
}

const kubernetesVersion = /^v[0-9]+(?:(?:alpha|beta)[0-9]+)?$/u;

function kubernetesBody(reference: ResourceReference): ObjectType | undefined {
  if (reference.segments.length !== 2 || !kubernetesVersion.test(reference.version ?? "")) {
    return undefined;
  }
  const [group = "", kind = ""] = reference.segments;
  const version = reference.version ?? "";
  return open(reference, [
    propertyOf(
      "apiVersion",
      stringLiteral(group === "core" ? version : `${group}/${version}`),
      ReadOnly | DeployTimeConstant,
    ),
    propertyOf("kind", stringLiteral(kind), ReadOnly | DeployTimeConstant),
    propertyOf("metadata", metadata, Required | DeployTimeConstant | PropertyFlags.ResourceIdentifier),
  ]);
}

const metadata = objectOf(
  [
    propertyOf("name", stringType, identity),
    propertyOf("namespace", stringType, AllowImplicitNull | DeployTimeConstant | PropertyFlags.ResourceIdentifier),
  ],
  { name: "metadata", additional: additionalOf(anyType) },
);

const kubernetesConfiguration: Type = objectOf(
  [
    propertyOf("namespace", stringType, Required),
    propertyOf("kubeConfig", secureString, Required),
    propertyOf("context", stringType, AllowImplicitNull),
  ],
  { name: "configuration" },
);

function open(reference: ResourceReference, properties: readonly TypeProperty[]): ObjectType {
  return objectOf(properties, { name: reference.text, additional: additionalOf(anyType) });
}
