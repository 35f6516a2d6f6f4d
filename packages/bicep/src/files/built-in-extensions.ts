import type { ExtensionNamespace, Features } from "../semantics/index.ts";
import { azNamespace } from "../functions/index.ts";
import {
  additionalOf,
  anyObject,
  anyType,
  FunctionFlags,
  functionTable,
  namespaceOf,
  objectOf,
  overload,
  PropertyFlags,
  propertyOf,
  ScopeFlags,
  secureString,
  stringLiteral,
  stringType,
} from "../types/index.ts";
import type {
  FunctionOverload,
  ObjectType,
  ResourceReference,
  ResourceType,
  Type,
  TypeProperty,
} from "../types/index.ts";
import { extensionResource } from "./extension-resource.ts";
import type { ReadDocument } from "./type-files.ts";
import { readTypeDocuments } from "./type-package.ts";

/** Gives the body of a type that is registered with Radius; nothing when it is not. */
export type RegisteredTypes = (reference: ResourceReference) => ObjectType | undefined;

/** What is known about the types of built-in extensions. */
export interface BuiltInTypes {
  readonly registered: RegisteredTypes;
  /** The type package that the host has for an extension. */
  readonly packageOf: (extension: string) => ReadDocument | undefined;
}

/**
 * The extensions that need no package. `radius` checks the types that are registered or that the host has a package
 * for, and takes any properties otherwise; `aws` and `kubernetes` always take any properties.
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

/** Whether an extension works without its package. */
export function isBuiltIn(name: string): boolean {
  return ["az", "radius", "aws", "kubernetes"].includes(name);
}

function radius({ registered, packageOf }: BuiltInTypes): ExtensionNamespace {
  const open = new OpenExtension("Radius", "latest", undefined, (reference) => radiusBody(reference, registered));
  const documents = packageOf("radius");
  if (documents === undefined) {
    return open;
  }
  const known = readTypeDocuments(documents);
  if ("problem" in known) {
    throw new Error(`The host's types of the extension radius are broken: ${known.problem.message}`);
  }
  const { provider, version, singleton, configuration, namespace } = open;
  return {
    provider,
    version,
    singleton,
    configuration,
    namespace,
    resourceType: (reference, existing) => {
      const defined = registered(reference) === undefined ? known.value.resourceType(reference, existing) : undefined;
      return defined ?? open.resourceType(reference, existing);
    },
    fallbackType: () => undefined,
  };
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

/** Methods such as `listSecrets`, which only a definition would name. */
const anyMethod: readonly FunctionOverload[] = [
  overload("", {
    wildcard: true,
    variadic: { namePrefix: "argument", type: anyType, minimum: 0 },
    returns: anyType,
    flags: FunctionFlags.RequiresInlining,
  }),
];

const radiusNamespaces = ["applications.", "radius."];

function radiusBody(reference: ResourceReference, registered: RegisteredTypes): ObjectType | undefined {
  const known = registered(reference);
  if (known !== undefined) {
    return known;
  }
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
