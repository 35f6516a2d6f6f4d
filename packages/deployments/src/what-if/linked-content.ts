import type { JsonObject } from "@rad/core";
import type { DeployRequest } from "@rad/templates";
import type { DeploymentInput, InputOrigin } from "../deployment-input.ts";

/**
 * What was read behind the links of nested deployments, so that it is fetched once and cannot be something else the
 * second time. It is kept by place: how deep links lead is checked when they are followed, and the same link further
 * in is another step.
 */
export class LinkedContent {
  readonly #templates = new Map<string, DeploymentInput["template"]>();
  readonly #parameters = new Map<string, DeploymentInput["parameters"]>();

  /** `input` is what became of the request when its links were followed. */
  keep({ templateLink, parametersLink }: DeployRequest, origin: InputOrigin, input: DeploymentInput): void {
    if (templateLink !== undefined) {
      this.#templates.set(keyOf(templateLink, origin), input.template);
    }
    if (parametersLink !== undefined) {
      this.#parameters.set(keyOf(parametersLink, origin), input.parameters);
    }
  }

  /** The request without those links that need not be followed any more. */
  fill(request: DeployRequest, origin: InputOrigin): DeployRequest {
    const { templateLink, parametersLink } = request;
    const template = templateLink && this.#templates.get(keyOf(templateLink, origin));
    const parameters = parametersLink && this.#parameters.get(keyOf(parametersLink, origin));
    return {
      ...request,
      ...(template === undefined ? {} : { template, templateLink: undefined }),
      ...(parameters === undefined ? {} : { parameters, parametersLink: undefined }),
    };
  }
}

function keyOf(link: JsonObject, { templatePath }: InputOrigin): string {
  return `${templatePath} ${JSON.stringify(link)}`;
}
