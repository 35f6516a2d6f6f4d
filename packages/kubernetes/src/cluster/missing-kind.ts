import { ApiError } from "@rad/core";

/** What brings the kinds of a group, for those that our own resource types render. */
const installable: Readonly<Record<string, string>> = {
  "projectcontour.io": "Install Contour (https://projectcontour.io), which gateways need.",
  "dapr.io": "Install Dapr (https://dapr.io), which Dapr building blocks need.",
  "secrets-store.csi.x-k8s.io":
    "Install the Secrets Store CSI Driver (https://secrets-store-csi-driver.sigs.k8s.io), which volumes of secrets need.",
  "gateway.networking.k8s.io": "Install the Gateway API (https://gateway-api.sigs.k8s.io), which routes need.",
};

/** An object of a kind that the cluster does not have. */
export function missingKind(subject: string, apiVersion: string, kind: string, cluster: string): ApiError {
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  const advice = installable[group] ?? "Install its CustomResourceDefinition, or correct apiVersion and kind.";
  return new ApiError("BadRequest", `${subject}: ${cluster} does not serve ${kind} of ${apiVersion}. ${advice}`);
}
