import { ApiError, objectMember, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ResourceHandler, ResourceReader, ValidateRequest } from "@rad/resources";
import { claimNamespace, namespaceTaken } from "../../namespaces/claim-namespace.ts";
import { ensureNamespace } from "../../namespaces/ensure-namespace.ts";
import type { TargetDeps } from "../../namespaces/target-deps.ts";
import { environmentContext, namespaceOfApplication } from "../../rendering/contexts.ts";
import { extensionOf } from "../../rendering/extensions.ts";
import { textMember } from "../../rendering/members.ts";
import { isLabel } from "../../rendering/names.ts";

const environmentType = "Applications.Core/environments";

/** Gives every application in Kubernetes a namespace of its own, and records it in `status.compute`. */
export function applicationHandler(deps: TargetDeps): ResourceHandler {
  return {
    validate: async (request) => {
      const place = await placeOf(request.id, request.properties, request.resources);
      if (place === undefined) {
        return undefined;
      }
      const { namespace } = place;
      checkName(namespace, request.properties);
      refuseMove(request, namespace);
      await refuseNamespaceOfEnvironment(request, namespace);
      return await claimNamespace(request, { namespace, what: "Application", namespaceOf: recordedNamespace });
    },
    put: async ({ id, properties, status, resources, signal }) => {
      const place = await placeOf(id, properties, resources.asRequester);
      if (place === undefined) {
        return undefined;
      }
      const { namespace, isSimulated } = place;
      if (!isSimulated) {
        await ensureNamespace(await deps.target(), namespace, { signal });
      }
      return {
        kind: "done",
        properties: { ...properties, status: { ...status, compute: { kind: "kubernetes", namespace } } },
      };
    },
  };
}

interface Place {
  readonly namespace: string;
  readonly isSimulated: boolean;
}

/** Where the application's objects go; `undefined` when its environment is not in Kubernetes. @throws ApiError without an environment. */
async function placeOf(id: ResourceId, properties: JsonObject, resources: ResourceReader): Promise<Place | undefined> {
  const environmentId = textMember(properties, "environment") ?? "";
  const document = ResourceId.tryParse(environmentId) === undefined ? undefined : await resources.get(environmentId);
  if (document === undefined) {
    throw new ApiError("BadRequest", `The environment '${environmentId}' does not exist. Create it first.`, {
      target: "$.properties.environment",
    });
  }
  const found = objectMember(await document.parsed(), "properties");
  const { kind } = objectMember(found, "compute");
  if (kind !== undefined && kind !== "kubernetes") {
    return undefined;
  }
  const environment = environmentContext(ResourceId.parse(document.id), found);
  return {
    namespace: namespaceOfApplication(environment, { id, properties }),
    isSimulated: found["simulated"] === true,
  };
}

function checkName(namespace: string, properties: JsonObject): void {
  if (isLabel(namespace)) {
    return;
  }
  const rule =
    "a namespace has at most 63 lower-case letters, digits and hyphens, and starts and ends with a letter or digit";
  if (textMember(extensionOf(properties, "kubernetesNamespace") ?? {}, "namespace") === undefined) {
    throw new ApiError(
      "BadRequest",
      `Application namespace '${namespace}' could not be created: ${rule}. ` +
        "Use a shorter name, or name the namespace in an extension of the kind 'kubernetesNamespace'.",
    );
  }
  throw new ApiError(
    "BadRequest",
    `The extension 'kubernetesNamespace' of the application names '${namespace}', which is not valid: ${rule}.`,
    { target: "$.properties.extensions" },
  );
}

function refuseMove({ current }: ValidateRequest, namespace: string): void {
  const before = current === undefined ? undefined : recordedNamespace(objectMember(current.body, "properties"));
  if (before !== undefined && before !== namespace) {
    throw new ApiError(
      "BadRequest",
      `Updating an application's Kubernetes namespace from '${before}' to '${namespace}' requires the application to be ` +
        "deleted and redeployed. Please delete your application and try again.",
    );
  }
}

async function refuseNamespaceOfEnvironment({ id, resources }: ValidateRequest, namespace: string): Promise<void> {
  const { items } = await resources.list({ type: environmentType, under: id.rootScope, directly: true });
  for (const environment of items) {
    const compute = objectMember(objectMember(await environment.parsed(), "properties"), "compute");
    if (compute["namespace"] === namespace) {
      throw namespaceTaken("Environment", environment.id, namespace);
    }
  }
}

function recordedNamespace(properties: JsonObject): string | undefined {
  return textMember(objectMember(objectMember(properties, "status"), "compute"), "namespace");
}
