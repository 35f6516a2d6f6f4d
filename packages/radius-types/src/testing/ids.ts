import type { JsonObject } from "@rad/core";

/** The resource group that the bodies below refer to. */
const group = "/planes/radius/local/resourceGroups/app";

export function inGroup(typeAndName: string): string {
  return `${group}/providers/${typeAndName}`;
}

export const environmentId = inGroup("Applications.Core/environments/env");
export const applicationId = inGroup("Applications.Core/applications/shop");

/** What every type that a recipe implements may have. */
export const recipeBackedBody = {
  environment: environmentId,
  application: applicationId,
  connections: { cache: { source: inGroup("Radius.Data/redisCaches/cache"), disableDefaultEnvVars: true } },
  codeReference: "app.bicep#L1",
  recipe: { name: "default", parameters: { size: 1 } },
} as const satisfies JsonObject;
