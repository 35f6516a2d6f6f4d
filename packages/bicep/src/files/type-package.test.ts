import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseResourceReference, printType, PropertyFlags, ScopeFlags, TypeFlags } from "../types/index.ts";
import type { ObjectType, Type } from "../types/index.ts";
import { readTypePackage } from "./type-package.ts";

const reference = parseResourceReference("A.B/c@1");
assert.ok(reference !== undefined);

function read(types: readonly unknown[], index: Readonly<Record<string, unknown>> = {}) {
  const entries = new Map<string, unknown>([
    [
      "index.json",
      { resources: { "A.B/c@1": { $ref: "t/types.json#/0" } }, settings: { name: "P", version: "1" }, ...index },
    ],
    ["t/types.json", types],
  ]);
  const result = readTypePackage((path) => {
    const value = entries.get(path);
    return value === undefined ? undefined : new TextEncoder().encode(JSON.stringify(value));
  });
  assert.ok("value" in result);
  return result.value;
}

/** The body of a resource with one property `p` of the first of these types. */
function body(types: readonly unknown[], flags = 0): ObjectType {
  const resource = { $type: "ResourceType", name: "A.B/c@1", body: { $ref: "#/1" } };
  const object = { $type: "ObjectType", name: "Body", properties: { p: { type: { $ref: "#/2" }, flags } } };
  const type = read([resource, object, ...types]).resourceType(reference ?? assert.fail(), false)?.body;
  assert.equal(type?.kind, "object");
  return type;
}

function typeOf(...types: readonly unknown[]): Type {
  return body(types).properties.get("p")?.type ?? assert.fail();
}

for (const [definition, expected] of [
  [{ $type: "AnyType" }, "any"],
  [{ $type: "NullType" }, "null"],
  [{ $type: "BooleanType" }, "bool"],
  [{ $type: "IntegerType", minValue: 1 }, "int"],
  [{ $type: "StringType", minLength: 1, pattern: "x" }, "string"],
  [{ $type: "StringLiteralType", value: "a'b" }, "'a\\'b'"],
  [{ $type: "ArrayType", itemType: { $ref: "#/3" } }, "string[]"],
  [{ $type: "UnionType", elements: [{ $ref: "#/3" }, { $ref: "#/4" }] }, "bool | string"],
  [{ $type: "ObjectType", name: "Named", properties: {} }, "Named"],
  [{ $type: "BuiltInType", kind: 1 }, "any"],
  [{ $type: "BuiltInType", kind: 2 }, "null"],
  [{ $type: "BuiltInType", kind: 3 }, "bool"],
  [{ $type: "BuiltInType", kind: 4 }, "int"],
  [{ $type: "BuiltInType", kind: 5 }, "string"],
  [{ $type: "BuiltInType", kind: 6 }, "object"],
  [{ $type: "BuiltInType", kind: 7 }, "array"],
  [{ $type: "SomethingNew" }, "any"],
] as const) {
  test(`the definition ${JSON.stringify(definition)} is the type ${expected}`, () => {
    assert.equal(printType(typeOf(definition, { $type: "StringType" }, { $type: "BooleanType" })), expected);
  });
}

test("what is sensitive is secure", () => {
  assert.equal(typeOf({ $type: "StringType", sensitive: true }).flags, TypeFlags.Secure);
  assert.equal(typeOf({ $type: "ObjectType", name: "O", sensitive: true }).flags, TypeFlags.Secure);
});

test("objects may allow other properties", () => {
  const type = typeOf(
    { $type: "ObjectType", name: "O", properties: {}, additionalProperties: { $ref: "#/3" } },
    { $type: "IntegerType" },
  );

  assert.equal(type.kind === "object" && type.additional !== undefined && printType(type.additional.type), "int");
});

test("discriminated objects have the base properties in each member", () => {
  const type = typeOf(
    {
      $type: "DiscriminatedObjectType",
      name: "D",
      discriminator: "kind",
      baseProperties: { shared: { type: { $ref: "#/3" }, flags: 1 } },
      elements: { a: { $ref: "#/5" }, broken: { $ref: "#/99" } },
    },
    { $type: "StringType" },
    { $type: "StringLiteralType", value: "a" },
    { $type: "ObjectType", name: "A", properties: { kind: { type: { $ref: "#/4" }, flags: 1 } } },
  );

  assert.equal(type.kind, "discriminated");
  assert.deepEqual(type.kind === "discriminated" && Array.from(type.members.get("a")?.properties.keys() ?? []), [
    "kind",
    "shared",
  ]);
});

const { AllowImplicitNull, DeployTimeConstant, LoopVariant, ReadableAtDeployTime, ReadOnly, Required } = PropertyFlags;
const { ResourceIdentifier, System, WriteOnly } = PropertyFlags;
for (const [bits, expected] of [
  [0, AllowImplicitNull],
  [1, Required],
  [2, ReadOnly],
  [4, WriteOnly | AllowImplicitNull],
  [10, ReadOnly | DeployTimeConstant],
  [17, Required | ResourceIdentifier | System | LoopVariant],
  [25, Required | ResourceIdentifier | System | LoopVariant | DeployTimeConstant | ReadableAtDeployTime],
] as const) {
  test(`the property bits ${bits} of a package mean what the language needs to know`, () => {
    assert.equal(body([{ $type: "StringType" }], bits).properties.get("p")?.flags, expected);
  });
}

test("scopes that can only be read are told apart from those that can be written", () => {
  const types = [
    { $type: "ResourceType", body: { $ref: "#/1" }, readableScopes: 12, writableScopes: 8 },
    { $type: "ObjectType", name: "Body", properties: {} },
  ];
  const type = read(types).resourceType(reference, false);

  assert.equal(type?.validScopes, ScopeFlags.Subscription | ScopeFlags.ResourceGroup);
  assert.equal(type?.readOnlyScopes, ScopeFlags.Subscription);
});

test("letter case does not matter, a type that is not there is none, and a fallback types the rest", () => {
  const types = [
    { $type: "ResourceType", body: { $ref: "#/1" } },
    { $type: "ObjectType", name: "Body", properties: {} },
  ];
  const other = parseResourceReference("X.Y/z@1") ?? assert.fail();
  const plain = read(types);
  const generous = read(types, { fallbackResourceType: { $ref: "t/types.json#/0" } });

  assert.equal(
    plain.resourceType(parseResourceReference("a.b/C@1") ?? assert.fail(), false)?.reference.text,
    "A.B/c@1",
  );
  assert.equal(plain.resourceType(other, false), undefined);
  assert.equal(plain.fallbackType(other, false), undefined);
  assert.equal(generous.fallbackType(other, false)?.reference.text, "X.Y/z@1");
});

test("functions of a package belong to its namespace", () => {
  const { namespace } = read(
    [
      {
        $type: "NamespaceFunctionType",
        name: "greet",
        parameters: [
          { name: "who", type: { $ref: "#/1" }, flags: 3 },
          { name: "how", type: { $ref: "#/1" }, flags: 0 },
        ],
        outputType: { $ref: "#/1" },
      },
      { $type: "StringType" },
    ],
    { namespaceFunctions: [{ $ref: "t/types.json#/0" }, { $ref: "t/types.json#/9" }, 1] },
  );

  const [greet] = namespace.functions.overloads("greet");
  assert.deepEqual(namespace.functions.names, ["greet"]);
  assert.deepEqual([greet?.minimumArguments, greet?.maximumArguments], [1, 2]);
  assert.equal(greet?.parameters[0]?.constant, true);
});

test("definitions of any shape give types, never an exception", () => {
  const reference = fc.record({
    $ref: fc.constantFrom("#/0", "#/1", "#/2", "t/types.json#/3", "x#/0", "#/-1", "#/x", ""),
  });
  const kind = fc.constantFrom(
    "ObjectType",
    "ArrayType",
    "UnionType",
    "DiscriminatedObjectType",
    "ResourceType",
    "StringType",
    "X",
  );
  const definition = fc.record(
    {
      $type: kind,
      name: fc.anything(),
      body: fc.oneof(reference, fc.anything()),
      itemType: reference,
      elements: fc.oneof(fc.array(reference), fc.dictionary(fc.string(), reference), fc.anything()),
      properties: fc.oneof(
        fc.dictionary(fc.string(), fc.record({ type: reference, flags: fc.nat(31) })),
        fc.anything(),
      ),
      additionalProperties: reference,
      discriminator: fc.string(),
      functions: fc.anything(),
    },
    { requiredKeys: ["$type"] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(definition, fc.anything()), { maxLength: 5 }), (types) => {
      const plain: unknown = JSON.parse(
        JSON.stringify(types, (_, value: unknown) => (typeof value === "bigint" ? 0 : value)),
      );
      const type = read(plain as readonly unknown[]).resourceType(
        parseResourceReference("A.B/c@1") ?? assert.fail(),
        false,
      );
      if (type?.body.kind === "object") {
        for (const property of type.body.properties.values()) {
          printType(property.type);
        }
      }
    }),
  );
});
