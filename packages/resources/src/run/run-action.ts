import { ApiError, type JsonValue, type ResourceId } from "@rad/core";
import type { ResourceRequest } from "../resource-request.ts";
import { intent } from "../audit.ts";
import type { ChangeDeps } from "../change-deps.ts";
import { ChangeTrail } from "../change-trail.ts";
import { methodNotAllowed } from "../method-not-allowed.ts";
import { requestContext } from "../handling/request-context.ts";
import { resourceNotFound } from "../scopes.ts";

/** `POST {resource}/{action}` */
export async function runAction(deps: ChangeDeps, request: ResourceRequest): Promise<JsonValue> {
  const { store, clock } = deps;
  const id = request.id.truncate();
  const name = actionName(request.id, id);
  const type = await deps.types.resolve(id, request.apiVersion);
  const version = type.version(request.apiVersion);
  if (name === "") {
    throw methodNotAllowed("POST", request.id);
  }
  const actions = Object.entries(type.handler.actions ?? {});
  const action = actions.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];
  if (action === undefined) {
    throw new ApiError("NotFound", `${id.type} has no action '${name}'.`, { target: id.toString() });
  }
  const document = await store.get(id.toString());
  if (document === undefined) {
    throw await resourceNotFound(store, id);
  }
  await document.parsed();
  const trail = new ChangeTrail(deps, intent(request, `${id.type}/${name}/action`, id.toString(), clock));
  const context = await requestContext(deps, request, { id, apiVersion: version.name, body: document.body });
  return await trail.around(async () => {
    await trail.begin();
    const result = await action({ ...context, body: request.body });
    await store.audit.append(trail.last());
    return result;
  });
}

/** Empty for a request that names a resource or a collection, and no action. */
function actionName(id: ResourceId, resource: ResourceId): string {
  const isNamed = id.kind === "resource" || id.kind === "extensionResource" || id.equals(resource);
  return isNamed ? "" : ((id.extension ?? id.provider)?.types.at(-1)?.type ?? "");
}
