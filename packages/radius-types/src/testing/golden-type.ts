import type { JsonObject } from "@rad/core";
import { ResourceId } from "@rad/core";
import type { BuiltInType } from "../built-in-type.ts";
import { environmentContext, objectNamespace } from "../rendering/contexts.ts";
import type { Dependency, PublicEndpoint, RenderContext, RenderedResource, Renderer } from "../rendering/renderer.ts";
import { applicationId, environmentId, inGroup } from "./ids.ts";

/**
 * A rendered type with cases whose results are kept in `goldens/` beside it, one file per case. The cases together set
 * every member of the type's schema.
 */
export interface GoldenType {
  readonly type: BuiltInType;
  readonly renderer: Renderer;
  /** Where the results are kept: `new URL("goldens/", import.meta.url)`. */
  readonly folder: URL;
  readonly cases: readonly GoldenCase[];
  /** Members that no case can set, as `properties.identity`, with the reason. */
  readonly unset?: Readonly<Record<string, string>>;
}

export interface GoldenCase {
  /** Names the file, too: `ports and probes` is kept in `ports-and-probes.yaml`. */
  readonly name: string;
  /** `web` when absent. */
  readonly resourceName?: string;
  readonly properties: JsonObject;
  readonly secrets?: RenderedResource["secrets"];
  /** An environment of `Applications.Core` in the namespace `prod` when absent. */
  readonly environment?: JsonObject;
  readonly environmentId?: string;
  readonly recipePacks?: readonly JsonObject[];
  /** An application of `Applications.Core` without properties when absent; `null` for none. */
  readonly application?: JsonObject | null;
  readonly applicationId?: string;
  readonly dependencies?: readonly GoldenDependency[];
  readonly publicEndpoint?: PublicEndpoint;
}

export interface GoldenDependency extends Partial<Omit<Dependency, "id">> {
  readonly id: string;
}

export function goldenResource({ type }: GoldenType, golden: GoldenCase): RenderedResource {
  return {
    id: ResourceId.parse(inGroup(`${type.name}/${golden.resourceName ?? "web"}`)),
    properties: golden.properties,
    secrets: golden.secrets ?? {},
  };
}

export function goldenContext(golden: GoldenCase): RenderContext {
  const environment = environmentContext(
    ResourceId.parse(golden.environmentId ?? environmentId),
    golden.environment ?? { compute: { kind: "kubernetes", namespace: "prod" } },
  );
  const application =
    golden.application === null
      ? undefined
      : { id: ResourceId.parse(golden.applicationId ?? applicationId), properties: golden.application ?? {} };
  const dependencies = (golden.dependencies ?? []).map((dependency): [string, Dependency] => [
    dependency.id.toLowerCase(),
    {
      properties: {},
      values: {},
      secretValues: {},
      outputResources: [],
      ...dependency,
      id: ResourceId.parse(dependency.id),
    },
  ]);
  return {
    environment: { ...environment, recipePacks: golden.recipePacks ?? [] },
    application,
    namespace: objectNamespace(environment, application),
    dependencies: new Map(dependencies),
    publicEndpoint: golden.publicEndpoint,
  };
}
