import { ApiError } from "@rad/core";
import type { DeployRequest, PlanNode } from "@rad/templates";
import type { DeploymentInput, InputOrigin } from "./deployment-input.ts";
import { pathWithin, templateViolation } from "./prepare-plan.ts";

/** What a nested deployment is asked to do. @throws ApiError `InvalidContentLink` when its template is elsewhere. */
export function nestedInput(parent: DeploymentInput, request: DeployRequest, origin: InputOrigin): DeploymentInput {
  const link = request.parametersLink === undefined ? "templateLink" : "parametersLink";
  if (request.template === undefined || request.parametersLink !== undefined) {
    throw new ApiError("InvalidContentLink", `The nested deployment "${request.name}" uses a ${link}; put it inline.`, {
      target: request.id,
      additionalInfo: [templateViolation(origin.templatePath)],
    });
  }
  return {
    name: request.name,
    location: request.location ?? parent.location,
    tags: request.tags,
    template: request.template,
    parameters: request.parameters,
    scopes: request.scopes,
    providerConfig: parent.providerConfig,
    extensionConfigs: request.extensionConfigs,
    externalInputs: undefined,
    debugSetting: parent.debugSetting,
  };
}

/** Where the template of a nested deployment stands. */
export function nestedOrigin(node: PlanNode & { readonly path: string }, origin: InputOrigin): InputOrigin {
  return { templatePath: `${pathWithin(node.path, origin)}.properties.template` };
}
