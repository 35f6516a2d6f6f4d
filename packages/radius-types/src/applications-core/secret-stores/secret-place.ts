import { ApiError, objectMember, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ObjectName } from "@rad/kubernetes";
import type { ResourceReader } from "@rad/resources";
import { environmentContext, objectNamespace } from "../../rendering/contexts.ts";
import { textMember } from "../../rendering/members.ts";
import { subdomainName } from "../../rendering/names.ts";

/** Where the Secret behind a store is. */
export interface SecretPlace {
  readonly namespace: string;
  readonly name: string;
  /** The store belongs to an application or an environment; a global one belongs to neither. */
  readonly isBound: boolean;
  /** The author named the Secret. */
  readonly isNamed: boolean;
  readonly applicationName: string | undefined;
  readonly isSimulated: boolean;
}

/** @param controlPlaneNamespace for global stores that name no other. */
export async function secretPlace(
  { id, properties }: { readonly id: ResourceId; readonly properties: JsonObject },
  resources: ResourceReader,
  controlPlaneNamespace: string,
): Promise<SecretPlace> {
  const scope = await scopeOf(properties, resources);
  const resource = textMember(properties, "resource");
  const [name = "", namespace] = (resource ?? "").split("/").toReversed();
  return {
    namespace: namespace ?? scope?.namespace ?? controlPlaneNamespace,
    name: resource === undefined ? subdomainName(id.name, "The secret store name") : name,
    isBound: scope !== undefined,
    isNamed: resource !== undefined,
    applicationName: scope?.applicationName,
    isSimulated: scope?.isSimulated === true,
  };
}

export function secretName({ namespace, name }: Pick<SecretPlace, "namespace" | "name">): ObjectName {
  return { group: "", kind: "Secret", namespace, name };
}

interface Scope {
  readonly namespace: string;
  readonly applicationName: string | undefined;
  readonly isSimulated: boolean;
}

async function scopeOf(properties: JsonObject, resources: ResourceReader): Promise<Scope | undefined> {
  const applicationId = textMember(properties, "application");
  const application = applicationId === undefined ? undefined : await required(resources, applicationId);
  const environmentId =
    textMember(properties, "environment") ?? textMember(application?.properties ?? {}, "environment");
  if (environmentId === undefined) {
    return undefined;
  }
  const found = await required(resources, environmentId);
  const environment = environmentContext(found.id, found.properties);
  return {
    namespace: objectNamespace(environment, application),
    applicationName: application?.id.name,
    isSimulated: found.properties["simulated"] === true,
  };
}

async function required(
  resources: ResourceReader,
  id: string,
): Promise<{ readonly id: ResourceId; readonly properties: JsonObject }> {
  const document = ResourceId.tryParse(id) === undefined ? undefined : await resources.get(id);
  if (document === undefined) {
    throw new ApiError("BadRequest", `resource "${id}" does not exist`, { target: id });
  }
  return { id: ResourceId.parse(document.id), properties: objectMember(await document.parsed(), "properties") };
}
