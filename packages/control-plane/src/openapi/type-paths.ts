import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import type { TypePolicy } from "@rad/resources";
import { responses } from "./error-responses.ts";
import { exampleValue } from "./example-value.ts";
import {
  apiVersionParameter,
  asyncHeaderNames,
  json,
  operationId,
  parameterRef,
  pathParameters,
  ref,
  withHeaders,
} from "./parts.ts";
import { openApiSchema } from "./schema-form.ts";

/** A type as the document needs it: where it lives, and what its properties look like per api-version. */
export interface DocumentedType {
  readonly name: string;
  readonly tag: string;
  readonly collection: string;
  /** The list over all groups of a plane, for types that live in groups. */
  readonly planeCollection: string | undefined;
  readonly policy: TypePolicy;
  /** An api-version's schema of `properties`; empty when anything goes. */
  readonly versions: ReadonlyMap<string, JsonObject>;
  readonly actions: readonly string[];
  readonly description: string | undefined;
}

export function typePaths(type: DocumentedType): JsonObject {
  const { collection, planeCollection, name } = type;
  const resource = `${collection}/{name}`;
  const description: JsonObject = type.description === undefined ? {} : { description: type.description };
  const paths: JsonObject = {
    [collection]: { ...pathParameters(collection), get: list(type, "list", `List ${name}`) },
    [resource]: { ...description, ...pathParameters(resource), ...resourceOperations(type) },
  };
  if (planeCollection !== undefined) {
    const get = list(type, "listInPlane", `List ${name} of all resource groups`);
    paths[planeCollection] = { ...pathParameters(planeCollection), get };
  }
  for (const action of type.actions) {
    const path = `${resource}/${action}`;
    paths[path] = { ...pathParameters(path), post: actionOperation(type, action) };
  }
  return paths;
}

export function typeSchemas(type: DocumentedType): JsonObject {
  return Object.fromEntries(
    [...type.versions].map(([version, schema]) => {
      const component = componentName(type.name, version);
      return [component, openApiSchema(schema, `#/components/schemas/${component}`)];
    }),
  );
}

function list(type: DocumentedType, verb: string, summary: string): JsonObject {
  return operation(type, verb, {
    summary,
    parameters: [parameterRef("top"), parameterRef("skipToken")],
    ...responses("read", { "200": json("A page of resources.", ref("ResourceList")) }),
  });
}

function resourceOperations(type: DocumentedType): JsonObject {
  const { name, policy } = type;
  const isAsync = policy.mode === "async";
  const shown = json("The resource.", ref("Resource"));
  const stored = withHeaders(json("Stored.", ref("Resource")), "ETag");
  const started = (response: JsonObject): JsonObject => withHeaders(response, ...asyncHeaderNames);
  const accepted = started(json("Accepted; follow `Azure-AsyncOperation`.", ref("Resource")));
  const conditions = [parameterRef("ifMatch"), parameterRef("ifNoneMatch")];
  const requestBody = { required: true, content: { "application/json": bodyOf(type) } };
  const deleted = policy.deleteShowsResource
    ? accepted
    : started({ description: "Accepted; follow `Azure-AsyncOperation`." });
  return {
    get: operation(type, "get", {
      summary: `Get one of ${name}`,
      parameters: isAsync ? [parameterRef("prefer")] : [],
      ...responses("read", { "200": withHeaders(shown, "ETag") }),
    }),
    put: operation(type, "createOrUpdate", {
      summary: `Create or replace one of ${name}`,
      parameters: conditions,
      requestBody,
      ...responses("write", isAsync ? { "201": accepted } : { "200": stored }),
    }),
    ...(policy.patch === "none"
      ? {}
      : {
          patch: operation(type, "update", {
            summary: `${policy.patch === "merge" ? "Change members" : "Replace the properties"} of one of ${name}`,
            parameters: conditions,
            requestBody: policy.patch === "merge" ? partialBody : requestBody,
            ...responses("write", isAsync ? { "202": accepted } : { "200": stored }),
          }),
        }),
    delete: operation(type, "delete", {
      summary: `Delete one of ${name}`,
      parameters: [...conditions, ...(isAsync ? [parameterRef("force")] : [])],
      ...responses("remove", {
        ...(isAsync ? { "202": deleted } : { "200": { description: "Deleted." } }),
        "204": { description: "It did not exist." },
      }),
    }),
  };
}

function actionOperation(type: DocumentedType, action: string): JsonObject {
  return operation(type, action, {
    summary: `Call ${action} of one of ${type.name}`,
    requestBody: { required: false, content: { "application/json": { schema: {} } } },
    ...responses("write", { "200": json("What the action returns.", {}) }),
  });
}

function operation(type: DocumentedType, verb: string, members: JsonObject): JsonObject {
  const parameters = (members["parameters"] as JsonValue[] | undefined) ?? [];
  return {
    operationId: operationId(type.name, verb),
    tags: [type.tag],
    ...members,
    parameters: [apiVersionParameter(type.versions.keys()), ...parameters],
  };
}

/** Members of a resource, none of which has to be there. */
const partialBody: JsonObject = { required: true, content: { "application/json": { schema: ref("Resource") } } };

function bodyOf(type: DocumentedType): JsonObject {
  const { policy, versions } = type;
  const names = [...versions.keys()].map((version) => componentName(type.name, version));
  const properties = names.map((name) => ref(name));
  const [only = {}] = properties;
  const required = [
    ...(policy.locationRequired ? ["location"] : []),
    ...(policy.propertiesRequired ? ["properties"] : []),
  ];
  const schema = {
    allOf: [
      ref("Resource"),
      {
        type: "object",
        properties: { properties: properties.length > 1 ? { anyOf: properties } : only },
        ...(required.length === 0 ? {} : { required }),
      },
    ],
  };
  const example = exampleBody(type);
  return example === undefined ? { schema } : { schema, example };
}

/** A body of the newest api-version with no more than it needs. */
function exampleBody({ policy, versions, name }: DocumentedType): JsonObject | undefined {
  const [version, schema] = [...versions].toSorted(([a], [b]) => (a < b ? 1 : -1))[0] ?? ["", {}];
  const root = `#/components/schemas/${componentName(name, version)}`;
  const component = openApiSchema(schema, root);
  const resolve = (reference: string): JsonValue | undefined => follow(component, reference.slice(root.length));
  const properties = policy.propertiesRequired ? exampleValue({ type: "object", ...component }, resolve) : undefined;
  if (policy.propertiesRequired && properties === undefined) {
    return undefined;
  }
  return {
    ...(policy.locationRequired ? { location: "global" } : {}),
    ...(properties === undefined ? {} : { properties }),
  };
}

/** What a JSON pointer in a URL's fragment leads to. */
function follow(schema: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = schema;
  for (const part of pointer.split("/").slice(1)) {
    const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    value = Array.isArray(value)
      ? value[Number(key)]
      : isJsonObject(value) && Object.hasOwn(value, key)
        ? value[key]
        : undefined;
  }
  return value;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // no reference that is used has such a part
  }
}

function componentName(type: string, version: string): string {
  return `${type}@${version}`.replaceAll(/[^\w.-]/g, "_");
}
