import { inSlices, type JsonObject, mainThread, objectMember, printJson, ResourceId } from "@rad/core";
import {
  type ProviderView,
  servedSchemas,
  type ServedType,
  systemApiVersion,
  type TypeModules,
  type TypePolicy,
} from "@rad/resources";
import { deploymentType } from "@rad/deployments";
import type { PlaneTable } from "../planes/plane-table.ts";
import { buildInfo } from "../build-info.ts";
import { deploymentPaths, deploymentSchema } from "./deployment-paths.ts";
import { fixedPaths } from "./fixed-paths.ts";
import { failure, json, pathParameters, plane, ref } from "./parts.ts";
import { relocateReferences } from "./relocate-references.ts";
import { sharedSchemas } from "./shared-schemas.ts";

/** A type as the document needs it: where it lives, and what its properties look like per api-version. */
interface DocumentedType {
  readonly name: string;
  readonly collection: string;
  readonly policy: TypePolicy;
  /** An api-version's schema of `properties`; empty when anything goes. */
  readonly versions: ReadonlyMap<string, JsonObject>;
  readonly description: string | undefined;
}

/** Each operation of a type repeats it. */
const longestDescription = 10_000;

const providers = `${plane}/providers/System.Resources/resourceProviders`;
const types = `${providers}/{resourceProviderName}/resourceTypes`;

/** Where the fixed part of the API lives, besides the planes; the rest follows from what is registered. */
const fixedCollections: readonly (readonly [type: string, collection: string])[] = [
  ["System.Resources/resourceGroups", `${plane}/resourcegroups`],
  ["System.Resources/resourceProviders", providers],
  ["System.Resources/resourceProviders/resourceTypes", types],
  ["System.Resources/resourceProviders/resourceTypes/apiVersions", `${types}/{resourceTypeName}/apiVersions`],
  ["System.Resources/resourceProviders/locations", `${providers}/{resourceProviderName}/locations`],
];

export interface OpenApiParts {
  readonly planes: PlaneTable;
  readonly builtIn: ReadonlyMap<string, ServedType>;
  /** What is registered, from the beginning each time. */
  readonly registered: () => AsyncIterable<ProviderView>;
  readonly modules: TypeModules;
}

/**
 * The API as the text of an OpenAPI 3.0 document: the fixed part, and every registered type with its schemas. One
 * provider is in memory at a time, however many there are.
 */
export async function* openApiText(parts: OpenApiParts): AsyncGenerator<string> {
  const head = {
    openapi: "3.0.3",
    info: { title: "Radius", version: buildInfo.version, license: { name: "Apache-2.0" } },
    servers: [{ url: "/" }, { url: "/apis/api.ucp.dev/v1alpha3" }],
    security: [{ token: [] }],
  };
  yield `${JSON.stringify(head).slice(0, -1)},"paths":`;
  yield* objectText({ ...fixedPaths(), ...deploymentPaths() }, parts, pathsOf);
  yield ',"components":{"schemas":';
  yield* objectText({ ...sharedSchemas, Deployment: deploymentSchema }, parts, schemasOf);
  yield `,"securitySchemes":${JSON.stringify({ token: { type: "http", scheme: "bearer" } })}}}`;
}

/** One object of members that are there anyway and those of every type. Of planes with the same type the first counts. */
async function* objectText(
  fixed: JsonObject,
  parts: OpenApiParts,
  membersOf: (type: DocumentedType) => JsonObject,
): AsyncGenerator<string> {
  const written = new Set(Object.keys(fixed));
  yield JSON.stringify(fixed).slice(0, -1);
  for await (const type of documentedTypes(parts)) {
    await mainThread.giveWay();
    const members = Object.entries(membersOf(type)).filter(([name]) => !written.has(name));
    for (const [name, member] of members) {
      written.add(name);
      yield `,${JSON.stringify(name)}:${await inSlices(printJson(member))}`;
    }
  }
  yield "}";
}

async function* documentedTypes({
  planes,
  builtIn,
  registered,
  modules,
}: OpenApiParts): AsyncGenerator<DocumentedType> {
  yield* fixedTypes(planes, builtIn);
  for await (const view of registered()) {
    yield* registeredTypes(view, modules).filter(({ name }) => name.toLowerCase() !== deploymentType.toLowerCase());
  }
}

function pathsOf(type: DocumentedType): JsonObject {
  const names = [...type.versions.keys()].map((version) => componentName(type.name, version));
  const resource = `${type.collection}/{name}`;
  return {
    [type.collection]: { ...pathParameters(type.collection), get: listOperation(type) },
    [resource]: { ...pathParameters(resource), ...resourceOperations(type, names) },
  };
}

function schemasOf(type: DocumentedType): JsonObject {
  return Object.fromEntries(
    [...type.versions].map(([version, schema]) => {
      const name = componentName(type.name, version);
      return [name, relocateReferences(schema, `#/components/schemas/${name}`)];
    }),
  );
}

function fixedTypes(planes: PlaneTable, builtIn: ReadonlyMap<string, ServedType>): DocumentedType[] {
  const planeCollections = [...planes].map(({ type, name }) => [type, `/planes/${name}`] as const);
  return [...planeCollections, ...fixedCollections].flatMap(([name, collection]) => {
    const type = builtIn.get(name.toLowerCase());
    return type === undefined
      ? []
      : [
          {
            name,
            collection,
            policy: type.policy,
            versions: new Map([[systemApiVersion, type.propertiesSchema ?? {}]]),
            description: undefined,
          },
        ];
  });
}

function* registeredTypes(view: ProviderView, modules: TypeModules): Generator<DocumentedType> {
  const namespace = ResourceId.parse(view.provider.id).name;
  for (const type of view.types) {
    const name = `${namespace}/${type.name}`;
    const { description } = objectMember(type.document.body, "properties");
    yield {
      name,
      collection: `${plane}/resourcegroups/{resourceGroupName}/providers/${name}`,
      policy: modules.policyFor(name),
      versions: servedSchemas(view, type),
      description: typeof description === "string" ? description.slice(0, longestDescription) : undefined,
    };
  }
}

function listOperation(type: DocumentedType): JsonObject {
  const page = {
    type: "object",
    properties: { value: { type: "array", items: ref("Resource") }, nextLink: { type: "string" } },
    required: ["value"],
  };
  return {
    operationId: `${type.name}/list`,
    summary: `List ${type.name}`,
    parameters: [apiVersion(type), ...pagingParameters],
    responses: { "200": json("A page of resources.", page), default: failure },
  };
}

function resourceOperations(type: DocumentedType, schemaNames: readonly string[]): JsonObject {
  const { policy } = type;
  const isAsync = policy.mode === "async";
  const properties = schemaNames.map((name) => ref(name));
  const [only = {}] = properties;
  const body: JsonObject = {
    allOf: [
      ref("Resource"),
      {
        type: "object",
        properties: { properties: properties.length > 1 ? { anyOf: properties } : only },
        required: [
          ...(policy.locationRequired ? ["location"] : []),
          ...(policy.propertiesRequired ? ["properties"] : []),
        ],
      },
    ],
  };
  const accepted = isAsync ? "Accepted; follow Azure-AsyncOperation." : "Stored.";
  const operation = (verb: string, responses: JsonObject, withBody: boolean): JsonObject => ({
    operationId: `${type.name}/${verb}`,
    ...(type.description === undefined ? {} : { description: type.description }),
    parameters: [apiVersion(type)],
    ...(withBody ? { requestBody: { required: true, content: { "application/json": { schema: body } } } } : {}),
    responses: { ...responses, default: failure },
  });
  return {
    get: operation("get", { "200": json("The resource.", ref("Resource")) }, false),
    put: operation("put", { [isAsync ? "201" : "200"]: json(accepted, ref("Resource")) }, true),
    ...(policy.patch === "none"
      ? {}
      : { patch: operation("patch", { [isAsync ? "202" : "200"]: json(accepted, ref("Resource")) }, true) }),
    delete: operation(
      "delete",
      { [isAsync ? "202" : "200"]: { description: accepted }, "204": { description: "It did not exist." } },
      false,
    ),
  };
}

const pagingParameters: JsonObject[] = [
  { name: "top", in: "query", schema: { type: "integer", minimum: 5, maximum: 20, default: 10 } },
  { name: "skipToken", in: "query", schema: { type: "string" } },
];

function apiVersion(type: DocumentedType): JsonObject {
  const schema: JsonObject = { type: "string", enum: [...type.versions.keys()] };
  return { name: "api-version", in: "query", required: true, schema };
}

function componentName(type: string, version: string): string {
  return `${type}@${version}`.replaceAll(/[^\w.-]/g, "_");
}
