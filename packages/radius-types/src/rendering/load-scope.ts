import { ApiError, objectMember, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ResourceAccess, ResourceReader } from "@rad/resources";
import { textMember } from "./members.ts";

export interface FoundResource {
  readonly id: ResourceId;
  readonly properties: JsonObject;
}

/** What a resource belongs to. */
export interface Scope {
  readonly application: FoundResource | undefined;
  /** Its own, or else its application's. */
  readonly environment: FoundResource | undefined;
}

/**
 * Reads the application and the environment of a resource. The requester must be allowed to read what the resource
 * names. Containers can read the Secrets of their namespace, so an application of another group is only for those who
 * may list its secrets. The environment of an application needs no permission: the author of the application had it.
 * @throws ApiError when one does not exist, or is not for the requester.
 */
export async function loadScope(resources: ResourceAccess, { id, properties }: FoundResource): Promise<Scope> {
  const applicationId = textMember(properties, "application");
  const application =
    applicationId === undefined ? undefined : await requiredResource(resources.asRequester, applicationId);
  if (application !== undefined && groupOf(application.id) !== groupOf(id)) {
    await resources.asRequester.secrets(application.id.toString());
  }
  const own = textMember(properties, "environment");
  const inherited = textMember(application?.properties ?? {}, "environment");
  const environmentId = own ?? inherited;
  if (environmentId === undefined) {
    return { application, environment: undefined };
  }
  const isInherited = environmentId.toLowerCase() === inherited?.toLowerCase();
  const reader = isInherited ? resources.asServer : resources.asRequester;
  return { application, environment: await requiredResource(reader, environmentId) };
}

/** @throws ApiError with the text that upstream has. */
export async function requiredResource(reader: ResourceReader, id: string): Promise<FoundResource> {
  const document = ResourceId.tryParse(id) === undefined ? undefined : await reader.get(id);
  if (document === undefined) {
    throw new ApiError("BadRequest", `resource "${id}" does not exist`, { target: id });
  }
  return { id: ResourceId.parse(document.id), properties: objectMember(await document.parsed(), "properties") };
}

function groupOf({ rootScope }: ResourceId): string {
  return rootScope.toLowerCase();
}
