import { ApiError, isBuiltInNamespace, jsonPointer, objectMember, ResourceId } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import type { ResourceAccess, SealedValues } from "@rad/resources";
import { environmentContext, objectNamespace } from "./contexts.ts";
import { loadRecipePacks } from "./environment-recipes.ts";
import { recordedOutputs } from "./output-resources.ts";
import type { ApplicationContext, Dependency, PublicEndpoint, RenderContext } from "./renderer.ts";

/** The resource whose context is loaded. */
interface Loaded {
  readonly id: ResourceId;
  readonly properties: JsonObject;
  /** Ids of the resources that its renderer has to know. */
  readonly dependencies: readonly string[];
  readonly publicEndpoint: PublicEndpoint | undefined;
}

/**
 * Reads what a renderer has to know beside the resource itself. The application and the environment are read on the
 * server's behalf; dependencies must be readable for the requester.
 * @throws ApiError when one of them does not exist.
 */
export async function loadContext(resources: ResourceAccess, resource: Loaded): Promise<RenderContext> {
  const application = await loadApplication(resources, resource);
  const environmentId =
    textMember(resource.properties, "environment") ?? textMember(application?.properties ?? {}, "environment");
  if (environmentId === undefined) {
    throw new ApiError("BadRequest", `application ID is not set for the resource "${resource.id.toString()}"`);
  }
  const found = await required(resources.asServer, environmentId);
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

async function loadApplication(
  resources: ResourceAccess,
  { properties }: Loaded,
): Promise<ApplicationContext | undefined> {
  const id = textMember(properties, "application");
  return id === undefined ? undefined : await required(resources.asServer, id);
}

async function loadDependency(resources: ResourceAccess, id: string): Promise<Dependency> {
  const found = await required(resources.asRequester, id);
  const status = objectMember(found.properties, "status");
  const sealed = await resources.asServer.secrets(found.id.toString());
  const secretValues = secretValuesOf(found.id, sealed);
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

/** @throws ApiError with the text that upstream has. */
async function required(
  reader: ResourceAccess["asServer"],
  id: string,
): Promise<{ readonly id: ResourceId; readonly properties: JsonObject }> {
  const document = ResourceId.tryParse(id) === undefined ? undefined : await reader.get(id);
  if (document === undefined) {
    throw new ApiError("BadRequest", `resource "${id}" does not exist`, { target: id });
  }
  return { id: ResourceId.parse(document.id), properties: objectMember(await document.parsed(), "properties") };
}

/** An empty text counts as absent. */
function textMember(properties: JsonObject, name: string): string | undefined {
  const value: JsonValue | undefined = properties[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
