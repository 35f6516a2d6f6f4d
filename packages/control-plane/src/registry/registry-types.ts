import { ApiError, inSlices, isJsonObject, type JsonObject, objectMember, printJson, ResourceId } from "@rad/core";
import { checkIcon, checkName, compileSchema, defaultIconHash, SchemaError } from "@rad/resource-types";
import { type DocumentPut, type Guard, listAll, type StoredDocument, type Write } from "@rad/store";
import {
  apiVersionType,
  builtInType,
  conflictWith,
  type HandlerContext,
  type HandlerResult,
  locationType,
  mostNamed,
  providerId,
  providerPolicy,
  providerType,
  registrationPolicy,
  type ResourceReader,
  resourceTypeType,
  type ServedType,
  type ValidateRequest,
} from "@rad/resources";
import type { BuiltInRegistrations } from "./built-in-registrations.ts";
import { iconHash } from "./icon-hash.ts";

/**
 * Resource providers, their types, api versions and locations: the part of the API that describes the rest of it.
 * A client may register a built-in type again. Deleting such a registration brings the program's own back.
 */
export function registryTypes(builtIn: BuiltInRegistrations): ReadonlyMap<string, ServedType> {
  const types = [provider, resourceType, apiVersion, location];
  return new Map(
    types.map((options) => {
      const handler = { ...options.handler, delete: (context: HandlerContext) => remove(context, builtIn) };
      return [options.name.toLowerCase(), builtInType({ ...options, handler })];
    }),
  );
}

type RegistryType = Parameters<typeof builtInType>[0];

const stringMap = (value: JsonObject): JsonObject => ({ type: "object", additionalProperties: value });

const provider: RegistryType = {
  name: providerType,
  typeAsRequested: true,
  policy: providerPolicy,
  nameKind: "providerNamespace",
  schema: {},
  handler: {
    validate: () => ({ properties: {} }),
    guardDelete: async ({ document, resources }) => {
      const namespace = ResourceId.parse(document.id).name;
      const { items } = await resources.list({ type: resourceTypeType, under: document.id, withoutBodies: true });
      const types = items.map((item) => `${namespace}/${ResourceId.parse(item.id).name}`);
      return await requireNoInstances(document, resources, types);
    },
  },
};

const resourceType: RegistryType = {
  name: resourceTypeType,
  typeAsRequested: true,
  policy: registrationPolicy,
  nameKind: "resourceType",
  schema: {
    type: "object",
    properties: {
      capabilities: { type: "array", items: { type: "string" } },
      defaultApiVersion: { type: "string" },
      description: { type: "string" },
      icon: { type: "string" },
      iconHash: { type: "string", readOnly: true },
    },
  },
  handler: {
    validate: async ({ id, properties, resources }) => {
      const { capabilities = [], defaultApiVersion, description, icon } = properties;
      const names = Array.isArray(capabilities) ? capabilities.map(String) : [];
      const version = typeof defaultApiVersion === "string" ? checkName("apiVersion", defaultApiVersion) : undefined;
      const problems = [
        ...names.map((name) => checkName("capability", name)),
        version,
        typeof icon === "string" ? checkIcon(icon) : undefined,
      ].filter((problem) => problem !== undefined);
      if (problems.length > 0) {
        throw new ApiError("BadRequest", problems.join(" "), { target: id.toString() });
      }
      return {
        properties: {
          capabilities: names,
          ...(defaultApiVersion === undefined ? {} : { defaultApiVersion }),
          ...(description === undefined ? {} : { description }),
          ...(typeof icon === "string" ? { icon, iconHash: iconHash(icon) } : { iconHash: defaultIconHash }),
        },
        guards: [await requireParent(id, resources, properties)],
      };
    },
    guardDelete: async ({ document, resources }) => {
      const id = ResourceId.parse(document.id);
      return await requireNoInstances(document, resources, [`${id.truncate().name}/${id.name}`]);
    },
  },
};

const apiVersion: RegistryType = {
  name: apiVersionType,
  typeAsRequested: true,
  policy: { ...registrationPolicy, propertiesRequired: false },
  nameKind: "apiVersion",
  schema: { type: "object", properties: { schema: { type: "object" } } },
  handler: {
    validate: async ({ id, properties, resources }: ValidateRequest) => {
      const { schema } = properties;
      if (isJsonObject(schema) && Object.keys(schema).length > 0) {
        requireSchema(id, schema);
      }
      const kept: JsonObject = schema === undefined ? {} : { schema };
      return { properties: kept, guards: [await requireParent(id, resources, kept)] };
    },
  },
};

const location: RegistryType = {
  name: locationType,
  policy: registrationPolicy,
  nameKind: "location",
  schema: {
    type: "object",
    properties: {
      address: { type: "string" },
      resourceTypes: stringMap({ type: "object", properties: { apiVersions: stringMap({ type: "object" }) } }),
    },
  },
  handler: {
    validate: async ({ id, properties, resources }) => {
      const { address, resourceTypes = {} } = properties;
      if (typeof address === "string" && !URL.canParse(address)) {
        throw new ApiError("BadRequest", `$.properties.address: '${address}' is not a URL.`, { target: id.toString() });
      }
      const listed = isJsonObject(resourceTypes) ? resourceTypes : {};
      const problems = Object.keys(listed).flatMap((name) => [
        checkName("resourceType", name),
        ...Object.keys(objectMember(objectMember(listed, name), "apiVersions")).map((version) =>
          checkName("apiVersion", version),
        ),
      ]);
      const problem = problems.find((text) => text !== undefined);
      if (problem !== undefined) {
        throw new ApiError("BadRequest", `$.properties.resourceTypes: ${problem}`, { target: id.toString() });
      }
      return {
        properties: { ...(address === undefined ? {} : { address }), resourceTypes },
        guards: [await requireParent(id, resources, properties)],
      };
    },
  },
};

/**
 * Children go one by one, innermost first, so that a crash half-way leaves something that can be deleted again. What
 * describes a type goes only while nothing is of that type: a resource that was created since the DELETE was accepted
 * keeps its schema. What the program itself registers goes back to that.
 */
async function remove(context: HandlerContext, builtIn: BuiltInRegistrations): Promise<HandlerResult> {
  const { id, resources } = context;
  const { items } = await resources.asServer.list({ under: id.toString(), withoutBodies: true });
  for (const item of items.toReversed()) {
    const own = builtIn(ResourceId.parse(item.id));
    if (own === undefined) {
      await context.write(removal(item, id.planeScope));
      continue;
    }
    const whole = await resources.asServer.get(item.id);
    await whole?.parsed();
    await context.write({ also: whole === undefined ? [] : [restored(whole, own)] });
  }
  const own = builtIn(id);
  return own === undefined ? undefined : { kind: "done", properties: own };
}

function removal(item: StoredDocument, planeScope: string): Pick<Write, "also" | "guards"> {
  const type = describedType(item);
  const guards: Guard[] = type === undefined ? [] : [{ kind: "noInstances", type, under: planeScope }];
  return { also: [{ kind: "remove", id: item.id, expect: { etag: item.etag } }], guards };
}

function restored({ id, type, apiVersion, body, etag }: StoredDocument, own: JsonObject): DocumentPut {
  const properties = { ...own, provisioningState: "Succeeded" };
  const input = { id, type, apiVersion, body: { ...body, properties }, secrets: "keep" as const };
  return { kind: "put", input, expect: { etag } };
}

/** The type that a resource type's or an api version's registration is about. */
function describedType(registration: StoredDocument): string | undefined {
  const id = ResourceId.parse(registration.id);
  switch (registration.type.toLowerCase()) {
    case resourceTypeType.toLowerCase():
      return `${id.truncate().name}/${id.name}`;
    case apiVersionType.toLowerCase():
      return `${id.truncate().truncate().name}/${id.truncate().name}`;
    default:
      return undefined;
  }
}

/** @throws ApiError `Conflict` with a list while resources of one of the types exist. */
async function requireNoInstances(
  document: StoredDocument,
  resources: ResourceReader,
  types: readonly string[],
): Promise<Guard[]> {
  const { planeScope } = ResourceId.parse(document.id);
  const instances: StoredDocument[] = [];
  for (const type of types) {
    instances.push(...(await resources.list({ type, under: planeScope, limit: mostNamed, withoutBodies: true })).items);
  }
  if (instances.length > 0) {
    throw conflictWith(document.id, instances);
  }
  // Nor may anything have been registered below it meanwhile, which nobody could find any more.
  const noInstances = types.map((type): Guard => ({ kind: "noInstances", type, under: planeScope }));
  return [...noInstances, { kind: "empty", under: document.id }];
}

/** What a registration is part of has to be there already, and still when it is written. */
async function requireParent(id: ResourceId, resources: ResourceReader, properties: JsonObject): Promise<Guard> {
  const parent = id.truncate().toString();
  if ((await resources.get(parent)) === undefined) {
    throw new ApiError("NotFound", `'${parent}' does not exist; register it first.`, { target: parent });
  }
  await requireRoom(id, resources, properties);
  return { kind: "exists", id: parent };
}

/** Every use of a type reads all registrations of its provider. */
const maxProviderCharacters = 16 * 1024 * 1024;

/** What a registration counts for besides its text, as very many small ones take long to read too. */
const charactersOfEach = 2 * 1024;

/** @throws ApiError `RequestEntityTooLarge` when the provider would have too much text. */
async function requireRoom(id: ResourceId, resources: ResourceReader, properties: JsonObject): Promise<void> {
  const under = providerId(id.planeScope, id.provider?.types[0]?.name ?? "");
  const own = id.toString().toLowerCase();
  let characters = (await inSlices(printJson(properties))).length + charactersOfEach;
  for await (const registration of listAll((query) => resources.list(query), { under })) {
    characters += registration.id.toLowerCase() === own ? 0 : registration.json.length + charactersOfEach;
    if (characters > maxProviderCharacters) {
      throw new ApiError(
        "RequestEntityTooLarge",
        "The types of a resource provider may have at most 16 MiB of text, for which each registration counts 2 KiB more.",
        { target: under },
      );
    }
  }
}

function requireSchema(id: ResourceId, schema: JsonObject): void {
  try {
    compileSchema(schema);
  } catch (error) {
    if (error instanceof SchemaError) {
      throw new ApiError("BadRequest", `$.properties.schema is not usable: ${error.message}`, {
        target: id.toString(),
        cause: error,
      });
    }
    throw error;
  }
}
