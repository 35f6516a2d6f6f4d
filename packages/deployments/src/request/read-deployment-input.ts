import { ApiError, inSlices, type JsonObject, type JsonValue, type ResourceId } from "@rad/core";
import { Budget, parseJsonPausing, sliced, TemplateError, toMeasuredJson, type ParameterInput } from "@rad/templates";
import type { DeploymentHost } from "../deployment-host.ts";
import type { DeploymentInput } from "../deployment-input.ts";
import { readContentLink, type LinkRules } from "./content-link.ts";
import { checkDeploymentName } from "./deployment-name.ts";
import { readParameterInputs } from "./parameter-inputs.ts";
import { readProviderScopes } from "./provider-scopes.ts";
import {
  asObject,
  invalidDeployment,
  memberOf,
  optionalObject,
  optionalText,
  refuseTwins,
  wrongShape,
} from "./request-shape.ts";

export interface DeploymentRequest {
  /** The id of the deployment itself. */
  readonly id: ResourceId;
  readonly body: JsonValue | undefined;
  /** Ends the download of what links name. Made on demand, since few have any. */
  readonly signal?: () => AbortSignal;
}

/**
 * Reads the body of a PUT, of `validate` or of `whatIf`. Links are followed, so that the result is all that planning
 * needs.
 * @throws ApiError `InvalidRequestContent` for a wrong shape, `InvalidDeployment` for what we do not do,
 * `InvalidContentLink` for a link, `InvalidTemplate` for a text that is no template.
 */
export async function readDeploymentInput(
  request: DeploymentRequest,
  host: Pick<DeploymentHost, "linkHosts">,
): Promise<DeploymentInput> {
  const { id } = request;
  const body = asObject(request.body, "body");
  const properties = asObject(memberOf(body, "properties"), "properties");
  refuseTwins(body, "body");
  refuseTwins(properties, "properties");
  checkDeploymentName(id.name);
  checkMode(properties);
  const providerConfig = optionalObject(properties, "providerconfig", "properties");
  const links: LinkRules = {
    linkHosts: host.linkHosts,
    get signal() {
      return request.signal?.();
    },
  };
  return {
    name: id.name,
    location: optionalText(body, "location", "body"),
    tags: readTags(body),
    scopes: readProviderScopes(providerConfig, id),
    providerConfig,
    extensionConfigs: readExtensionConfigs(properties),
    externalInputs: readExternalInputs(properties),
    debugSetting: readDebugSetting(properties),
    parameters: await readParameters(properties, links),
    template: await readTemplate(properties, links),
  };
}

function checkMode(properties: JsonObject): void {
  const mode = optionalText(properties, "mode", "properties");
  if (mode !== undefined && mode.toLowerCase() !== "incremental") {
    const message = `Deployments run in mode "Incremental" only, not "${mode}": what a template does not mention is never deleted.`;
    throw invalidDeployment("properties.mode", message);
  }
  if (memberOf(properties, "onErrorDeployment") !== undefined) {
    const message = `"onErrorDeployment" is not supported: deploy the earlier template again instead.`;
    throw invalidDeployment("properties.onErrorDeployment", message);
  }
}

function readTags(body: JsonObject): JsonObject | undefined {
  const tags = optionalObject(body, "tags", "body");
  for (const [name, value] of Object.entries(tags ?? {})) {
    if (typeof value !== "string") {
      throw wrongShape(`body.tags.${name}`, "a string", value);
    }
  }
  return tags;
}

async function readTemplate(properties: JsonObject, rules: LinkRules): Promise<JsonValue> {
  const template = memberOf(properties, "template");
  const link = optionalObject(properties, "templateLink", "properties");
  if (template !== undefined && link !== undefined) {
    throw invalidDeployment("properties", `A deployment has a "template" or a "templateLink", not both.`);
  }
  if (link !== undefined) {
    return readContentLink(link, "properties.templateLink", rules);
  }
  if (template === undefined) {
    throw invalidDeployment("properties", `A deployment needs a "template" or a "templateLink".`);
  }
  return typeof template === "string" ? await parseTemplate(template) : asObject(template, "properties.template");
}

async function parseTemplate(text: string): Promise<JsonObject> {
  try {
    const budget = new Budget();
    const value = await inSlices(sliced(parseJsonPausing(text, budget)));
    return asObject(await inSlices(sliced(toMeasuredJson(value, Infinity, budget))), "properties.template");
  } catch (error) {
    if (error instanceof TemplateError) {
      const message = `Deployment template validation failed: the text cannot be read. ${error.message}`;
      throw new ApiError("InvalidTemplate", message, { target: "properties.template", cause: error });
    }
    throw error;
  }
}

async function readParameters(
  properties: JsonObject,
  rules: LinkRules,
): Promise<Readonly<Record<string, ParameterInput>>> {
  const parameters = readParameterInputs(memberOf(properties, "parameters"), "properties.parameters");
  const link = optionalObject(properties, "parametersLink", "properties");
  if (link === undefined) {
    return parameters;
  }
  if (Object.keys(parameters).length > 0) {
    throw invalidDeployment("properties", `A deployment has "parameters" or a "parametersLink", not both.`);
  }
  const file = await readContentLink(link, "properties.parametersLink", rules);
  return readParameterInputs(memberOf(file, "parameters"), "parameters");
}

/** Alias → property → `{value}` or `{keyVaultReference}`; the plan looks at the properties. */
function readExtensionConfigs(properties: JsonObject): JsonObject | undefined {
  const path = "properties.extensionConfigs";
  const configs = optionalObject(properties, "extensionConfigs", "properties");
  for (const [alias, config] of Object.entries(configs ?? {})) {
    for (const [name, value] of Object.entries(asObject(config, `${path}.${alias}`))) {
      asObject(value, `${path}.${alias}.${name}`);
    }
  }
  return configs;
}

function readExternalInputs(properties: JsonObject): Record<string, JsonValue> | undefined {
  const path = "properties.externalInputs";
  const inputs = optionalObject(properties, "externalInputs", "properties");
  if (inputs === undefined) {
    return undefined;
  }
  const values = Object.entries(inputs).map(([key, input]): [string, JsonValue] => {
    const value = asObject(input, `${path}.${key}`)["value"];
    if (value === undefined) {
      throw wrongShape(`${path}.${key}.value`, "a value", value);
    }
    return [key, value];
  });
  return Object.fromEntries(values);
}

const detailLevels = new Set(["none", "requestcontent", "responsecontent"]);

function readDebugSetting(properties: JsonObject): JsonObject | undefined {
  const setting = optionalObject(properties, "debugSetting", "properties");
  const path = "properties.debugSetting";
  const level = setting === undefined ? undefined : optionalText(setting, "detailLevel", path);
  const parts = level?.split(",").map((part) => part.trim().toLowerCase()) ?? [];
  if (parts.some((part) => !detailLevels.has(part))) {
    const message = `"${path}.detailLevel" must be "none", "requestContent", "responseContent" or both of these, not "${level}".`;
    throw invalidDeployment(`${path}.detailLevel`, message);
  }
  return setting;
}
