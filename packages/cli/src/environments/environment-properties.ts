import type { JsonObject } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core/json";
import { CliError } from "../cli-error.ts";
import type { EnvironmentSettings } from "./environment-settings.ts";

/** Only the control plane writes these. */
const readOnly = ["provisioningState", "status", "systemData"];

/** The properties of a resource that can be sent back. */
export function writableProperties(resource: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(objectMember(resource, "properties")).filter(([key]) => !readOnly.includes(key)),
  );
}

/** Of an environment of `Applications.Core`, which stores clouds as scopes. @throws CliError */
export function legacyProperties(before: JsonObject, settings: EnvironmentSettings): JsonObject {
  const { namespace, azure, aws } = settings;
  const compute = objectMember(before, "compute");
  const kind = compute["kind"] ?? "kubernetes";
  if (namespace !== undefined && kind !== "kubernetes") {
    throw new CliError(
      "NotKubernetes",
      `The environment's compute is of the kind ${JSON.stringify(kind)}, which has no Kubernetes namespace.`,
    );
  }
  return withProviders(
    { ...before, ...(namespace === undefined ? {} : { compute: { ...compute, kind: "kubernetes", namespace } }) },
    {
      azure: isJsonObject(azure)
        ? { scope: `/subscriptions/${azure.subscriptionId}/resourceGroups/${azure.resourceGroupName}` }
        : azure,
      aws: isJsonObject(aws) ? { scope: `/planes/aws/aws/accounts/${aws.accountId}/regions/${aws.region}` } : aws,
    },
  );
}

/** Of an environment of `Radius.Core`. One without any provider gets the namespace `default`, unless that was cleared. */
export function previewProperties(
  before: JsonObject,
  settings: EnvironmentSettings,
  recipePacks: readonly string[] | undefined,
): JsonObject {
  const { namespace, azure, aws } = settings;
  const kept = objectMember(before, "providers");
  const after = withProviders(before, {
    kubernetes: typeof namespace !== "string" ? namespace : { ...objectMember(kept, "kubernetes"), namespace },
    azure: isJsonObject(azure) ? { ...objectMember(kept, "azure"), ...azure } : azure,
    aws: isJsonObject(aws) ? { ...objectMember(kept, "aws"), ...aws } : aws,
  });
  const isWithout = Object.keys(objectMember(after, "providers")).length === 0 && namespace !== null;
  return {
    ...after,
    ...(isWithout ? { providers: { kubernetes: { namespace: "default" } } } : {}),
    ...(recipePacks === undefined ? {} : { recipePacks: [...recipePacks] }),
  };
}

type ProviderChange = JsonObject | null | undefined;

function withProviders(properties: JsonObject, changes: Readonly<Record<string, ProviderChange>>): JsonObject {
  const given = Object.entries(changes).filter(([, change]) => change !== undefined);
  if (given.length === 0) {
    return properties;
  }
  const providers: JsonObject = { ...objectMember(properties, "providers") };
  for (const [name, change] of given) {
    if (isJsonObject(change)) {
      providers[name] = change;
    } else {
      delete providers[name];
    }
  }
  return { ...properties, providers };
}
