import { ApiError, type JsonObject } from "@rad/core";
import { checkName, compileSchema, type NameKind, type ResourceSchema } from "@rad/resource-types";
import type { ResourceHandler } from "../resource-handler.ts";
import type { ServedType } from "./served-type.ts";
import type { TypePolicy } from "./type-policy.ts";

/** The one api-version of the fixed part of the API: planes, groups and the type registry. */
export const systemApiVersion = "2023-10-01-preview";

export interface BuiltInTypeOptions {
  readonly name: string;
  /** Responses spell the type as the first PUT did, like those of registered types. */
  readonly typeAsRequested?: boolean;
  readonly policy: TypePolicy;
  readonly nameKind: NameKind;
  /** Of `properties`, in the same form that user-defined types are written in. */
  readonly schema: JsonObject;
  readonly handler: ResourceHandler;
  /** The one type of planes that it lives in, where there is one: `aws`. */
  readonly plane?: string;
}

/** A type of the fixed part of the API. Its schema is compiled when the first body has to be checked. */
export function builtInType(options: BuiltInTypeOptions): ServedType {
  let schema: ResourceSchema | undefined;
  const version = {
    name: systemApiVersion,
    guards: [],
    get schema(): ResourceSchema {
      return (schema ??= compileSchema(options.schema));
    },
  };
  return {
    policy: options.policy,
    handler: options.handler,
    errorTarget: "ucp/openapi",
    ...(options.typeAsRequested === true ? {} : { displayName: options.name }),
    ...(options.plane === undefined ? {} : { plane: options.plane }),
    propertiesSchema: options.schema,
    version: (apiVersion) => {
      requireSystemApiVersion(apiVersion);
      return version;
    },
    checkName: (name) => checkName(options.nameKind, name),
  };
}

export function requireSystemApiVersion(apiVersion: string | undefined): void {
  if (apiVersion === undefined || apiVersion === "") {
    throw new ApiError(
      "InvalidApiVersionParameter",
      `The api-version is missing. Planes, resource groups and resource types have '${systemApiVersion}': add '?api-version=${systemApiVersion}' to the URL.`,
    );
  }
  if (apiVersion !== systemApiVersion) {
    // The text is upstream's: clients compare it.
    throw new ApiError(
      "InvalidApiVersionParameter",
      `API version '${apiVersion}' for type 'ucp/openapi' is not supported. The supported api-versions are '${systemApiVersion}'.`,
    );
  }
}
