import type { JsonObject, ResourceId } from "@rad/core";
import type { ObjectName } from "@rad/kubernetes";
import type { ResourceAccess } from "@rad/resources";
import { environmentContext, objectNamespace } from "../../rendering/contexts.ts";
import { loadScope } from "../../rendering/load-scope.ts";
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
  resources: ResourceAccess,
  controlPlaneNamespace: string,
): Promise<SecretPlace> {
  const scope = scopeOf(await loadScope(resources, { id, properties }));
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

function scopeOf({ application, environment: found }: Awaited<ReturnType<typeof loadScope>>): Scope | undefined {
  if (found === undefined) {
    return undefined;
  }
  const environment = environmentContext(found.id, found.properties);
  return {
    namespace: objectNamespace(environment, application),
    applicationName: application?.id.name,
    isSimulated: found.properties["simulated"] === true,
  };
}
