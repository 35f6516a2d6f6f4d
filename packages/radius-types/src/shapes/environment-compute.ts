import type { JsonObject } from "@rad/core";
import { identitySettings } from "./identity.ts";
import { text, variants } from "./schema-parts.ts";

/** An RFC 1123 label, as the names of Kubernetes namespaces are. */
const namespacePattern = "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$";

export function environmentCompute(description: string): JsonObject {
  return variants({
    description,
    by: "kind",
    byDescription: "Where containers run.",
    common: {
      resourceId: text("The resource id of the compute platform, where it has one."),
      identity: identitySettings("The identity that the workloads of the environment use."),
    },
    variants: {
      kubernetes: {
        description: "A Kubernetes cluster.",
        properties: {
          namespace: text("The namespace that resources are created in.", {
            pattern: namespacePattern,
            example: "default",
          }),
        },
        required: ["namespace"],
      },
      aci: {
        description: "Azure Container Instances.",
        properties: { resourceGroup: text("The id of the Azure resource group that container groups are created in.") },
      },
    },
  });
}
