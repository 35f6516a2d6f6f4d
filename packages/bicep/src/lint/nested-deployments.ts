import { settingsOf } from "../emit/settings.ts";
import type { ResourceInfo, SemanticModel } from "../semantics/index.ts";
import { propertyAt, textOf } from "./objects.ts";

/** Whether a resource is a deployment that is written out rather than a module. */
export function isDeployment(info: ResourceInfo): boolean {
  return info.isAzure && info.reference?.type.toLowerCase() === "microsoft.resources/deployments";
}

/** Whether the expressions of a nested template are evaluated inside of it, where this file's names mean nothing. */
export function isInnerScoped(model: SemanticModel, info: ResourceInfo): boolean {
  const scope = propertyAt(info.body, "properties", "expressionEvaluationOptions", "scope")?.value;
  return textOf(scope)?.toLowerCase() === "inner" || settingsOf(model).symbolicNames;
}
