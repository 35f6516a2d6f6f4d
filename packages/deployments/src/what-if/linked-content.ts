import type { DeployRequest } from "@rad/templates";
import type { DeploymentHost } from "../deployment-host.ts";
import type { InputOrigin } from "../deployment-input.ts";
import { followLinks } from "../nested-input.ts";

/**
 * Reads what is behind the links of nested deployments, each once, so that it cannot be something else the second time.
 * It is kept by place: how deep links lead is checked when they are followed, and the same link further in is another
 * step.
 */
export class LinkedContent {
  readonly #host: DeploymentHost;
  readonly #signal: AbortSignal;
  readonly #read = new Map<string, Promise<DeployRequest>>();

  constructor(host: DeploymentHost, signal: AbortSignal) {
    this.#host = host;
    this.#signal = signal;
  }

  /** @throws ApiError `InvalidContentLink` */
  async follow(request: DeployRequest, origin: InputOrigin): Promise<DeployRequest> {
    const { templateLink, parametersLink } = request;
    if (templateLink === undefined && parametersLink === undefined) {
      return request;
    }
    const key = `${origin.templatePath} ${JSON.stringify([templateLink, parametersLink])}`;
    const reading = this.#read.get(key) ?? followLinks(this.#host, request, origin, this.#signal);
    this.#read.set(key, reading);
    const { template, parameters } = await reading;
    return {
      ...request,
      templateLink: undefined,
      parametersLink: undefined,
      template: templateLink === undefined ? request.template : template,
      parameters: parametersLink === undefined ? request.parameters : parameters,
    };
  }
}
