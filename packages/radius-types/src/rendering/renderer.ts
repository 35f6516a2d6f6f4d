import type { JsonObject, JsonValue, ResourceId } from "@rad/core";
import type { CallOptions, KubernetesObject, ObjectTarget } from "@rad/kubernetes";
import type { Validated, ValidateRequest } from "@rad/resources";

/** Turns a resource into what a platform runs. Pure: the same resource in the same context gives the same result. */
export interface Renderer {
  /** Checks of a PUT beyond the schema, before anything is stored. @throws ApiError to refuse it. */
  validate?(request: CheckedRequest): Validated | void;
  /** Kinds without which a PUT is refused, because nothing can be made of the resource. */
  readonly needs?: readonly NeededKind[];
  /** Ids of the resources that `render` has to know. */
  dependencies(properties: JsonObject): readonly string[];
  /** Whether nothing is made of the resource, which then needs no environment. */
  isOnlyStored?(resource: Pick<RenderedResource, "id" | "properties">): boolean;
  /** @throws ApiError for what cannot be rendered. */
  render(resource: RenderedResource, context: RenderContext): Rendering;
  /** Kinds of objects that several resources of the type may have in common; the last of them deletes the object. */
  readonly sharedKinds?: readonly string[];
  /** Whether `render` needs `publicEndpoint`, which costs a request. */
  readonly usesPublicEndpoint?: boolean;
  /**
   * Looks at what the target has already, after rendering and before anything is applied.
   * @throws ApiError for what cannot be applied there.
   */
  check?(target: ObjectTarget, rendering: Rendering, options: CallOptions): Promise<void>;
}

export type CheckedRequest = Pick<ValidateRequest, "id" | "properties" | "current">;

export interface NeededKind {
  readonly group: string;
  readonly kind: string;
  /** What to tell somebody whose cluster does not serve it: what to install. */
  readonly advice: string;
}

export interface RenderedResource {
  readonly id: ResourceId;
  /** Whole: sealed values are in their places. */
  readonly properties: JsonObject;
  /** The resource's own sealed values in clear, by JSON pointer: `/properties/data/key/value`. */
  readonly secrets: Readonly<Record<string, JsonValue>>;
}

export interface RenderContext {
  readonly environment: EnvironmentContext;
  /** Absent for resources that belong to an environment alone. */
  readonly application: ApplicationContext | undefined;
  /** Where objects of the resource go: the application's namespace, or else the environment's. */
  readonly namespace: string;
  /** By id in lower case: everything that `dependencies` named. */
  readonly dependencies: ReadonlyMap<string, Dependency>;
  readonly publicEndpoint: PublicEndpoint | undefined;
}

export interface EnvironmentContext {
  readonly id: ResourceId;
  readonly namespace: string;
  readonly properties: JsonObject;
  /** Properties of the recipe packs that an environment of `Radius.Core` names, as `loadRecipePacks` gives them. */
  readonly recipePacks?: readonly JsonObject[];
}

export interface ApplicationContext {
  readonly id: ResourceId;
  readonly properties: JsonObject;
}

/** Another resource, as far as it concerns whoever uses it. */
export interface Dependency {
  readonly id: ResourceId;
  readonly properties: JsonObject;
  /** What it gives to those who connect to it: `host`, `port`. */
  readonly values: JsonObject;
  /** Likewise, but secret: `password`, `connectionString`. */
  readonly secretValues: Readonly<Record<string, string>>;
  readonly outputResources: readonly { readonly localId: string | undefined; readonly id: string }[];
}

/** Where gateways are reached from outside of the cluster. */
export type PublicEndpoint =
  | { readonly kind: "override"; readonly host: string; readonly port: string | undefined }
  | { readonly kind: "address"; readonly ip: string }
  | { readonly kind: "hostname"; readonly hostname: string };

export interface Rendering {
  readonly parts: readonly Part[];
  /** What others get who connect to the resource. */
  readonly values?: JsonObject;
  readonly secretValues?: Readonly<Record<string, string>>;
  /** Members to set in the resource's own properties, such as the `url` of a gateway. */
  readonly properties?: JsonObject;
  /** Ids that the author of the resource brought along: recorded, never created and never deleted. */
  readonly references?: readonly string[];
}

/** One thing to create. */
export type Part = KubernetesPart | AzurePart;

interface PartOrder {
  /** Names the part within the resource: `Deployment`, `ConfigMap-S8cXlA==`. */
  readonly localId: string;
  /** Local ids of parts that have to be there first. */
  readonly dependsOn?: readonly string[];
}

export interface KubernetesPart extends PartOrder {
  readonly platform: "kubernetes";
  readonly object: KubernetesObject;
  /** The resource is not done before this object does its work. */
  readonly awaited?: boolean;
}

export interface AzurePart extends PartOrder {
  readonly platform: "azure";
  readonly type: string;
  readonly body: JsonObject;
}
