import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@rad/core";
import fc from "fast-check";
import { ManifestError } from "./manifest-error.ts";
import { parseManifest } from "./parse-manifest.ts";

const small = `
namespace: Contoso.Data
types:
  queues:
    apiVersions:
      "2025-01-01":
        schema: {}
`;

function problemsOf(text: string): string[] {
  try {
    parseManifest(text, "a.yaml");
    return [];
  } catch (error) {
    assert.ok(error instanceof ManifestError);
    assert.equal(error.code, "InvalidManifest");
    return error.message.split("\n");
  }
}

/** The complaints about one schema, as `path: message`. */
function schemaProblems(schema: JsonObject): string[] {
  const manifest = { namespace: "Contoso.Data", types: { queues: { apiVersions: { "2025-01-01": { schema } } } } };
  const start = "$.types.queues.apiVersions['2025-01-01'].schema";
  return problemsOf(JSON.stringify(manifest)).map((line) => line.slice(line.indexOf(start) + start.length));
}

test("a manifest is read with everything it says", () => {
  const text = `
namespace: Contoso.Data
location:
  east: "https://example.com:1234"
types:
  queues:
    description: |
      A message queue
    capabilities: [ManualResourceProvisioning]
    defaultApiVersion: "2025-01-01-preview"
    apiVersions:
      "2025-01-01-preview":
        schema:
          type: object
          properties:
            depth: { type: integer, default: 10 }
            apiKey: { type: string, x-radius-sensitive: true }
          required: [apiKey]
  topics:
    apiVersions:
      2025-01-01: { schema: {} }
`;

  const manifest = parseManifest(text, "a.yaml");

  assert.equal(manifest.namespace, "Contoso.Data");
  assert.deepEqual(manifest.location, { name: "east", address: "https://example.com:1234" });
  const [queues, topics] = manifest.types;
  assert.equal(queues?.description, "A message queue\n");
  assert.deepEqual(queues?.capabilities, ["ManualResourceProvisioning"]);
  assert.equal(queues?.defaultApiVersion, "2025-01-01-preview");
  assert.deepEqual(queues?.apiVersions[0]?.schema["required"], ["apiKey", "environment"]);
  assert.deepEqual(topics, { name: "topics", capabilities: [], apiVersions: [{ name: "2025-01-01", schema: {} }] });
});

test("without a location it is global, without an address", () => {
  assert.deepEqual(parseManifest(small, "a.yaml").location, { name: "global" });
});

test("JSON is read too, indented with tabs", () => {
  const manifest = {
    namespace: "Contoso.Data",
    types: { queues: { apiVersions: { "2025-01-01": { schema: {} } } } },
  };

  assert.deepEqual(parseManifest(JSON.stringify(manifest, null, "\t"), "a.json"), parseManifest(small, "a.yaml"));
});

test("aliases may share a schema", () => {
  const text = `${small}      "2025-02-01": { schema: { type: object, properties: { a: &port { type: integer }, b: *port } } }`;

  const [, second] = parseManifest(text, "a.yaml").types[0]?.apiVersions ?? [];

  assert.deepEqual(Object(second?.schema["properties"]).b, { type: "integer" });
});

test("every problem is listed with its line and column", () => {
  const text = `namespace: contoso
extra: 1
types:
  Queues:
    capabilities: [Fly]
    apiVersions:
      v1:
        schema: { properties: { a: { type: strnig } } }
`;

  assert.deepEqual(
    problemsOf(text).map((line) => line.split(" ")[0] + " " + line.split(" ")[1]),
    [
      "a.yaml:2:1: $.extra:",
      "a.yaml:1:1: $.namespace:",
      "a.yaml:4:3: $.types.Queues:",
      "a.yaml:5:20: $.types.Queues.capabilities[0]:",
      "a.yaml:7:7: $.types.Queues.apiVersions.v1:",
      "a.yaml:8:38: $.types.Queues.apiVersions.v1.schema.properties.a.type:",
    ],
  );
});

const unreadable: readonly (readonly [why: string, text: string, place: string])[] = [
  ["nothing in it", "", "1:1"],
  ["only a comment", "# later\n", "1:1"],
  ["a list at the top", "- a\n", "1:1"],
  ["a text at the top", "hello\n", "1:1"],
  ["a duplicate key", `${small}namespace: Other.Name\n`, "8:1"],
  ["a duplicate key in JSON", `{"namespace": "A.B", "namespace": "A.B"}`, "1:22"],
  ["a duplicate key in a schema", small.replace("{}", "{ title: a, title: b }"), "7:29"],
  ["two documents", `${small}---\n${small}`, "8:1"],
  ["broken syntax", "namespace: [", "1:13"],
  ["an alias of nothing", "namespace: *name", "1:12"],
  ["an alias inside of its anchor", "types: &t { a: *t }", "1:16"],
  ["a tag", "namespace: !!binary aGk=", "1:12"],
  ["an unknown tag", "namespace: !secret x", "1:12"],
  ["a value JSON does not have", "namespace: .nan", "1:12"],
  ["a key that is no text", "? { a: b }\n: c", "1:3"],
  ["nesting without end", "[".repeat(100_000), "1:1"],
  ["too much text", `# ${"x".repeat(1024 * 1024)}`, "1:1"],
];

for (const [why, text, place] of unreadable) {
  test(`a file with ${why} is refused`, () => {
    const [first = ""] = problemsOf(text);

    assert.match(first, /^a\.yaml:\d+:\d+: .+\.$/);
    if (why !== "nesting without end") {
      assert.ok(first.startsWith(`a.yaml:${place}: `), first);
    }
  });
}

test("aliases that multiply are refused before they are written out", () => {
  const lists = Array.from({ length: 9 }, (_, index) => `&a${index + 1} [${`*a${index}, `.repeat(10)}]`);
  const text = small.replace("{}", `{ default: [&a0 [x, x], ${lists.join(", ")}] }`);

  assert.match(problemsOf(text)[0] ?? "", /too many values/);
});

const wrong: readonly (readonly [why: string, find: string, replace: string, path: string])[] = [
  ["no namespace", "namespace: Contoso.Data\n", "", "$.namespace"],
  ["a namespace that is a number", "Contoso.Data", "5", "$.namespace"],
  ["a namespace in lower case", "Contoso.Data", "contoso.data", "$.namespace"],
  ["a namespace of one part", "Contoso.Data", "Contoso", "$.namespace"],
  ["a long namespace", "Contoso.Data", `Contoso.${"D".repeat(60)}`, "$.namespace"],
  ["an unknown key", "namespace:", "name: x\nnamespace:", "$.name"],
  ["a prototype key", "namespace:", "__proto__: {}\nnamespace:", "$.__proto__"],
  ["a location that is a text", "types:", "location: global\ntypes:", "$.location"],
  ["a location with a bad name", "types:", "location: { east-us: '' }\ntypes:", "$.location.east-us"],
  ["a location that is no address", "types:", "location: { global: here }\ntypes:", "$.location.global"],
  ["a location that is a file", "types:", "location: { global: 'file:///a' }\ntypes:", "$.location.global"],
  ["a type in upper case", "queues:", "Queues:", "$.types.Queues"],
  ["a type with a dash", "queues:", "my-queues:", "$.types.my-queues"],
  ["a type of one letter", "queues:", "q:", "$.types.q"],
  ["a type that is a text", "queues:", "topics: x\n  queues:", "$.types.topics"],
  ["a type that is null", "queues:", "topics:\n  queues:", "$.types.topics"],
  ["a type with an unknown key", "apiVersions:", "capability: x\n    apiVersions:", "$.types.queues.capability"],
  ["a description that is a list", "apiVersions:", "description: []\n    apiVersions:", "$.types.queues.description"],
  ["capabilities that are a text", "apiVersions:", "capabilities: x\n    apiVersions:", "$.types.queues.capabilities"],
  [
    "a bad default version",
    "apiVersions:",
    "defaultApiVersion: v1\n    apiVersions:",
    "$.types.queues.defaultApiVersion",
  ],
  ["a bad version", '"2025-01-01"', "v1", "$.types.queues.apiVersions.v1"],
  ["a version that is a text", "\n        schema: {}", " x", "$.types.queues.apiVersions['2025-01-01']"],
  [
    "a version with an unknown key",
    "schema:",
    "scheme: {}\n        schema:",
    "$.types.queues.apiVersions['2025-01-01'].scheme",
  ],
  ["no schema", "schema: {}", "{}", "$.types.queues.apiVersions['2025-01-01'].schema"],
  ["a schema that is a list", "schema: {}", "schema: []", "$.types.queues.apiVersions['2025-01-01'].schema"],
  ["a schema that is null", "schema: {}", "schema:", "$.types.queues.apiVersions['2025-01-01'].schema"],
];

for (const [why, find, replace, path] of wrong) {
  test(`a manifest with ${why} is refused`, () => {
    const text = small.replace(find, replace);
    assert.notEqual(text, small);

    const problems = problemsOf(text);

    assert.equal(problems.length, 1, problems.join("\n"));
    assert.ok(problems[0]?.includes(` ${path}: `), problems.join("\n"));
  });
}

test("a manifest without types, or a type without versions, is refused", () => {
  assert.equal(problemsOf("namespace: Contoso.Data\ntypes: {}").length, 1);
  assert.equal(problemsOf("namespace: Contoso.Data").length, 1);
  assert.equal(problemsOf("namespace: Contoso.Data\ntypes: { queues: { apiVersions: {} } }").length, 1);
  assert.equal(problemsOf("namespace: Contoso.Data\ntypes: { queues: {} }").length, 1);
});

// ---- schema rules

const text = { type: "string" };

function withProperty(property: JsonObject): JsonObject {
  return { type: "object", properties: { p: property } };
}

const acceptedSchemas: readonly JsonObject[] = [
  {},
  { type: "object" },
  { properties: {} },
  ...["string", "number", "integer", "boolean", "object", "array"].map((type) => withProperty({ type })),
  withProperty({ type: "enum", enum: ["a"] }),
  withProperty({}),
  withProperty({ type: "object", additionalProperties: text }),
  withProperty({ type: "object", additionalProperties: { $ref: "#/properties/environment" } }),
  withProperty({ type: "object", properties: { a: text }, additionalProperties: false }),
  {
    ...withProperty({ type: "array", items: { $ref: "#/definitions/d" } }),
    definitions: { d: text },
  },
  withProperty({ type: "object", properties: {}, "x-radius-sensitive": true }),
  withProperty({ ...text, "x-radius-sensitive": true, "x-anything": 1 }),
  { properties: { platformOptions: { type: "any" } } },
  { properties: { platformOptions: { type: "object", additionalProperties: { type: "any" } } } },
  { properties: { platformOptions: { type: "object", additionalProperties: {} } } },
  { properties: { secrets: { type: "object", properties: { name: { ...text, readOnly: true }, key: text } } } },
  { properties: { connections: { type: "object", additionalProperties: { type: "object" } } } },
];

for (const schema of acceptedSchemas) {
  test(`the schema ${JSON.stringify(schema)} is accepted`, () => {
    assert.deepEqual(schemaProblems(schema), []);
  });
}

const refusedSchemas: readonly (readonly [schema: JsonObject, path: string])[] = [
  [{ type: "array" }, ".type"],
  [withProperty({ type: "null" }), ".properties.p.type"],
  [withProperty({ type: ["string"] }), ".properties.p.type"],
  [withProperty({ type: "any" }), ".properties.p.type"],
  [withProperty({ type: "object", additionalProperties: { type: "any" } }), ".properties.p.additionalProperties.type"],
  [withProperty({ type: "enum" }), ".properties.p.type"],
  [withProperty({ allOf: [] }), ".properties.p.allOf"],
  [withProperty({ anyOf: [] }), ".properties.p.anyOf"],
  [withProperty({ oneOf: [] }), ".properties.p.oneOf"],
  [withProperty({ not: {} }), ".properties.p.not"],
  [withProperty({ discriminator: {} }), ".properties.p.discriminator"],
  [withProperty({ "x-radius-unknown": "drop" }), ".properties.p.x-radius-unknown"],
  [withProperty({ items: { items: { not: {} } } }), ".properties.p.items.items.not"],
  [withProperty({ $ref: "other.json" }), ".properties.p.$ref"],
  [withProperty({ $ref: "#/nowhere" }), ".properties.p.$ref"],
  [withProperty({ type: "object", additionalProperties: true }), ".properties.p.additionalProperties"],
  [withProperty({ type: "object", additionalProperties: {} }), ".properties.p.additionalProperties"],
  [withProperty({ properties: { a: text }, additionalProperties: text }), ".properties.p.additionalProperties"],
  [{ type: "object", additionalProperties: text }, ".additionalProperties"],
  [{ properties: { status: text } }, ".properties.status"],
  [{ properties: { recipe: text } }, ".properties.recipe"],
  [{ properties: { application: { type: "object" } } }, ".properties.application"],
  [{ properties: { environment: { type: "integer" } } }, ".properties.environment"],
  [{ properties: { codeReference: {} } }, ".properties.codeReference"],
  [{ properties: { connections: text } }, ".properties.connections"],
  [{ properties: { connections: { type: "object" } } }, ".properties.connections"],
  [withProperty({ type: "integer", "x-radius-sensitive": true }), ".properties.p.x-radius-sensitive"],
  [withProperty({ "x-radius-sensitive": true }), ".properties.p.x-radius-sensitive"],
  [{ properties: { secrets: text } }, ".properties.secrets"],
  [
    { properties: { secrets: { type: "object", properties: { key: { type: "integer" } } } } },
    ".properties.secrets.properties.key",
  ],
  [{ properties: { secrets: { type: "object", properties: { name: text } } } }, ".properties.secrets.properties.name"],
  [withProperty({ type: "string", readonly: true }), ".properties.p.readonly"],
  [withProperty({ pattern: "(" }), ".properties.p.pattern"],
  [withProperty({ type: "integer", default: "x" }), ".properties.p.default"],
  [{ properties: [] }, ".properties"],
  [{ properties: { p: "string" } }, ".properties.p"],
  [{ required: "p" }, ".required"],
];

for (const [schema, path] of refusedSchemas) {
  test(`the schema ${JSON.stringify(schema)} is refused at ${path}`, () => {
    const problems = schemaProblems(schema);

    assert.equal(problems.length, 1, problems.join("\n"));
    assert.ok(problems[0]?.startsWith(`${path}: `), problems.join("\n"));
  });
}

// ---- any text

const piece = fc.constantFrom(
  ..."namespace: Contoso.Data|types:|  queues:|    apiVersions:|      '2025-01-01':|        schema: {}|---|...".split(
    "|",
  ),
  ..."&a|*a|- |? |: |{|}|[|]|\"|'|!!str |<<: *a|\n|\n  |\n    |\t|#|%YAML 1.1|__proto__: 1|  type: any".split("|"),
);

test("any text is a manifest or a ManifestError", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 5, arbitrary: piece }, fc.string()), { maxLength: 40 }), (pieces) => {
      const problems = problemsOf(pieces.join(""));
      assert.ok(problems.every((line) => line !== ""));
    }),
    { numRuns: 1000 },
  );
});

test("any value in the place of a part is a manifest or a ManifestError", () => {
  const place = fc.constantFrom("namespace", "location", "types", "queues", "apiVersions", "2025-01-01", "schema");
  fc.assert(
    fc.property(place, fc.jsonValue({ depthSize: "small" }), (name, value) => {
      const document = JSON.stringify({
        namespace: "Contoso.Data",
        location: { global: "" },
        types: { queues: { apiVersions: { "2025-01-01": { schema: {} } } } },
      });

      problemsOf(JSON.stringify(JSON.parse(document, (key, old) => (key === name ? value : old))));
    }),
    { numRuns: 500 },
  );
});

const deep: readonly (readonly [string, string, RegExp])[] = [
  ["lists", "[".repeat(100_000), /^a\.yaml:1:401: .*nested too deep/],
  ["closed lists", "[".repeat(100_000) + "]".repeat(100_000), /^a\.yaml:1:401: .*nested too deep/],
  ["objects", '{"a": '.repeat(100_000), /^a\.yaml:1:2401: .*nested too deep/],
  ["maps in one line", "{a: ".repeat(100_000), /nested too deep/],
  ["items in one line", "- ".repeat(100_000), /^a\.yaml:1:801: .*nested too deep/],
  ["keys in one line", "? ".repeat(100_000), /nested too deep/],
  ["anchors", "&a [".repeat(100_000), /nested too deep/],
  ["tags", "!a [".repeat(100_000), /nested too deep/],
  [
    "maps by indentation",
    Array.from({ length: 1_200 }, (_, i) => `${" ".repeat(i)}a:\n`).join(""),
    /^a\.yaml:400:401: .*nested too deep/,
  ],
  [
    "a JSON file's lists",
    `{"namespace": "Contoso.Data", "types": ${"[".repeat(200_000)}`,
    /^a\.yaml:1:\d+: .*nested too deep/,
  ],
  ["a little too deep lists", `a: ${"[".repeat(150)}${"]".repeat(150)}`, /nested more than 100 levels deep/],
  [
    "aliases of aliases",
    `a: &a [1]\n${Array.from({ length: 150 }, (_, i) => `${"b".repeat(i + 1)}: &${"b".repeat(i + 1)} [*${i === 0 ? "a" : "b".repeat(i)}]`).join("\n")}`,
    /./,
  ],
];
for (const [what, text, expected] of deep) {
  test(`${what} that nest too deep are a problem with its place, not a full stack`, () => {
    const problems = problemsOf(text);

    assert.match(problems.join("\n"), expected);
    assert.doesNotMatch(problems.join("\n"), /call stack/);
  });
}

test("texts that only look deep are read", () => {
  const description = Array.from({ length: 500 }, (_, index) => `${" ".repeat(10 + (index % 200))}- [ { x`).join("\n");
  const text = `${small}    description: |\n${description}\n`;

  assert.equal(parseManifest(text, "a.yaml").types[0]?.description?.split("\n").length, 501);
});
