import { ResourceId } from "@rad/core";
import type { NeededPermission, PlaneCode } from "@rad/modules";
import type { PlaneTable } from "../planes/plane-table.ts";
import { pathRest } from "./path-rest.ts";
import type { RequestUrl } from "./request-url.ts";
import { permissionAt, verbOf } from "./route.ts";

/** A request that the code of a plane answers. */
export interface PlaneCodeMatch {
  readonly code: PlaneCode;
  /** The plane. */
  readonly id: ResourceId;
  /** What follows it. */
  readonly rest: readonly string[];
  /** What the caller needs, unless the code says otherwise. */
  readonly needed: NeededPermission;
  readonly routeClass: string;
}

/**
 * Planes themselves, and `{plane}/providers/System.*`, are served by us whether there is code or not.
 * @throws ApiError `BadRequest` for a path that could lead the code elsewhere than permission was asked for.
 */
export function matchPlaneCode(method: string, url: RequestUrl, planes: PlaneTable): PlaneCodeMatch | undefined {
  if (!planes.hasCode) {
    return undefined; // what every request pays for
  }
  const [, , type = "", name = "", first = "", second = "", ...more] = url.path.split("/");
  const plane = planes.get(type);
  const isPlaneItself = name === "" || (first === "" && second === "" && more.length === 0);
  const isOurs = first.toLowerCase() === "providers" && second.toLowerCase().startsWith("system.");
  if (plane?.code === undefined || isPlaneItself || isOurs) {
    return undefined;
  }
  const id = ResourceId.parse(`/planes/${type}/${name}`);
  const target = ResourceId.tryParse(url.path);
  return {
    code: plane.code,
    id,
    rest: pathRest(url.rawPath, 3),
    needed:
      target?.provider === undefined
        ? { permission: `${plane.type}/${verbOf(method)}`, scope: (target ?? id).toString() }
        : permissionAt(method, target),
    routeClass: `/planes/${type}/*`,
  };
}
