import type { JsonObject } from "@rad/core";

export const deploymentsVersion = "api-version=2020-10-01";

interface TemplateParts {
  readonly parameters?: JsonObject;
  readonly variables?: JsonObject;
  readonly resources?: JsonObject;
  readonly outputs?: JsonObject;
}

/** A template as the compiler writes it for a file with `extension radius`. */
export function radiusTemplate({ resources = {}, ...parts }: TemplateParts = {}): JsonObject {
  return {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.1-experimental",
    contentVersion: "1.0.0.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    ...parts,
    resources,
  };
}

interface ResourceParts {
  readonly properties?: JsonObject;
  readonly tags?: JsonObject;
  readonly dependsOn?: string[];
  readonly condition?: boolean | string;
}

/** `resource x 'type@version' = { name … properties … }` */
export function radiusResource(type: string, name: string, parts: ResourceParts = {}): JsonObject {
  const { properties = {}, tags, ...around } = parts;
  return {
    ...around,
    import: "radius",
    type,
    properties: { name, location: "global", ...(tags === undefined ? {} : { tags }), properties },
  };
}

interface ModuleParts {
  readonly parameters?: JsonObject;
  readonly dependsOn?: string[];
}

/** `module x './file.bicep' = { name … params … }` */
export function moduleResource(name: string, template: JsonObject, parts: ModuleParts = {}): JsonObject {
  const { parameters = {}, dependsOn = [] } = parts;
  return {
    type: "Microsoft.Resources/deployments",
    apiVersion: "2022-09-01",
    name,
    dependsOn,
    properties: {
      expressionEvaluationOptions: { scope: "inner" },
      mode: "Incremental",
      parameters,
      template,
    },
  };
}
