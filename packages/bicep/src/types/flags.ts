/** What the type of a value carries besides its shape. A bit set; part of a type's identity. */
export const TypeFlags = {
  None: 0,
  /** A plain `string`, `int` or `bool` parameter: may be assigned to a literal of its kind. */
  Loose: 1,
  Secure: 2,
  /** A mismatch against this type is a warning. */
  WarnOnTypeMismatch: 4,
  /** Unknown and missing properties of this object are warnings. */
  WarnOnPropertyTypeMismatch: 8,
  /** Nothing is assignable to or from it: errors and namespaces. */
  PreventAssignment: 16,
} as const;

/** What an object type says about one of its properties. A bit set. */
export const PropertyFlags = {
  None: 0,
  Required: 1,
  /** The value must be a compile-time constant. */
  Constant: 2,
  ReadOnly: 4,
  WriteOnly: 8,
  /** The value must be known when the deployment starts. */
  DeployTimeConstant: 16,
  /** Reading it gives a value that is known when the deployment starts. */
  ReadableAtDeployTime: 32,
  DisallowAny: 64,
  /** Expected to differ between the instances of a loop. */
  LoopVariant: 128,
  AllowImplicitNull: 256,
  /** Not in the type's definition, only commonly accepted. */
  Fallback: 512,
  /** Belongs to the language rather than to the resource provider: a mismatch is an error, not a warning. */
  System: 1024,
  ResourceIdentifier: 2048,
} as const;

/** Where something is deployed, or what a scope expression may refer to. A bit set. */
export const ScopeFlags = {
  None: 0,
  Tenant: 1,
  ManagementGroup: 2,
  Subscription: 4,
  ResourceGroup: 8,
  Module: 16,
  Resource: 32,
  Local: 64,
} as const;

export const anyScope: number =
  ScopeFlags.Tenant |
  ScopeFlags.ManagementGroup |
  ScopeFlags.Subscription |
  ScopeFlags.ResourceGroup |
  ScopeFlags.Module |
  ScopeFlags.Resource;
