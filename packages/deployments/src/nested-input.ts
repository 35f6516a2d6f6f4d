import { ApiError, objectMember } from "@rad/core";
import { defaultLimits, type DeploymentNode, type DeployRequest, type PlanNode } from "@rad/templates";
import type { DeploymentHost } from "./deployment-host.ts";
import type { DeploymentInput, InputOrigin } from "./deployment-input.ts";
import { pathWithin, templateViolation } from "./prepare-plan.ts";
import { readContentLink } from "./request/content-link.ts";
import { readParameterInputs } from "./request/parameter-inputs.ts";

/**
 * Fetches what a nested deployment names by link, so that it stands in the request.
 * @throws ApiError `InvalidContentLink` when the host is not allowed or does not answer.
 */
export async function followLinks(
  { linkHosts, limits }: Pick<DeploymentHost, "linkHosts" | "limits">,
  request: DeployRequest,
  { templatePath }: InputOrigin,
  signal?: AbortSignal,
): Promise<DeployRequest> {
  const { templateLink, parametersLink } = request;
  if (templateLink === undefined && parametersLink === undefined) {
    return request;
  }
  // Planning bounds how deep templates are nested in one another, but cannot look behind links.
  const depth = templatePath.split(".properties.template").length - 1;
  const maxDepth = limits.nesting ?? defaultLimits.nesting;
  if (depth > maxDepth) {
    throw new ApiError("InvalidTemplate", `Deployments nest at most ${maxDepth} levels deep.`, {
      target: request.id,
      additionalInfo: [templateViolation(templatePath)],
    });
  }
  const rules = { linkHosts, signal };
  const file = parametersLink && (await readContentLink(parametersLink, `${templatePath}: parametersLink`, rules));
  return {
    ...request,
    templateLink: undefined,
    parametersLink: undefined,
    template: templateLink ? await readContentLink(templateLink, `${templatePath}Link`, rules) : request.template,
    parameters: file ? readParameterInputs(objectMember(file, "parameters"), "parameters") : request.parameters,
  };
}

/** Whether a preview could not tell where a link of the nested deployment leads; `unknown` is what it reports. */
export function hasUnknownLink({ path }: DeploymentNode, unknown: readonly string[]): boolean {
  const links = [`${path}.properties.templateLink`, `${path}.properties.parametersLink`];
  return unknown.some((at) => links.some((link) => `${at}.`.startsWith(`${link}.`)));
}

/** What a nested deployment is asked to do. @throws ApiError `InvalidContentLink` when links were not followed. */
export function nestedInput(parent: DeploymentInput, request: DeployRequest, origin: InputOrigin): DeploymentInput {
  if (request.template === undefined || request.parametersLink !== undefined) {
    const link = request.template === undefined ? "templateLink" : "parametersLink";
    throw new ApiError("InvalidContentLink", `The ${link} of the nested deployment "${request.name}" was not read.`, {
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
    extensionSecrets: request.extensionSecrets,
    externalInputs: undefined,
    debugSetting: parent.debugSetting,
  };
}

/** Where the template of a nested deployment stands. */
export function nestedOrigin(node: PlanNode & { readonly path: string }, origin: InputOrigin): InputOrigin {
  return { templatePath: `${pathWithin(node.path, origin)}.properties.template` };
}
