import { ApiError, ResourceId } from "@rad/core";
import type { NeededPermission } from "@rad/modules";
import type { PlaneTable } from "../planes/plane-table.ts";
import { type OperationAddress, readOperationAddress } from "../api/operation-statuses.ts";

type Route =
  | { readonly kind: "planes" | "planesOfType" | "groups" | "trackedResources" | "summaries" }
  | { readonly kind: "summary"; readonly namespace: string }
  | { readonly kind: "icon"; readonly typeId: ResourceId; readonly hash: string }
  | { readonly kind: "operation"; readonly address: OperationAddress }
  | { readonly kind: "collection" | "resource" | "action" };

/** What a URL means, and what the caller needs for it. Operations ask for more once they are known. */
export interface RouteMatch extends NeededPermission {
  readonly route: Route;
  /** What the URL names; for summaries the plane. */
  readonly id: ResourceId;
}

const groupType = "System.Resources/resourceGroups";
const providerType = "System.Resources/resourceProviders";

/**
 * Finds out what a path below the base path means. ARM ids nest freely, so there is no table of URLs: the id's own
 * shape decides.
 * @throws ApiError for what is not an id (400), not a plane type (400), or not anything that is served (404).
 */
export function matchRoute(method: string, path: string, planes: PlaneTable): RouteMatch {
  const summary = /^\/planes\/radius\/([^/]+)\/providers(?:\/([^/]+))?\/?$/i.exec(path);
  if (summary !== null) {
    const id = ResourceId.parse(`/planes/radius/${summary[1]}`);
    const route: Route = summary[2] === undefined ? { kind: "summaries" } : { kind: "summary", namespace: summary[2] };
    return { route, id, permission: `${providerType}/read`, scope: id.toString() };
  }
  const id = ResourceId.parse(path);
  const [plane, group, ...more] = id.scopes;
  if (!id.isUcp) {
    throw unknownRoute(method, path);
  }
  if (plane === undefined) {
    return { route: { kind: "planes" }, id, permission: "System.Radius/planes/read", scope: "/planes" };
  }
  if (planes.get(plane.type) === undefined) {
    throw new ApiError("InvalidPlaneType", `'${plane.type}' is not a plane type; it must be ${planes.anyName}.`);
  }
  if (id.provider !== undefined) {
    return matchProvider(method, id);
  }
  if (plane.name === undefined) {
    return { route: { kind: "planesOfType" }, id, permission: `${id.type}/read`, scope: id.toString() };
  }
  if (group === undefined) {
    return scopeMatch(method, id);
  }
  if (group.type.toLowerCase() !== "resourcegroups" || plane.type !== "radius") {
    throw unknownRoute(method, path);
  }
  if (group.name === undefined) {
    return { route: { kind: "groups" }, id, permission: `${groupType}/read`, scope: id.planeScope };
  }
  if (more.length === 0) {
    return scopeMatch(method, id);
  }
  if (more.length === 1 && more[0]?.type.toLowerCase() === "resources" && more[0].name === undefined) {
    const scope = id.truncate().toString();
    return { route: { kind: "trackedResources" }, id, permission: `${groupType}/read`, scope };
  }
  throw unknownRoute(method, path);
}

/** A plane or a group. */
function scopeMatch(method: string, id: ResourceId): RouteMatch {
  return { route: { kind: "resource" }, id, permission: `${id.type}/${verbOf(method)}`, scope: id.toString() };
}

function matchProvider(method: string, id: ResourceId): RouteMatch {
  const address = readOperationAddress(id);
  if (address !== undefined) {
    return { route: { kind: "operation", address }, id, permission: "", scope: id.planeScope };
  }
  const icon = id.provider?.types[2];
  if (id.namespace.toLowerCase() === "system.resources" && icon?.type.toLowerCase() === "icons") {
    const typeId = id.truncate();
    const route = { kind: "icon", typeId, hash: icon.name ?? "" } as const;
    return { route, id, permission: `${typeId.type}/read`, scope: typeId.toString() };
  }
  const { permission, scope } = permissionAt(method, id);
  if (method === "POST") {
    return { route: { kind: "action" }, id, permission, scope };
  }
  return { route: { kind: isCollection(id) ? "collection" : "resource" }, id, permission, scope };
}

/** What a request for a resource of a provider, a collection or an action needs. */
export function permissionAt(method: string, id: ResourceId): NeededPermission {
  if (method === "POST") {
    const target = id.truncate();
    const name = id.equals(target) ? id.name : ((id.extension ?? id.provider)?.types.at(-1)?.type ?? "");
    return { permission: `${target.type}/${name}/action`, scope: target.toString() };
  }
  const scope = isCollection(id) ? collectionScope(id) : id.toString();
  return { permission: `${id.type}/${verbOf(method)}`, scope };
}

export function verbOf(method: string): "read" | "write" {
  return method === "GET" || method === "HEAD" ? "read" : "write";
}

function isCollection({ kind }: ResourceId): boolean {
  return kind === "resourceCollection" || kind === "extensionCollection";
}

/** What a list is about: a plane's list reaches into its groups, whose ids do not start with the list's own. */
function collectionScope(id: ResourceId): string {
  const isNested = ((id.extension ?? id.provider)?.types.length ?? 0) > 1;
  return isNested ? id.truncate().toString() : id.rootScope;
}

/** The text is upstream's: clients compare it. */
function unknownRoute(method: string, path: string): ApiError {
  return new ApiError("NotFound", `The request '${method} ${path}' is invalid.`);
}
