const minute = 60_000;
const hour = 60 * minute;

/**
 * What a resource shows beside its identity. `tracked`: location, tags, properties and `systemData`; `proxy`: properties
 * alone; `group`: location and tags alone.
 */
export type ResourceEnvelope = "tracked" | "proxy" | "group";

/** How the API treats a type, whatever its schema says. */
export interface TypePolicy {
  readonly mode: "sync" | "async";
  readonly putTimeoutMs: number;
  readonly deleteTimeoutMs: number;
  readonly retryAfterSeconds: number;
  /** PUT bodies must name a location. Its value is ignored either way. */
  readonly locationRequired: boolean;
  readonly propertiesRequired: boolean;
  /** `put` runs the PUT pipeline on the body, `merge` lays the body over what is stored, `none` answers 405. */
  readonly patch: "put" | "merge" | "none";
  /** An update may not move the resource to another application or environment. */
  readonly fixedScope: boolean;
  readonly envelope: ResourceEnvelope;
  /** Whether an accepted DELETE answers with the resource; registrations are documented to answer with nothing. */
  readonly deleteShowsResource: boolean;
  readonly queue: string;
  /** Resources may be written below a plane that does not exist. */
  readonly scopeOptional?: boolean;
}

export const defaultQueue = "default";

/** A synchronous type. */
export const basePolicy: TypePolicy = {
  mode: "sync",
  putTimeoutMs: 2 * minute,
  deleteTimeoutMs: 2 * minute,
  retryAfterSeconds: 60,
  locationRequired: true,
  propertiesRequired: true,
  patch: "put",
  fixedScope: false,
  envelope: "tracked",
  deleteShowsResource: true,
  queue: defaultQueue,
};

export const planePolicy: TypePolicy = { ...basePolicy, patch: "merge" };
export const groupPolicy: TypePolicy = { ...planePolicy, propertiesRequired: false, envelope: "group" };

export const providerPolicy: TypePolicy = {
  ...planePolicy,
  propertiesRequired: false,
  mode: "async",
  retryAfterSeconds: 1,
  patch: "none",
  deleteShowsResource: false,
};

/** Types, api versions and locations of a provider. */
export const registrationPolicy: TypePolicy = {
  ...providerPolicy,
  locationRequired: false,
  propertiesRequired: true,
  envelope: "proxy",
};

/** Types that belong to an application or an environment and stay there. */
export const applicationPolicy: TypePolicy = { ...basePolicy, fixedScope: true };

/** The same, carried out by an operation. */
export function asynchronousPolicy(putMinutes: number, deleteMinutes: number): TypePolicy {
  return {
    ...applicationPolicy,
    mode: "async",
    putTimeoutMs: putMinutes * minute,
    deleteTimeoutMs: deleteMinutes * minute,
    retryAfterSeconds: 5,
  };
}

/** Deployments have a queue of their own: one that waits for its resources must not take their place. */
export const deploymentPolicy: TypePolicy = {
  ...basePolicy,
  mode: "async",
  putTimeoutMs: 24 * hour,
  retryAfterSeconds: 1,
  locationRequired: false,
  patch: "none",
  queue: "deployments",
};

/** How the API treats user-defined types. */
export const userDefinedPolicy: TypePolicy = {
  ...basePolicy,
  mode: "async",
  putTimeoutMs: 24 * hour,
  deleteTimeoutMs: 24 * hour,
  retryAfterSeconds: 5,
  locationRequired: false,
  patch: "none",
};
