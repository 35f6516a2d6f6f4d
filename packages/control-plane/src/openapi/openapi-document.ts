import { inSlices, type JsonObject, mainThread, objectMember, printJson, ResourceId } from "@rad/core";
import { type ProviderView, servedSchemas, type ServedType, systemApiVersion, type TypeModules } from "@rad/resources";
import { deploymentType } from "@rad/deployments";
import type { PlaneTable } from "../planes/plane-table.ts";
import { buildInfo } from "../build-info.ts";
import { deploymentPaths, deploymentSchema } from "./deployment-paths.ts";
import { fixedPaths } from "./fixed-paths.ts";
import { installerPaths } from "./installer-paths.ts";
import { plane } from "./parts.ts";
import { recipePaths } from "./recipe-paths.ts";
import { sharedComponents, sharedSchemas } from "./shared-components.ts";
import { fixedTags, Tag } from "./tags.ts";
import { type DocumentedType, typePaths, typeSchemas } from "./type-paths.ts";

/** The description of a type may be of any length, and is cut here. */
const longestDescription = 10_000;

const providers = `${plane}/providers/System.Resources/resourceProviders`;
const types = `${providers}/{resourceProviderName}/resourceTypes`;

/** Where the fixed part of the API lives, besides the planes; the rest follows from what is registered. */
const fixedCollections: readonly (readonly [type: string, collection: string, tag: string])[] = [
  ["System.Resources/resourceGroups", `${plane}/resourcegroups`, Tag.groups],
  ["System.Resources/resourceProviders", providers, Tag.types],
  ["System.Resources/resourceProviders/resourceTypes", types, Tag.types],
  [
    "System.Resources/resourceProviders/resourceTypes/apiVersions",
    `${types}/{resourceTypeName}/apiVersions`,
    Tag.types,
  ],
  ["System.Resources/resourceProviders/locations", `${providers}/{resourceProviderName}/locations`, Tag.types],
];

const description = `Radius resources, their types and their deployments.

Every request below \`/planes\` needs an \`api-version\`. A PUT, PATCH or DELETE of an asynchronous type is answered at once,
with the URL of its operation in \`Azure-AsyncOperation\`. Every answer names its request in \`x-ms-request-id\`.`;

export interface OpenApiParts {
  readonly planes: PlaneTable;
  readonly builtIn: ReadonlyMap<string, ServedType>;
  /** What is registered, from the beginning each time. */
  readonly registered: () => AsyncIterable<ProviderView>;
  readonly modules: TypeModules;
  /** Where the metrics are, which is configured. */
  readonly metricsPath: string;
}

/**
 * The API as the text of an OpenAPI 3.0 document: the fixed part, and every registered type with its schemas. One
 * provider is in memory at a time, however many there are.
 */
export async function* openApiText(parts: OpenApiParts): AsyncGenerator<string> {
  const license = { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" };
  const head = {
    openapi: "3.0.3",
    info: { title: "Radius", version: buildInfo.version, description, license },
    servers: [{ url: "/" }, { url: "/apis/api.ucp.dev/v1alpha3" }],
    security: [{ token: [] }],
  };
  const tags = new Map(fixedTags.map((tag) => [tag.name, tag]));
  yield `${JSON.stringify(head).slice(0, -1)},"paths":`;
  const fixed = { ...fixedPaths(parts.metricsPath), ...deploymentPaths(), ...installerPaths(), ...recipePaths() };
  yield* objectText(fixed, parts, (type) => {
    if (!tags.has(type.tag)) {
      tags.set(type.tag, { name: type.tag, description: `Resources of the namespace ${type.tag}.` });
    }
    return typePaths(type);
  });
  yield `,"components":${JSON.stringify(sharedComponents).slice(0, -1)},"schemas":`;
  yield* objectText({ ...sharedSchemas, Deployment: deploymentSchema }, parts, typeSchemas);
  yield `},"tags":${JSON.stringify([...tags.values()])}}`;
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

function fixedTypes(planes: PlaneTable, builtIn: ReadonlyMap<string, ServedType>): DocumentedType[] {
  const planeCollections = [...planes].map(({ type, name }) => [type, `/planes/${name}`, Tag.planes] as const);
  const inPlanes = [...planes].flatMap(({ name, types: ofPlane = [] }) =>
    ofPlane.map((type) => [type.name, `/planes/${name}/{planeName}/providers/${type.name}`, Tag.planes] as const),
  );
  return [...planeCollections, ...inPlanes, ...fixedCollections].flatMap(([name, collection, tag]) => {
    const type = builtIn.get(name.toLowerCase());
    return type === undefined
      ? []
      : [
          {
            name,
            tag,
            collection,
            planeCollection: undefined,
            policy: type.policy,
            versions: new Map([[systemApiVersion, type.propertiesSchema ?? {}]]),
            actions: [],
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
    const versions = servedSchemas(view, type);
    if (versions.size === 0) {
      continue; // nobody can ask for it yet
    }
    yield {
      name,
      tag: namespace,
      collection: `${plane}/resourcegroups/{resourceGroupName}/providers/${name}`,
      planeCollection: `${plane}/providers/${name}`,
      policy: modules.policyFor(name),
      versions,
      actions: Object.keys(modules.get(name)?.handler?.actions ?? {}),
      description: typeof description === "string" ? description.slice(0, longestDescription) : undefined,
    };
  }
}
