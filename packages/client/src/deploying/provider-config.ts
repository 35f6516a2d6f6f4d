import { type JsonObject, objectMember, ResourceId } from "@rad/core";
import { DeployingError } from "./deploying-error.ts";
import type { ProviderScopes } from "./environment.ts";

/** Which scope each provider of a template deploys to, as deployment requests say it. */
export function providerConfig(scope: string, clouds: ProviderScopes): JsonObject {
  return {
    radius: { type: "Radius", value: { scope } },
    deployments: { type: "Microsoft.Resources", value: { scope } },
    ...(clouds.azure === undefined ? {} : { az: { type: "AzureResourceManager", value: { scope: clouds.azure } } }),
    ...(clouds.aws === undefined ? {} : { aws: { type: "AWS", value: { scope: clouds.aws } } }),
  };
}

/** The group in which a provider config places the deployment itself. @throws DeployingError `InvalidProviderConfig` */
export function deploymentScope(config: JsonObject): string {
  const { scope } = objectMember(objectMember(config, "deployments"), "value");
  if (typeof scope !== "string" || scope === "") {
    throw new DeployingError("InvalidProviderConfig", "The provider config has no scope at `deployments.value.scope`.");
  }
  return scope;
}

/** Without the slash that it may end with. @throws DeployingError `InvalidScope` unless it is a resource group's id */
export function checkScope(scope: string): string {
  const id = ResourceId.tryParse(scope);
  if (id?.kind !== "scope" || id.type !== "System.Resources/resourceGroups") {
    throw new DeployingError("InvalidScope", `"${scope}" is not the id of a resource group.`);
  }
  return id.toString();
}
