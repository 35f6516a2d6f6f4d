import type { NewOperation } from "@rad/store";
import { type Answer, largeJsonAnswer } from "@rad/modules";
import type { ApiRequest } from "./api-request.ts";
import { asyncHeaders } from "./async-links.ts";
import {
  getResource,
  type ChangeDeps,
  deleteResource,
  putResource,
  retryAfterSeconds,
  runAction,
  type ServedType,
  shownText,
  shownWarnings,
} from "@rad/resources";
import { listResources } from "./list-resources.ts";
import { warningHeader } from "./warning-header.ts";
import type { ResourceVerbs } from "./resource-verbs.ts";

/**
 * The verbs every resource type shares. One change is one pass: read the body, load what is stored, check conditions
 * and state, let the type's handler object, write everything at once, answer.
 */
export class ResourceService implements ResourceVerbs {
  readonly #deps: ChangeDeps;

  constructor(deps: ChangeDeps) {
    this.#deps = deps;
  }

  async get(request: ApiRequest): Promise<Answer> {
    const found = await getResource(this.#deps, request);
    const text = shownText(this.#deps.store, found);
    const json = typeof text === "string" ? text : await text;
    const { etag } = found.document;
    const warning = found.type.handler.warnings === undefined ? {} : warningHeader(await shownWarnings(found));
    return { status: 200, headers: { ETag: etag, ...warning }, json };
  }

  list(request: ApiRequest, readable: (id: string) => boolean): Promise<Answer> {
    return listResources(this.#deps, request, readable);
  }

  async put(request: ApiRequest): Promise<Answer> {
    const { type, document, warnings, operation } = await putResource(this.#deps, request, {
      method: request.method === "PATCH" ? "PATCH" : "PUT",
    });
    const warning = warningHeader(warnings);
    const text = shownText(this.#deps.store, { type, document });
    const json = typeof text === "string" ? text : await text;
    return operation === undefined
      ? { status: 200, headers: { ETag: document.etag, ...warning }, json }
      : { status: 201, headers: { ...this.#asyncHeaders(request, type, operation), ...warning }, json };
  }

  async patch(request: ApiRequest): Promise<Answer> {
    const answer = await this.put(request);
    return answer.status === 201 ? { ...answer, status: 202 } : answer;
  }

  async delete(request: ApiRequest): Promise<Answer> {
    const result = await deleteResource(this.#deps, request, { force: request.parameter("force") === "true" });
    switch (result.kind) {
      case "absent":
        return { status: 204 };
      case "removed":
        return { status: 200 };
      case "accepted": {
        const { type, document, operation } = result;
        const headers = this.#asyncHeaders(request, type, operation);
        return type.policy.deleteShowsResource
          ? { status: 202, headers, json: document?.json ?? "" }
          : { status: 202, headers };
      }
      default:
        return result satisfies never;
    }
  }

  async action(request: ApiRequest): Promise<Answer> {
    return await largeJsonAnswer(200, await runAction(this.#deps, request));
  }

  #asyncHeaders(request: ApiRequest, type: ServedType, operation: NewOperation): Record<string, string> {
    return asyncHeaders({
      linkBase: request.linkBase,
      id: request.id,
      location: this.#deps.location,
      operationId: operation.id,
      apiVersion: request.apiVersion ?? "",
      retryAfterSeconds: retryAfterSeconds(type.policy, type.handler),
    });
  }
}
