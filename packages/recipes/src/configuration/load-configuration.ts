import { createHash } from "node:crypto";
import { type JsonObject, objectMember, ResourceId } from "@rad/core";
import type { ScopeResource } from "@rad/radius-types";
import type { ResourceAccess } from "@rad/resources";
import { type EnvironmentConfiguration, environmentConfiguration, settingsIdOf } from "./environment-configuration.ts";

/** @throws RecipeError `RecipeConfigurationFailure` */
export async function loadConfiguration(
  { asServer }: Pick<ResourceAccess, "asServer">,
  environment: ScopeResource,
  application: ScopeResource | undefined,
): Promise<EnvironmentConfiguration> {
  const id = settingsIdOf(environment);
  const document = id === undefined || ResourceId.tryParse(id) === undefined ? undefined : await asServer.get(id);
  const settings = document && objectMember(await document.parsed(), "properties");
  return environmentConfiguration(environment, application, settings);
}

/** Tells configurations apart. Settings have references to secrets, so it says nothing of a secret. */
export function configurationHash({ runtime, azureScope, awsScope, terraform }: EnvironmentConfiguration): string {
  const properties: JsonObject = terraform.kind === "none" ? {} : terraform.properties;
  const { provisioningState: _state, referencedBy: _references, ...settings } = properties;
  const parts = [runtime, azureScope ?? null, awsScope ?? null, terraform.kind, settings];
  return createHash("sha256")
    .update(JSON.stringify(parts, (_name, value: unknown) => sorted(value)))
    .digest("hex");
}

/** Members in the order of their names: what was written in another order is the same. */
function sorted(value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
    : value;
}
