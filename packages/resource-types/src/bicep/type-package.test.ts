import assert from "node:assert/strict";
import { test } from "node:test";
import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { createManifestPackage } from "./manifest-package.ts";
import { createRadiusPackage, createRegisteredPackage } from "./radius-package.ts";
import { createTypePackage } from "./type-package.ts";

const settings = { name: "Sample", version: "1" };

/** The definitions of a type with this schema, written out: references replaced by what they name. */
function bodyOf(schema: JsonObject, envelope: "tracked" | "plain" = "plain"): Readonly<Record<string, Property>> {
  const definitions = filesOf([{ name: "A.B/things", versions: { v1: schema }, envelope }])["a.b/things/v1/types.json"];
  assert.ok(Array.isArray(definitions));
  const body = follow(definitions, objectAt(definitions, 0)["body"]);
  return body["properties"] as unknown as Record<string, Property>;

  function objectAt(list: readonly JsonValue[], position: number): JsonObject {
    const definition = list[position];
    assert.ok(isJsonObject(definition));
    return definition;
  }

  function follow(list: readonly JsonValue[], ref: JsonValue | undefined, seen: readonly JsonValue[] = []): JsonObject {
    const text = isJsonObject(ref) ? ref["$ref"] : undefined;
    assert.ok(typeof text === "string");
    if (seen.includes(text)) {
      return { circle: text };
    }
    return expand(list, objectAt(list, Number(text.slice(2))), [...seen, text]);
  }

  function expand(list: readonly JsonValue[], value: JsonObject, seen: readonly JsonValue[]): JsonObject {
    const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [name, expandAny(member)]);
    return Object.fromEntries(members);

    function expandAny(member: JsonValue): JsonValue {
      if (Array.isArray(member)) {
        return member.map(expandAny);
      }
      if (!isJsonObject(member)) {
        return member;
      }
      return "$ref" in member ? follow(list, member, seen) : expand(list, member, seen);
    }
  }
}

interface Property {
  readonly type: JsonObject;
  readonly flags: number;
  readonly description?: string;
}

function filesOf(types: Parameters<typeof createTypePackage>[0]): Record<string, JsonValue | undefined> {
  const { paths, document } = createTypePackage(types, settings);
  return Object.fromEntries(paths.map((path) => [path, document(path)]));
}

function flagsOf(members: Readonly<Record<string, Property>>): Record<string, number> {
  return Object.fromEntries(Object.entries(members).map(([name, { flags }]) => [name, flags]));
}

function propertyType(schema: JsonObject): JsonObject {
  const properties = bodyOf({ type: "object", properties: { p: schema } })["properties"]?.type["properties"];
  const property = isJsonObject(properties) ? properties["p"] : undefined;
  assert.ok(isJsonObject(property) && isJsonObject(property["type"]));
  return property["type"];
}

test("each version of a type has a file of its own, which the index names", () => {
  const types = [{ name: "A.B/things", versions: { v1: {}, v2: {} } }];

  assert.deepEqual(Object.keys(filesOf(types)), ["index.json", "a.b/things/v1/types.json", "a.b/things/v2/types.json"]);
  assert.deepEqual(filesOf(types)["index.json"], {
    resources: {
      "A.B/things@v1": { $ref: "a.b/things/v1/types.json#/0" },
      "A.B/things@v2": { $ref: "a.b/things/v2/types.json#/0" },
    },
    resourceFunctions: {},
    settings: { name: "Sample", version: "1", isSingleton: false },
  });
});

test("the definitions of a type are made when its file is first read, and once", () => {
  const broken = { type: "object", properties: { p: { $ref: "#/nowhere" } } };
  let loads = 0;
  const versions = {
    get v1(): JsonObject {
      loads += 1;
      return { type: "object" };
    },
  };
  const types = [
    { name: "A.B/good", versions },
    { name: "A.B/broken", versions: { v1: broken } },
  ];

  const { document } = createTypePackage(types, settings);

  assert.equal(loads, 0);
  assert.equal(document("a.b/good/v1/types.json"), document("a.b/good/v1/types.json"));
  assert.equal(loads, 1);
  assert.throws(() => document("a.b/broken/v1/types.json"), { name: "SchemaError" });
  assert.equal(document("a.b/absent/v1/types.json"), undefined);
});

test("a resource has the members that every resource has", () => {
  const body = bodyOf({ type: "object", properties: {} });

  assert.deepEqual(flagsOf(body), { id: 2, name: 17, type: 10, apiVersion: 10, properties: 0, location: 0 });
  assert.deepEqual(body["type"]?.type, { $type: "StringLiteralType", value: "A.B/things" });
  assert.deepEqual(body["apiVersion"]?.type, { $type: "StringLiteralType", value: "v1" });
  assert.equal(body["name"]?.type["maxLength"], 63);
});

test("a tracked resource has tags, and names that are known before the deployment starts", () => {
  const body = bodyOf({ type: "object", properties: {} }, "tracked");

  const named = { id: 10, name: 25, type: 10, apiVersion: 10 };
  assert.deepEqual(flagsOf(body), { ...named, properties: 1, location: 0, tags: 0, systemData: 2 });
});

test("properties are required when one of them is", () => {
  const schema = (more: JsonObject) =>
    bodyOf({ type: "object", properties: { p: { type: "string", ...more } }, required: ["p"] });

  assert.equal(schema({})["properties"]?.flags, 1);
  assert.equal(schema({ readOnly: true })["properties"]?.flags, 0);
});

for (const [schema, expected] of [
  [{}, { $type: "AnyType" }],
  [{ type: "any" }, { $type: "AnyType" }],
  [{ type: "string" }, { $type: "StringType" }],
  [
    { type: "string", minLength: 1, maxLength: 5, pattern: "^a" },
    { $type: "StringType", minLength: 1, maxLength: 5, pattern: "^a" },
  ],
  [
    { type: "string", "x-radius-sensitive": true },
    { $type: "StringType", sensitive: true },
  ],
  [{ type: "boolean" }, { $type: "BooleanType" }],
  [
    { type: "integer", minimum: 1, maximum: 9 },
    { $type: "IntegerType", minValue: 1, maxValue: 9 },
  ],
  [
    { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 2.5 },
    { $type: "IntegerType", minValue: 1, maxValue: 2 },
  ],
  [
    { type: "string", enum: ["a"] },
    { $type: "StringLiteralType", value: "a" },
  ],
  [
    { enum: ["a", "b"] },
    {
      $type: "UnionType",
      elements: [
        { $type: "StringLiteralType", value: "a" },
        { $type: "StringLiteralType", value: "b" },
      ],
    },
  ],
  [{ enum: [1, 2] }, { $type: "IntegerType" }],
  [
    { type: "string", nullable: true },
    { $type: "UnionType", elements: [{ $type: "StringType" }, { $type: "NullType" }] },
  ],
  [
    { type: "array", items: { type: "string" }, minItems: 1 },
    { $type: "ArrayType", itemType: { $type: "StringType" }, minLength: 1 },
  ],
  [
    { type: "object", additionalProperties: { type: "string" } },
    { $type: "ObjectType", name: "p", properties: {}, additionalProperties: { $type: "StringType" } },
  ],
  [
    { type: "object", additionalProperties: true },
    { $type: "ObjectType", name: "p", properties: {}, additionalProperties: { $type: "AnyType" } },
  ],
  [
    { type: "object", additionalProperties: {}, "x-radius-sensitive": true },
    { $type: "ObjectType", name: "p", properties: {}, additionalProperties: { $type: "AnyType" }, sensitive: true },
  ],
  [
    { oneOf: [{ type: "string" }, { type: "integer" }] },
    { $type: "UnionType", elements: [{ $type: "StringType" }, { $type: "IntegerType" }] },
  ],
  [{ oneOf: [{ type: "string" }, { type: "object" }] }, { $type: "AnyType" }],
  [{ allOf: [{ type: "string" }] }, { $type: "AnyType" }],
] as const satisfies readonly (readonly [JsonObject, JsonObject])[]) {
  test(`the schema ${JSON.stringify(schema)} becomes a ${expected.$type}`, () => {
    assert.deepEqual(propertyType(schema), expected);
  });
}

test("properties of an object are required, read-only or write-only, and keep their descriptions", () => {
  const type = propertyType({
    type: "object",
    properties: {
      required: { type: "string", description: "What it is." },
      readOnly: { type: "string", readOnly: true },
      writeOnly: { type: "string", writeOnly: true },
    },
    required: ["required", "readOnly"],
  });

  const text = { $type: "StringType" };
  assert.deepEqual(type, {
    $type: "ObjectType",
    name: "p",
    properties: {
      required: { type: text, flags: 1, description: "What it is." },
      readOnly: { type: text, flags: 2 },
      writeOnly: { type: text, flags: 4 },
    },
  });
});

test("a schema that refers to itself becomes a type that does", () => {
  const body = bodyOf({
    type: "object",
    properties: { root: { $ref: "#/definitions/Node" } },
    definitions: { Node: { type: "object", properties: { next: { $ref: "#/definitions/Node" } } } },
  });

  const type = (body["root"] ?? assert.fail()).type;
  assert.equal(type["name"], "Node");
  assert.match(JSON.stringify(type), /"next":\{"type":\{"circle":"#\/\d+"\}/);
});

const volumes: JsonObject = {
  type: "object",
  properties: { shared: { type: "string" } },
  required: ["kind", "shared"],
  discriminator: { propertyName: "kind", mapping: { disk: "#/definitions/Disk", none: "#/definitions/None" } },
  oneOf: [{ $ref: "#/definitions/Disk" }, { $ref: "#/definitions/None" }],
  definitions: {
    Disk: {
      type: "object",
      properties: { kind: { enum: ["disk"] }, size: { type: "integer" } },
      required: ["kind", "size"],
    },
    None: { type: "object" },
  },
};

test("kinds that a discriminator tells apart have the shared properties and their own", () => {
  const body = bodyOf(volumes);

  const literal = (value: string) => ({ type: { $type: "StringLiteralType", value }, flags: 1 });
  assert.deepEqual(body["properties"], {
    type: {
      $type: "DiscriminatedObjectType",
      name: "thingsProperties",
      discriminator: "kind",
      baseProperties: { shared: { type: { $type: "StringType" }, flags: 1 } },
      elements: {
        disk: {
          $type: "ObjectType",
          name: "Disk",
          properties: { kind: literal("disk"), size: { type: { $type: "IntegerType" }, flags: 1 } },
        },
        none: { $type: "ObjectType", name: "None", properties: { kind: literal("none") } },
      },
    },
    flags: 1,
    description: "The properties of the resource.",
  });
});

test("without a mapping each kind names its value itself", () => {
  const kind = (value: string) => ({ type: "object", properties: { kind: { enum: [value] } } });

  const type = propertyType({ discriminator: { propertyName: "kind" }, oneOf: [kind("a"), kind("b")] });

  assert.deepEqual(Object.keys(type["elements"] as JsonObject), ["a", "b"]);
});

test("properties can be read at the top of a resource too, unless a name is taken or there are several kinds", () => {
  const schema = (name: string): JsonObject => ({
    type: "object",
    properties: { host: { type: "string", description: "Where." }, [name]: { type: "string" } },
    required: ["host"],
  });

  assert.deepEqual(bodyOf(schema("port"))["host"], { type: { $type: "StringType" }, flags: 2, description: "Where." });
  assert.equal(bodyOf(schema("type"))["host"]?.flags, 2);
  assert.equal(bodyOf(schema("type"))["type"]?.type["$type"], "StringLiteralType");
  assert.equal(bodyOf(schema("type"), "tracked")["host"], undefined);
  assert.equal(bodyOf(volumes)["shared"], undefined);
});

test("Radius types have their methods", () => {
  const { document } = createRadiusPackage([
    { name: "Applications.Datastores/redisCaches", versions: { v1: { type: "object" } } },
    { name: "Applications.Core/gateways", versions: { v1: { type: "object" } } },
  ]);
  const functionsOf = (path: string) => {
    const definitions = document(path);
    const [resource] = Array.isArray(definitions) ? definitions : [];
    return Object.keys((isJsonObject(resource) ? resource["functions"] : undefined) ?? {});
  };

  assert.deepEqual(functionsOf("applications.datastores/rediscaches/v1/types.json"), ["listSecrets"]);
  assert.deepEqual(functionsOf("applications.core/gateways/v1/types.json"), []);
});

test("the extension radius has the types of Radius and no others", () => {
  const versions = { v1: {} };
  const { paths } = createRadiusPackage(
    ["Radius.Core/applications", "Microsoft.Resources/deployments", "Applications.Core/gateways"].map((name) => ({
      name,
      versions,
    })),
  );

  assert.deepEqual(paths, [
    "index.json",
    "radius.core/applications/v1/types.json",
    "applications.core/gateways/v1/types.json",
  ]);
});

/** The names of a resource's members, and of its properties. */
function memberNames(definitions: JsonValue | undefined): {
  readonly resource: string[];
  readonly properties: string[];
} {
  const named = (Array.isArray(definitions) ? definitions : []).filter(isJsonObject);
  const namesOf = (name: string) => {
    const type = named.find((definition) => definition["name"] === name);
    return Object.keys(isJsonObject(type?.["properties"]) ? type["properties"] : {});
  };
  return { resource: namesOf("Contoso.Own/boards"), properties: namesOf("boardsProperties") };
}

const boards = {
  name: "Contoso.Own/boards",
  versions: { v1: { type: "object", properties: { size: { type: "integer" } } } },
} as const;

test("a registered type has what a control plane accepts in every resource", () => {
  const { document } = createRegisteredPackage([boards]);

  const { resource, properties } = memberNames(document("contoso.own/boards/v1/types.json"));

  assert.ok(resource.includes("tags"));
  assert.deepEqual(properties.toSorted(), ["application", "codeReference", "connections", "environment", "size"]);
});

test("a registered type whose schema cannot be read takes any properties", () => {
  const broken = { ...boards, versions: { v1: { type: "object", properties: { a: { $ref: "#/nowhere" } } } } };
  const { document } = createRegisteredPackage([broken]);

  const { resource } = memberNames(document("contoso.own/boards/v1/types.json"));

  assert.ok(resource.includes("properties"));
  assert.throws(() => createRadiusPackage([broken]).document("contoso.own/boards/v1/types.json"));
});

test("the package of manifests is named after their namespace, or Radius for several", () => {
  const manifest = (namespace: string) => ({
    namespace,
    location: { name: "global" },
    types: [{ name: "boards", capabilities: [], apiVersions: [{ name: "v1", schema: {} }] }],
  });
  const nameOf = (...namespaces: readonly string[]) => {
    const index = createManifestPackage(namespaces.map(manifest)).document("index.json");
    return isJsonObject(index) && isJsonObject(index["settings"]) ? index["settings"]["name"] : undefined;
  };

  assert.equal(nameOf("Contoso.Own"), "radiuscontosoown");
  assert.equal(nameOf("Contoso.Own", "contoso.own"), "radiuscontosoown");
  assert.equal(nameOf("Contoso.Own", "Contoso.Other"), "Radius");
});
