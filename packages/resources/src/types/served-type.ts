import type { JsonObject, ResourceId } from "@rad/core";
import type { ResourceSchema } from "@rad/resource-types";
import type { Guard } from "@rad/store";
import type { ResourceHandler } from "../resource-handler.ts";
import type { TypePolicy } from "./type-policy.ts";

export interface TypeDirectory {
  /** @throws ApiError when no such type is served there. */
  resolve(id: ResourceId, apiVersion: string | undefined): Promise<ServedType>;
  /** Forgets what it knows about registered types; a write found it out of date. */
  refresh(): void;
}

/** A resource type as this server serves it: built-in ones and registered ones look the same from here. */
export interface ServedType {
  readonly policy: TypePolicy;
  readonly handler: ResourceHandler;
  /** What `target` says when a body is refused: the type in lower case, or the name of the fixed part of the API. */
  readonly errorTarget: string;
  /** The type's spelling in responses; absent when the URL's own counts. */
  readonly displayName?: string;
  /** For a type of the fixed API that lives in planes of one type: `aws`. */
  readonly plane?: string;
  /** For documentation: the schema of `properties` of a type that is part of the program. */
  readonly propertiesSchema?: JsonObject;
  /** @throws ApiError when the api-version is missing or not served. */
  version(apiVersion: string | undefined): ServedVersion;
  /** What is wrong with a resource's name, if anything. */
  checkName(name: string): string | undefined;
}

export interface ServedVersion {
  readonly name: string;
  /** Absent when any properties will do. */
  readonly schema: ResourceSchema | undefined;
  /** What must still be registered when a resource is written. */
  readonly guards: readonly Guard[];
}
