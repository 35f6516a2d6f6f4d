import { objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ResourceHandler } from "@rad/resources";
import { claimNamespace } from "../../namespaces/claim-namespace.ts";
import { ensureNamespace } from "../../namespaces/ensure-namespace.ts";
import type { TargetDeps } from "../../namespaces/target-deps.ts";
import { textMember } from "../../rendering/members.ts";
import { checkIdentity } from "../../shapes/check-identity.ts";

/** Gives every environment in Kubernetes a namespace of its own. Namespaces outlive their environments. */
export function environmentHandler(deps: TargetDeps): ResourceHandler {
  return {
    validate: async (request) => {
      const { properties } = request;
      checkIdentity(objectMember(objectMember(properties, "compute"), "identity"), "$.properties.compute.identity");
      const namespace = namespaceOf(properties);
      return namespace === undefined
        ? undefined
        : await claimNamespace(request, { namespace, what: "Environment", namespaceOf });
    },
    put: async ({ properties, signal }) => {
      const namespace = namespaceOf(properties);
      if (namespace !== undefined && properties["simulated"] !== true) {
        await ensureNamespace(await deps.target(), namespace, { signal });
      }
    },
  };
}

/** Environments elsewhere have none. */
function namespaceOf(properties: JsonObject): string | undefined {
  const compute = objectMember(properties, "compute");
  return compute["kind"] === "kubernetes" ? textMember(compute, "namespace") : undefined;
}
