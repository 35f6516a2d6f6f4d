import type { JsonObject } from "@rad/core";
import { nameConstraints } from "../names.ts";
import { DefinitionList } from "./definition-list.ts";
import type { DefinitionRef } from "./definition-list.ts";
import { PropertyFlag } from "./property-flags.ts";
import { SchemaTypes, toJson } from "./schema-types.ts";
import type { PropertyDefinition } from "./schema-types.ts";

/** A method of a resource, such as `listSecrets()`. Its schemas are of the same dialect as those of resources. */
export interface TypeFunction {
  readonly description: string;
  readonly parameters: readonly FunctionParameter[];
  readonly output: JsonObject;
}

export interface FunctionParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

export interface ResourceDefinition {
  /** `Applications.Core/containers`. */
  readonly type: string;
  readonly apiVersion: string;
  /** Of `properties`. */
  readonly schema: JsonObject;
  readonly functions: Readonly<Record<string, TypeFunction>>;
}

/** The definitions of one version of a resource type, the `ResourceType` first. */
export function resourceDefinitions({ type, apiVersion, schema, functions }: ResourceDefinition): JsonObject[] {
  const list = new DefinitionList();
  const resource = list.reserve();
  const body = list.reserve();
  body.define({ $type: "ObjectType", name: type, properties: bodyProperties(list, type, apiVersion, schema) });
  resource.define({
    $type: "ResourceType",
    name: `${type}@${apiVersion}`,
    body: body.ref,
    readableScopes: 0,
    writableScopes: 0,
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, definition]) => [name, functionOf(list, name, definition)]),
    ),
  });
  return list.items;
}

const { DeployTimeConstant, Identifier, ReadOnly, Required } = PropertyFlag;

function bodyProperties(list: DefinitionList, type: string, apiVersion: string, schema: JsonObject): JsonObject {
  const types = new SchemaTypes(list, schema);
  const text = list.add({ $type: "StringType" });
  const literal = (value: string) => list.add({ $type: "StringLiteralType", value });
  const shortName = type.slice(type.lastIndexOf("/") + 1);
  const envelope: [string, JsonObject][] = [
    ["id", property(text, ReadOnly | DeployTimeConstant, "The resource id.")],
    [
      "name",
      property(
        list.add({ $type: "StringType", ...nameConstraints("resource") }),
        Required | DeployTimeConstant | Identifier,
        "The name of the resource.",
      ),
    ],
    ["type", property(literal(type), ReadOnly | DeployTimeConstant, "The resource type.")],
    ["apiVersion", property(literal(apiVersion), ReadOnly | DeployTimeConstant, "The API version.")],
    [
      "properties",
      property(
        types.typeOf(schema, `${shortName}Properties`),
        types.requiresMembers(schema) ? Required : 0,
        "The properties of the resource.",
      ),
    ],
    ["location", property(text, 0, "Where the resource lives; `global` by default.")],
    ["tags", property(types.typeOf(tagsSchema, "tags"), 0, "Labels of the resource.")],
    [
      "systemData",
      property(types.typeOf(systemDataSchema, "SystemData"), ReadOnly, "Who changed the resource, and when."),
    ],
  ];
  return Object.fromEntries([...copies(types.propertiesOf(schema), envelope), ...envelope]);
}

/**
 * Upstream's types show each property at the top of the resource a second time, to be read as `cache.host` besides
 * `cache.properties.host`. A resource with a property named like a member of its own, such as `type`, has no copies.
 */
function copies(
  properties: ReadonlyMap<string, PropertyDefinition> | undefined,
  envelope: readonly (readonly [string, JsonObject])[],
): [string, JsonObject][] {
  if (properties === undefined || envelope.some(([name]) => properties.has(name))) {
    return [];
  }
  return Array.from(properties, ([name, definition]) => toJson([name, { ...definition, flags: ReadOnly }]));
}

function functionOf(list: DefinitionList, name: string, definition: TypeFunction): JsonObject {
  const parameters = definition.parameters.map(({ name: parameter, schema, description }) => ({
    name: parameter,
    type: new SchemaTypes(list, schema).typeOf(schema, parameter),
    description,
  }));
  const output = new SchemaTypes(list, definition.output).typeOf(definition.output, `${name}Result`);
  return {
    type: list.add({ $type: "FunctionType", parameters, output }),
    description: definition.description,
  };
}

function property(type: DefinitionRef, flags: number, description: string): JsonObject {
  return { type, flags, description };
}

const tagsSchema: JsonObject = { type: "object", additionalProperties: { type: "string" } };

const principals = ["User", "Application", "ManagedIdentity", "Key"];
const systemDataSchema: JsonObject = {
  type: "object",
  properties: {
    createdBy: { type: "string", description: "Who created the resource." },
    createdByType: { enum: principals, description: "The kind of identity that created it." },
    createdAt: { type: "string", description: "When it was created." },
    lastModifiedBy: { type: "string", description: "Who changed it last." },
    lastModifiedByType: { enum: principals, description: "The kind of identity that changed it last." },
    lastModifiedAt: { type: "string", description: "When it was changed last." },
  },
};
