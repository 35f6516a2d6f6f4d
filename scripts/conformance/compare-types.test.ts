import assert from "node:assert/strict";
import { test } from "node:test";
import { createTypePackage } from "../../packages/resource-types/src/bicep/index.ts";
import type { PackageType } from "../../packages/resource-types/src/bicep/index.ts";
import { compareTypePackages } from "./compare-types.ts";

type Schema = PackageType["versions"][string];

const queue: Schema = {
  type: "object",
  properties: {
    size: { enum: ["small", "large"] },
    password: { type: "string", "x-radius-sensitive": true },
    labels: { type: "object", additionalProperties: { type: "string" } },
    items: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } },
  },
  required: ["size"],
};

function compare(theirs: Schema, ours: Schema): string[] {
  return compareTypePackages(read(theirs), read(ours)).map((line) => line.replace("A.B/queues@v1 ", ""));
}

function read(schema: Schema, name = "A.B/queues"): (path: string) => unknown {
  const functions = { describe: { description: "", parameters: [], output: { type: "string" } } };
  return createTypePackage([{ name, versions: { v1: schema }, functions }], { name: "X", version: "1" }).document;
}

function changed(properties: Schema, required: string[] = ["size"]): Schema {
  return { ...queue, properties: { ...(queue["properties"] as Schema), ...properties }, required };
}

test("a package that is compared with itself has no differences", () => {
  assert.deepEqual(compare(queue, queue), []);
});

test("types that only one package has are listed", () => {
  assert.deepEqual(compareTypePackages(read(queue), read(queue, "A.B/others")), [
    "A.B/queues@v1: missing type",
    "A.B/others@v1: only ours",
  ]);
});

for (const [name, ours, expected] of [
  [
    "a member that is missing",
    { ...queue, properties: { size: { enum: ["small", "large"] } } },
    ["password", "labels", "items"].flatMap((name) => [`properties.${name}: missing`]),
  ],
  ["a member that is ours alone", changed({ more: {} }), ["properties.more: only ours"]],
  [
    "a flag",
    changed({}, []),
    ["properties: is optional, upstream required", "properties.size: is optional, upstream required"],
  ],
  [
    "values of an enumeration",
    changed({ size: { enum: ["small"] } }),
    [`properties.size: is "small", upstream "large" | "small"`],
  ],
  ["a kind", changed({ password: { type: "string" } }), ["properties.password: is String, upstream sensitive String"]],
  [
    "the members of a map",
    changed({ labels: { additionalProperties: { type: "integer" } } }),
    ["properties.labels.*: is Integer, upstream String"],
  ],
  [
    "the items of a list",
    changed({ items: { type: "array", items: { properties: { id: {} } } } }),
    ["properties.items[].id: is Any, upstream String"],
  ],
] as const satisfies readonly (readonly [string, Schema, readonly string[]])[]) {
  test(`${name} is reported as a difference`, () => {
    const lines = compare(queue, ours).filter((line) => line.startsWith("properties"));

    assert.deepEqual(lines, expected);
  });
}

test("kinds are compared with their shared properties, wherever those are written", () => {
  const kind = (properties: Schema): Schema => ({
    type: "object",
    properties: { kind: { enum: ["a"] }, ...properties },
  });
  const discriminator = { propertyName: "kind" };
  const shared = { discriminator, properties: { s: { type: "string" } }, oneOf: [kind({})] };
  const inside = { discriminator, oneOf: [kind({ s: { type: "string" } })] };

  assert.deepEqual(compare(shared, inside), []);
  assert.deepEqual(compare(shared, { discriminator, oneOf: [kind({})] }), ["properties.<a>.s: missing"]);
});

test("methods are compared", () => {
  const withoutMethods = createTypePackage([{ name: "A.B/queues", versions: { v1: queue } }], {
    name: "X",
    version: "1",
  });

  assert.deepEqual(compareTypePackages(read(queue), withoutMethods.document), ["A.B/queues@v1 describe(): missing"]);
});
