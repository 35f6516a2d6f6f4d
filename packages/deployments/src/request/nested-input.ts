import type { JsonValue } from "@rad/core";
import type { DeployRequest } from "@rad/templates";
import type { DeploymentInput } from "../deployment-input.ts";
import { readContentLink, type LinkRules } from "./content-link.ts";
import { readLinkedParameters } from "./read-deployment-input.ts";
import { invalidDeployment } from "./request-shape.ts";

/**
 * The input of a nested deployment. It inherits the provider configuration of its parent, and its links are followed.
 * @throws ApiError as `readDeploymentInput` does
 */
export async function readNestedInput(
  request: DeployRequest,
  parent: Pick<DeploymentInput, "providerConfig" | "debugSetting">,
  rules: LinkRules,
): Promise<DeploymentInput> {
  const { name, location, tags, scopes, extensionConfigs, mode, parametersLink } = request;
  if (mode.toLowerCase() !== "incremental") {
    throw invalidDeployment("properties.mode", `The nested deployment "${name}" must have the mode "Incremental".`);
  }
  const linked =
    parametersLink === undefined ? {} : await readLinkedParameters(parametersLink, "properties.parametersLink", rules);
  return {
    name,
    location,
    tags,
    template: await readTemplate(request, rules),
    parameters: { ...linked, ...request.parameters },
    scopes,
    providerConfig: parent.providerConfig,
    extensionConfigs,
    externalInputs: undefined,
    debugSetting: parent.debugSetting,
  };
}

async function readTemplate({ name, template, templateLink }: DeployRequest, rules: LinkRules): Promise<JsonValue> {
  if (template !== undefined) {
    return template;
  }
  if (templateLink === undefined) {
    throw invalidDeployment("properties", `The nested deployment "${name}" needs a "template" or a "templateLink".`);
  }
  return await readContentLink(templateLink, "properties.templateLink", rules);
}
