import type { JsonObject, ResourceId } from "@rad/core";
import type { Answer } from "./answer.ts";
import type { BytesRequest, NeededPermission, RouteRequest } from "./route.ts";

/** A type of planes: `/planes/{name}/…`. */
export interface PlaneModule {
  /** Lower case, as in `/planes/aws`. */
  readonly name: string;
  /** The resource type of its planes, `System.AWS/planes`: the name with the spelling that answers show. */
  readonly type: string;
  /** Of `properties`. Members that it does not have are dropped. */
  readonly schema: JsonObject;
  /** Properties of planes that the configuration creates, where it does not say otherwise. */
  readonly defaults?: JsonObject;
  /** Planes that exist from the first start on, by name. */
  readonly initial?: Readonly<Record<string, JsonObject>>;
  readonly code?: PlaneCode;
  /** Resource types that live in such planes, as part of the fixed API; their planes need not exist. */
  readonly types?: readonly PlaneResourceType[];
}

/** A synchronous type with the api-version of the fixed API: `{plane}/providers/System.AWS/credentials/{name}`. */
export interface PlaneResourceType {
  readonly name: string;
  /** Of `properties`. */
  readonly schema: JsonObject;
}

/**
 * Answers what is asked below a plane, whether the path is an id or not. `{plane}/providers/System.*` is the exception:
 * these types are served as everywhere. Without code, only registered types are served below a plane.
 */
export interface PlaneCode {
  /** Larger request bodies are refused with 413. */
  readonly maxBytes: number;
  /**
   * What the caller needs. Absent: what a resource of ours would need, `<type>/read`, `<type>/write` or
   * `<type>/<action>/action` at the id; where the path names no resource type, `read` or `write` of the plane's type.
   */
  permission?(request: RouteRequest): Promise<NeededPermission> | NeededPermission;
  /** @param request its `rest` is what follows the plane. */
  serve(request: BytesRequest, plane: Plane): Promise<Answer> | Answer;
}

export interface Plane {
  readonly id: ResourceId;
  readonly properties: JsonObject;
}
