import { ApiError, ResourceId } from "@rad/core";
import { operationType } from "@rad/deployments";
import type { Store } from "@rad/store";
import { concernsDeployments } from "../deployments/deployment-ids.ts";
import {
  type Caller,
  methodNotAllowed,
  notFound,
  requireScopes,
  retryAfterSeconds,
  type TypeModules,
} from "@rad/resources";
import type { Authorizer } from "../identity/index.ts";
import { listAllPlanes, listGroups, listPlanes, listTrackedResources, type Readable } from "../planes/plane-lists.ts";
import type { PlaneTable } from "../planes/plane-table.ts";
import { matchesEtag, summariesEtag } from "../registry/summaries-etag.ts";
import { answerIcon, findSummary, listSummaries, type VisibleTypes } from "../registry/registry-views.ts";
import type { OperationEvents } from "../api/operation-events/operation-events.ts";
import { answerOperation, findOperation, operationStatusId } from "../api/operation-statuses.ts";
import type { ResourceVerbs } from "../api/resource-verbs.ts";
import { type Answer, largeJsonAnswer } from "@rad/modules";
import type { ApiRequest } from "../api/api-request.ts";
import { readTop } from "../api/paging.ts";
import { prefersType } from "../api/prefers-type.ts";
import { type PreferredWaits, withWaitApplied } from "./preferred-wait.ts";
import type { RouteMatch } from "./route.ts";

export interface ApiRouterDeps {
  readonly store: Store;
  readonly resources: ResourceVerbs;
  readonly deployments: ResourceVerbs;
  readonly authorizer: Authorizer;
  readonly types: TypeModules;
  readonly planes: PlaneTable;
  readonly waits: PreferredWaits;
  readonly events: OperationEvents;
}

/** Upstream holds requests against OpenAPI documents before it looks at methods, and says so like this. */
const undefinedRoute = { code: "InvalidRequestContent", message: "failed to parse route: undefined route path" };

/** Brings a matched request to the code that answers it, after asking whether the caller may. */
export class ApiRouter {
  readonly #deps: ApiRouterDeps;

  constructor(deps: ApiRouterDeps) {
    this.#deps = deps;
  }

  async handle(match: RouteMatch, request: ApiRequest): Promise<Answer> {
    const { store, waits, events, authorizer } = this.#deps;
    const { route } = match;
    readTop(request);
    if (route.kind !== "resource" && route.kind !== "action") {
      if (request.method !== "GET" && request.method !== "HEAD") {
        throw methodNotAllowed(request.method, request.id, [undefinedRoute]);
      }
    }
    switch (route.kind) {
      case "planes":
        return await listAllPlanes(request, this.#deps, this.#readablePlanes(request.caller, match));
      case "planesOfType":
        return await listPlanes(request, store, this.#readable(request.caller, match));
      case "groups": {
        const readable = this.#readable(request.caller, match);
        await this.#require(request.id.planeScope);
        return await listGroups(request, store, readable);
      }
      case "trackedResources":
        return await this.#trackedResources(match, request);
      case "summaries":
        return await this.#summaries(match, request);
      case "summary":
        return await this.#summary(match, request, route.namespace);
      case "icon":
        this.#authorize(request.caller, match);
        return await answerIcon(store, route.typeId, route.hash);
      case "operation": {
        let operation = await findOperation(store, request.id, route.address);
        const { type } = ResourceId.parse(operation.resourceId);
        this.#authorize(request.caller, { permission: `${type}/read`, scope: operation.resourceId });
        if (
          route.address.view === "operationstatuses" &&
          request.method === "GET" &&
          prefersType(request.accept, "text/event-stream")
        ) {
          const readable = (id: string): boolean => authorizer.allows(request.caller, `${operationType}/read`, id);
          return events.follow(request, operation, operationStatusId(request.id, route.address, operation), readable);
        }
        if (request.waitSeconds !== undefined) {
          await waits.forOperation(request, operation.id);
          operation = await findOperation(store, request.id, route.address);
        }
        const { types } = this.#deps;
        const retryAfter = retryAfterSeconds(types.policyFor(type), types.get(type)?.handler);
        return withWaitApplied(request, answerOperation(request, route.address, operation, retryAfter));
      }
      case "collection": {
        const readable = this.#readable(request.caller, match);
        try {
          return await this.#verbs(request).list(request, (id) => readable(request.id.type, id));
        } catch (error) {
          throw await this.#cause(error, request.id);
        }
      }
      case "action":
        this.#authorize(request.caller, match);
        try {
          return await this.#verbs(request).action(request);
        } catch (error) {
          throw await this.#cause(error, request.id.truncate());
        }
      case "resource":
        this.#authorize(request.caller, match);
        try {
          return await this.#resource(request);
        } catch (error) {
          throw await this.#cause(error, request.id);
        }
      default:
        return route satisfies never;
    }
  }

  /** Reports a missing plane or group before a missing provider, as upstream does. */
  async #cause(error: unknown, id: ResourceId): Promise<unknown> {
    if (error instanceof ApiError && isProvided(id)) {
      await requireScopes(this.#deps.store, id);
    }
    return error;
  }

  async #resource(request: ApiRequest): Promise<Answer> {
    const verbs = this.#verbs(request);
    switch (request.method) {
      case "GET":
      case "HEAD":
        if (request.waitSeconds !== undefined) {
          await verbs.get(request); // a request that is to be refused is refused at once
          await this.#deps.waits.forResource(request);
        }
        return withWaitApplied(request, await verbs.get(request));
      case "PUT":
        return await verbs.put(request);
      case "PATCH":
        return await verbs.patch(request);
      case "DELETE":
        return await this.#deleted(request.id, await verbs.delete(request));
      default:
        throw methodNotAllowed(request.method, request.id);
    }
  }

  /** There was nothing to delete, which may be for want of the group. */
  async #deleted(id: ResourceId, answer: Answer): Promise<Answer> {
    if (answer.status === 204 && isProvided(id)) {
      await requireScopes(this.#deps.store, id);
    }
    return answer;
  }

  #verbs({ id }: ApiRequest): ResourceVerbs {
    return concernsDeployments(id) ? this.#deps.deployments : this.#deps.resources;
  }

  #authorize(caller: Caller, needed: { readonly permission: string; readonly scope: string }): void {
    if (!this.#deps.authorizer.allows(caller, needed.permission, needed.scope)) {
      throw forbidden(caller, needed);
    }
  }

  /** Lists are wider than many callers' permissions: those who may read something below see just that. */
  #readable(caller: Caller, needed: RouteMatch): Readable {
    const { authorizer } = this.#deps;
    if (authorizer.allows(caller, needed.permission, needed.scope)) {
      return () => true;
    }
    if (!authorizer.mayReadBelow(caller, needed.permission, needed.scope)) {
      throw forbidden(caller, needed);
    }
    return (type, id) => authorizer.allows(caller, `${type}/read`, id);
  }

  /** Planes of every type are in one list, so each is shown by its own type's permission. */
  #readablePlanes(caller: Caller, needed: RouteMatch): Readable {
    const { authorizer, planes } = this.#deps;
    if (![...planes].some(({ type }) => authorizer.mayReadBelow(caller, `${type}/read`, needed.scope))) {
      throw forbidden(caller, needed);
    }
    return (type, id) => authorizer.allows(caller, `${type}/read`, id);
  }

  /** A group's resources are of many types, so each is shown by its own type's permission. */
  async #trackedResources(match: RouteMatch, request: ApiRequest): Promise<Answer> {
    const { authorizer, store } = this.#deps;
    const readable: Readable = (type, id) => authorizer.allows(request.caller, `${type}/read`, id);
    const { answer, isEmpty } = await listTrackedResources(request, store, readable);
    if (isEmpty) {
      this.#authorize(request.caller, match);
      await this.#require(match.scope);
    }
    return answer;
  }

  /**
   * What a type looks like may be known to whoever may read a resource of it somewhere in the plane: without that
   * nobody whose role counts for one group could use any client.
   */
  #visibleTypes(caller: Caller, needed: RouteMatch): VisibleTypes {
    const { authorizer } = this.#deps;
    return authorizer.allows(caller, needed.permission, needed.scope)
      ? undefined
      : (type) => authorizer.mayReadBelow(caller, `${type}/read`, needed.scope);
  }

  async #summaries(match: RouteMatch, request: ApiRequest): Promise<Answer> {
    const { store } = this.#deps;
    const visible = this.#visibleTypes(request.caller, match);
    // Of the whole list, so it comes with its first page. Made before the list is read: an older one does no harm.
    const etag =
      request.parameter("skipToken") === undefined ? await summariesEtag(request, store, visible) : undefined;
    if (etag !== undefined && matchesEtag(request.ifNoneMatch, etag)) {
      return { status: 304, headers: { ETag: etag } };
    }
    const { answer, isEmpty } = await listSummaries(request, store, visible);
    if (isEmpty) {
      this.#authorize(request.caller, match);
      await this.#require(match.scope);
    }
    return etag === undefined ? answer : { ...answer, headers: { ...answer.headers, ETag: etag } };
  }

  async #summary(match: RouteMatch, request: ApiRequest, namespace: string): Promise<Answer> {
    const visible = this.#visibleTypes(request.caller, match);
    const summary = await findSummary(request, this.#deps.store, { namespace, visible });
    if (summary === undefined) {
      this.#authorize(request.caller, match);
      await this.#require(match.scope);
      throw new ApiError("NotFound", `the resource provider with name '${namespace}' was not found`);
    }
    return await largeJsonAnswer(200, summary);
  }

  async #require(scope: string): Promise<void> {
    if ((await this.#deps.store.get(scope)) === undefined) {
      throw notFound(ResourceId.parse(scope));
    }
  }
}

/** Planes, groups and registrations are the server's own. */
function isProvided(id: ResourceId): boolean {
  return id.provider !== undefined && !id.namespace.toLowerCase().startsWith("system.");
}

function forbidden(caller: Caller, needed: { readonly permission: string; readonly scope: string }): ApiError {
  return new ApiError("Forbidden", `'${caller.subject}' needs ${needed.permission} at '${needed.scope}'.`, {
    target: needed.scope,
  });
}
