import { ApiError, isBuiltInNamespace, jsonPointer, objectMember } from "@rad/core";
import type { JsonObject, ResourceId } from "@rad/core";
import type { ResourceAccess, SealedValues } from "@rad/resources";
import { environmentContext, objectNamespace } from "./contexts.ts";
import { loadRecipePacks } from "../recipes/find-recipe.ts";
import { loadScope, requiredResource } from "./load-scope.ts";
import { recordedOutputs } from "./output-resources.ts";
import type { Dependency, PublicEndpoint, RenderContext } from "./renderer.ts";

/** The resource whose context is loaded. */
interface Loaded {
  readonly id: ResourceId;
  readonly properties: JsonObject;
  /** Ids of the resources that its renderer has to know. */
  readonly dependencies: readonly string[];
  readonly publicEndpoint: PublicEndpoint | undefined;
}

/**
 * Reads what a renderer has to know beside the resource itself. Dependencies must be readable for the requester, and
 * those that give secret values need the permission to list them, too.
 * @throws ApiError when one of them does not exist.
 */
export async function loadContext(resources: ResourceAccess, resource: Loaded): Promise<RenderContext> {
  const { application, environment: found } = await loadScope(resources, resource);
  if (found === undefined) {
    throw new ApiError("BadRequest", `application ID is not set for the resource "${resource.id.toString()}"`);
  }
  const recipePacks = await loadRecipePacks(found.id, found.properties, resources.asServer);
  const environment = { ...environmentContext(found.id, found.properties), recipePacks };
  const ids = new Map(resource.dependencies.map((id) => [id.toLowerCase(), id]));
  const dependencies = await Promise.all(
    [...ids].map(async ([key, id]) => [key, await loadDependency(resources, id)] as const),
  );
  return {
    environment,
    application,
    namespace: objectNamespace(environment, application),
    dependencies: new Map(dependencies),
    publicEndpoint: resource.publicEndpoint,
  };
}

async function loadDependency(resources: ResourceAccess, id: string): Promise<Dependency> {
  const found = await requiredResource(resources.asRequester, id);
  const status = objectMember(found.properties, "status");
  const secretValues = await givenSecrets(resources, found.id);
  const values = Object.entries(objectMember(status, "computedValues")).filter(([name]) => !(name in secretValues));
  const outputs = recordedOutputs(status).map(({ id: output, localId }) => ({ localId, id: output }));
  return {
    id: found.id,
    properties: found.properties,
    values: Object.fromEntries(values),
    secretValues,
    outputResources: outputs,
  };
}

/** @throws ApiError `Forbidden` when there are secret values, and the requester may not list them. */
async function givenSecrets(resources: ResourceAccess, id: ResourceId): Promise<Record<string, string>> {
  try {
    return secretValuesOf(id, await resources.asRequester.secrets(id.toString()));
  } catch (error) {
    const isForbidden = error instanceof ApiError && error.code === "Forbidden";
    const given = isForbidden ? secretValuesOf(id, await resources.asServer.secrets(id.toString())) : {};
    if (!isForbidden || Object.keys(given).length > 0) {
      throw error;
    }
    return {};
  }
}

/** Secret values that a resource gives to those who connect to it. */
function secretValuesOf(id: ResourceId, sealed: SealedValues): Record<string, string> {
  // Types without code of ours give out all they have. The places are in the order of precedence.
  const places = isBuiltInNamespace(id.namespace)
    ? ["/properties/status/computedValues/"]
    : ["/properties/status/computedValues/", "/properties/status/secrets/", "/properties/"];
  const values: Record<string, string> = {};
  for (const place of places) {
    for (const [pointer, value] of Object.entries(sealed)) {
      const rest = pointer.startsWith(place) ? pointer.slice(place.length) : "/";
      const [name] = jsonPointer.parts(`/${rest}`);
      if (name !== undefined && !rest.includes("/") && !Object.hasOwn(values, name)) {
        values[name] = typeof value === "string" ? value : JSON.stringify(value);
      }
    }
  }
  return values;
}
