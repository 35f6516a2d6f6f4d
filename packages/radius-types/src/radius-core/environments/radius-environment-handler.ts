import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ResourceHandler } from "@rad/resources";
import { claimNamespace } from "../../namespaces/claim-namespace.ts";
import { ensureNamespace, requireNamespace } from "../../namespaces/ensure-namespace.ts";
import type { TargetDeps } from "../../namespaces/target-deps.ts";
import { textMember } from "../../rendering/members.ts";
import { isLabel } from "../../rendering/names.ts";
import { checkIdentity } from "../../shapes/check-identity.ts";

/**
 * A namespace that `providers.kubernetes` names is one that somebody else made; that of `compute` is created when it is
 * missing, as for environments of `Applications.Core`.
 */
export function radiusEnvironmentHandler(deps: TargetDeps): ResourceHandler {
  return {
    validate: async (request) => {
      const { properties } = request;
      checkIdentity(objectMember(objectMember(properties, "compute"), "identity"), "$.properties.compute.identity");
      const azure = objectMember(objectMember(properties, "providers"), "azure");
      checkIdentity(objectMember(azure, "identity"), "$.properties.providers.azure.identity");
      const namespace = namespaceOf(properties);
      if (namespace === undefined) {
        return undefined;
      }
      if (!isLabel(namespace)) {
        throw new ApiError(
          "BadRequest",
          `'${namespace}' cannot name a namespace: such a name has at most 63 lower-case letters, digits and hyphens, ` +
            "and starts and ends with a letter or digit.",
          { target: "$.properties.providers.kubernetes.namespace" },
        );
      }
      return await claimNamespace(request, { namespace, what: "Environment", namespaceOf });
    },
    put: async ({ properties, signal }) => {
      const namespace = namespaceOf(properties);
      if (namespace !== undefined && properties["simulated"] !== true) {
        const isOurs = textMember(objectMember(properties, "compute"), "namespace") !== undefined;
        await (isOurs ? ensureNamespace : requireNamespace)(await deps.target(), namespace, { signal });
      }
    },
  };
}

/** `compute` is another way to write it; an empty one is the cluster's default, which environments may share. */
function namespaceOf(properties: JsonObject): string | undefined {
  const provider = objectMember(objectMember(properties, "providers"), "kubernetes");
  return textMember(provider, "namespace") ?? textMember(objectMember(properties, "compute"), "namespace");
}
