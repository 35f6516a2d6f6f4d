import type { JsonObject } from "@rad/core";
import { nameConstraints } from "../names.ts";
import type { DefinitionList, DefinitionRef } from "./definition-list.ts";
import { PropertyFlag } from "./property-flags.ts";
import { SchemaTypes, toJson } from "./schema-types.ts";
import type { PropertyDefinition } from "./schema-types.ts";

/**
 * What a resource has around its `properties`, as upstream's two generators write it: `tracked` for types from OpenAPI
 * documents, `plain` for types from manifests, whose `id` and `name` need not be known before the deployment starts.
 * `tagged` is `plain` with `tags`, which the control plane keeps for every resource.
 */
export type Envelope = "tracked" | "plain" | "tagged";

export interface EnvelopeParts {
  readonly type: string;
  readonly apiVersion: string;
  /** Of `properties`. */
  readonly schema: JsonObject;
  readonly envelope: Envelope;
}

const { DeployTimeConstant, Identifier, ReadOnly, Required } = PropertyFlag;

/** The members of a resource. */
export function resourceMembers(
  list: DefinitionList,
  { type, apiVersion, schema, envelope }: EnvelopeParts,
): JsonObject {
  const types = new SchemaTypes(list, schema);
  const text = list.add({ $type: "StringType" });
  const literal = (value: string) => list.add({ $type: "StringLiteralType", value });
  const nameType = list.add({ $type: "StringType", ...nameConstraints("resource") });
  const shortName = type.slice(type.lastIndexOf("/") + 1);
  const propertiesType = types.typeOf(schema, `${shortName}Properties`);
  const isTracked = envelope === "tracked";
  const constant = isTracked ? DeployTimeConstant : 0;
  const isRequired = isTracked || types.requiresMembers(schema);
  const members: [string, JsonObject][] = [
    ["id", member(text, ReadOnly | constant, "The resource id.")],
    ["name", member(nameType, Required | Identifier | constant, "The name of the resource.")],
    ["type", member(literal(type), ReadOnly | DeployTimeConstant, "The resource type.")],
    ["apiVersion", member(literal(apiVersion), ReadOnly | DeployTimeConstant, "The API version.")],
    ["properties", member(propertiesType, isRequired ? Required : 0, "The properties of the resource.")],
    ["location", member(text, 0, "Where the resource lives; `global` by default.")],
    ...(envelope === "plain" ? [] : [tags(types)]),
    ...(isTracked ? [systemData(types)] : []),
  ];
  return Object.fromEntries([...copies(types.propertiesOf(schema), members, envelope), ...members]);
}

function tags(types: SchemaTypes): [string, JsonObject] {
  return ["tags", member(types.typeOf(tagsSchema, "tags"), 0, "Labels of the resource.")];
}

function systemData(types: SchemaTypes): [string, JsonObject] {
  const type = types.typeOf(systemDataSchema, "SystemData");
  return ["systemData", member(type, ReadOnly, "Who changed the resource, and when.")];
}

/**
 * Upstream's types show each property at the top of the resource a second time, to be read as `cache.host` besides
 * `cache.properties.host`. A tracked resource with a property named like a member of its own, such as `type`, has no
 * copies; a plain one lacks that copy only.
 */
function copies(
  properties: ReadonlyMap<string, PropertyDefinition> | undefined,
  members: readonly (readonly [string, JsonObject])[],
  envelope: Envelope,
): [string, JsonObject][] {
  const taken = new Set(members.map(([name]) => name));
  const all = [...(properties ?? [])];
  const free = all.filter(([name]) => !taken.has(name));
  return envelope === "tracked" && free.length < all.length
    ? []
    : free.map(([name, definition]) => toJson([name, { ...definition, flags: ReadOnly }]));
}

function member(type: DefinitionRef, flags: number, description: string): JsonObject {
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
