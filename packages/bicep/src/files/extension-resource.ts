import {
  additionalOf,
  anyScope,
  anyType,
  dependsOnType,
  FunctionFlags,
  functionTable,
  objectOf,
  overload,
  PropertyFlags,
  propertyOf,
  resourceOf,
  ScopeFlags,
  withObject,
  withPropertyFlags,
} from "../types/index.ts";
import type {
  FunctionOverload,
  ObjectType,
  ResourceReference,
  ResourceType,
  Type,
  TypeProperty,
} from "../types/index.ts";

/** Methods such as `listSecrets`, which only a definition would name. */
export const anyMethod: readonly FunctionOverload[] = [
  overload("", {
    wildcard: true,
    variadic: { namePrefix: "argument", type: anyType, minimum: 0 },
    returns: anyType,
    flags: FunctionFlags.RequiresInlining,
  }),
];

export interface ExtensionResourceOptions {
  readonly reference: ResourceReference;
  readonly extension: string;
  /** As defined; none when the definition is broken, which leaves any members. */
  readonly body: Type | undefined;
  readonly methods: readonly FunctionOverload[];
  /** The scope bits of a type package; zero in both means anywhere. */
  readonly writableScopes: number;
  readonly readableScopes: number;
  readonly existing: boolean;
}

/** The type of a resource of an extension: its definition with what the language adds. */
export function extensionResource(options: ExtensionResourceOptions): ResourceType {
  const { reference, extension, writableScopes, readableScopes } = options;
  const body = options.body ?? objectOf([], { additional: additionalOf(anyType) });
  const anywhere = writableScopes === 0 && readableScopes === 0;
  const usable = options.existing ? readableScopes : writableScopes | readableScopes;
  return resourceOf({
    reference,
    extension,
    body: body.kind === "object" ? resourceBody(body, options) : body,
    validScopes: anywhere ? anyScope : scopeFlags(usable),
    readOnlyScopes: anywhere ? 0 : scopeFlags(readableScopes & ~writableScopes),
  });
}

function resourceBody(body: ObjectType, { methods, existing }: ExtensionResourceOptions): ObjectType {
  const properties = Array.from(body.properties.values(), (property) => (existing ? asExisting(property) : property));
  if (!existing && !body.properties.has("dependsOn")) {
    const flags = PropertyFlags.WriteOnly | PropertyFlags.DisallowAny | PropertyFlags.System;
    properties.push(propertyOf("dependsOn", dependsOnType, flags));
  }
  const { additional } = body;
  return withObject(body, {
    properties,
    additional:
      existing && additional !== undefined
        ? additionalOf(additional.type, additional.flags | PropertyFlags.ReadOnly)
        : additional,
    methods: methods.length === 0 ? undefined : functionTable(methods),
  });
}

/** Of a resource that is only looked up, nothing but what identifies it can be written. */
function asExisting(property: TypeProperty): TypeProperty {
  const { flags } = property;
  return (flags & PropertyFlags.ResourceIdentifier) !== 0
    ? property
    : withPropertyFlags(property, (flags & ~PropertyFlags.Required) | PropertyFlags.ReadOnly);
}

const packageScopes: readonly (readonly [number, number])[] = [
  [1, ScopeFlags.Tenant],
  [2, ScopeFlags.ManagementGroup],
  [4, ScopeFlags.Subscription],
  [8, ScopeFlags.ResourceGroup],
  [16, ScopeFlags.Resource],
];

function scopeFlags(bits: number): number {
  return packageScopes.reduce((flags, [bit, scope]) => ((bits & bit) === 0 ? flags : flags | scope), 0);
}
