import assert from "node:assert/strict";
import { test } from "node:test";
import { atOnce } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import fc from "fast-check";
import { compileSchema } from "./resource-schema.ts";
import { SchemaError } from "./schema-error.ts";
import { secretStrings, splitMoreSecrets } from "./secrets.ts";

const text = { type: "string" };
const secret = { type: "string", "x-radius-sensitive": true };

/** JSON as it arrives: `__proto__` becomes a member like any other. */
function parse(json: string): JsonObject {
  return JSON.parse(json);
}

function problemPaths(schema: JsonObject, properties: JsonObject): string[] {
  return atOnce(compileSchema(schema).validate(properties)).map((problem) => problem.path);
}

// ---- validate

const rules: readonly (readonly [schema: JsonObject, good: readonly JsonValue[], bad: readonly JsonValue[]])[] = [
  [{}, [null, 1, "a", [], {}], []],
  [{ type: "any" }, [null, 1, "a", [], {}], []],
  [{ type: "string" }, ["", "1"], [1, true, null, [], {}]],
  [{ type: "number" }, [1, 1.5, -0], ["1", true, null]],
  [{ type: "integer" }, [1, 1.0, -3], [1.5, "1", null]],
  [{ type: "boolean" }, [true, false], [0, "true", null]],
  [{ type: "object" }, [{}, { a: 1 }], [[], "{}", null]],
  [{ type: "array" }, [[], [1]], [{}, "[]", null]],
  [{ type: ["string", "null"] }, ["a", null], [1]],
  [{ type: "string", nullable: true }, ["a", null], [1]],
  [{ type: "string", nullable: true, enum: ["a"] }, ["a", null], ["b"]],
  [{ type: "enum", enum: ["a", 1] }, ["a", 1], ["b", 2, "1"]],
  [{ enum: [{ a: 1, b: [2] }] }, [{ b: [2], a: 1 }], [{ a: 1 }, { a: 1, b: 2 }]],
  [{ minLength: 2, maxLength: 3 }, ["ab", "abc", "😀😀😀", 7], ["a", "abcd", "😀"]],
  [{ pattern: "^a+$" }, ["a", 7], ["b", ""]],
  [{ minimum: 1, maximum: 3 }, [1, 2, 3, "0"], [0, 4]],
  [{ minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: true }, [2], [1, 3]],
  [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2], [1, 3]],
  [{ minimum: 2, exclusiveMinimum: 1 }, [2], [1.5]],
  [{ minimum: 1, exclusiveMinimum: 2 }, [3], [2]],
  [{ multipleOf: 0.1 }, [0.3, 1, 0], [0.35]],
  [{ items: text }, [[], ["a"], "x"], [[1], ["a", 1]]],
  [{ minItems: 1, maxItems: 2, uniqueItems: true }, [[1], [1, 2]], [[], [1, 2, 3], [1, 1], [{ a: 1 }, { a: 1 }]]],
  [{ minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 2, c: 3 }]],
  [{ properties: { a: text }, required: ["a"] }, [{ a: "" }, { a: "", more: 1 }, 7], [{}, { a: 1 }]],
  [{ properties: { a: text }, additionalProperties: false }, [{}, { a: "" }], [{ b: 1 }]],
  [{ properties: { a: {} }, additionalProperties: text }, [{ a: 1, b: "" }], [{ b: 1 }]],
  [{ additionalProperties: true }, [{ a: 1 }], []],
  [{ allOf: [{ type: "number" }, { minimum: 2 }] }, [2], [1, "a"]],
  [{ anyOf: [text, { minimum: 2 }] }, ["a", 2, true], [1]],
  [{ oneOf: [{ minimum: 2 }, { maximum: 4 }] }, [1, 5], [3]],
  [{ not: text }, [1], ["a"]],
  [{ format: "date-time" }, ["2025-02-28T10:00:00Z", "2025-02-28T10:00:00.5+02:00"], ["2025-02-30T10:00:00Z", "now"]],
  [{ format: "date" }, ["2024-02-29"], ["2025-02-29", "2025-1-1"]],
  [{ format: "uuid" }, ["2eb8e2c0-7d4f-4f0e-9b68-000000000001"], ["2eb8e2c0"]],
  [{ format: "email" }, ["a@example.com"], ["a", "@example.com", "a b@example.com", "a@-"]],
  [{ format: "hostname" }, ["a.example.com", "localhost"], ["-a", "a..b", "a_b"]],
  [{ format: "ipv4" }, ["10.0.0.1"], ["10.0.0.256", "10.0.0.01", "::1"]],
  [{ format: "ipv6" }, ["::1", "::ffff:10.0.0.1"], ["10.0.0.1", "::g"]],
  [{ format: "uri" }, ["https://example.com/a"], ["/a", "https://", "a b:c"]],
  [{ format: "byte" }, ["", "YQ=="], ["YQ", "Y!=="]],
  [{ format: "int32" }, [2147483647, "x"], [2147483648, 1.5]],
  [{ format: "int64" }, [2147483648], [1e19, 1.5]],
  [{ format: "anything-else" }, ["x"], []],
];

for (const [schema, good, bad] of rules) {
  test(`${JSON.stringify(schema)} accepts and refuses what it says`, () => {
    const compiled = compileSchema({ properties: { value: schema } });

    for (const value of good) {
      assert.deepEqual(atOnce(compiled.validate({ value })), [], JSON.stringify(value));
    }
    for (const value of bad) {
      assert.notEqual(atOnce(compiled.validate({ value })).length, 0, JSON.stringify(value));
    }
  });
}

test("each problem has the path of the value it is about", () => {
  const schema = {
    properties: {
      rules: { type: "array", items: { properties: { port: { type: "integer" } }, required: ["host"] } },
      env: { additionalProperties: text },
    },
    required: ["name"],
  };

  assert.deepEqual(problemPaths(schema, { rules: [{ port: "x" }], env: { "a.b": 1, "it's": 2 } }), [
    "$.properties.name",
    "$.properties.rules[0].host",
    "$.properties.rules[0].port",
    "$.properties.env['a.b']",
    "$.properties.env['it\\'s']",
  ]);
});

test("no message repeats the value that was sent", () => {
  const canary = "canary-5f1c";
  const schema = {
    properties: {
      a: { type: "integer" },
      b: { type: "string", enum: ["x"], pattern: "^x$", maxLength: 1, format: "uuid" },
      c: { not: text, anyOf: [{ type: "integer" }] },
    },
  };

  const problems = atOnce(compileSchema(schema).validate({ a: canary, b: canary, c: canary }));

  assert.equal(problems.length, 7);
  assert.doesNotMatch(JSON.stringify(problems), new RegExp(canary));
});

test("no more than 50 problems are listed", () => {
  const list = Array.from({ length: 1000 }, () => 1);

  assert.equal(problemPaths({ properties: { list: { items: text } } }, { list }).length, 50);
});

test("the empty schema accepts anything", () => {
  assert.deepEqual(atOnce(compileSchema({}).validate({ a: { b: [null] } })), []);
});

test("schemas that describe trees are followed as deep as the value goes", () => {
  const tree = { properties: { name: text, children: { type: "array", items: { $ref: "#" } } }, required: ["name"] };
  const value: JsonObject = { name: "a", children: [{ name: "b", children: [{ name: 1 }] }, {}] };

  assert.deepEqual(problemPaths(tree, value), [
    "$.properties.children[0].children[0].name",
    "$.properties.children[1].name",
  ]);
});

test("what stands beside a $ref does not constrain, except for the marks", () => {
  const schema = {
    properties: {
      a: { $ref: "#/definitions/text", type: "integer" },
      b: { $ref: "#/definitions/text", readOnly: true },
    },
    definitions: { text },
  };
  const compiled = compileSchema(schema);

  assert.deepEqual(atOnce(compiled.validate({ a: "x", b: 7 })), []);
  assert.deepEqual(atOnce(compiled.stripReadOnly({ a: "x", b: 7 })), { a: "x" });
});

test("references may use escapes", () => {
  const schema = { properties: { a: { $ref: "#/definitions/x~1y~0%20z" } }, definitions: { "x/y~ z": text } };

  assert.deepEqual(problemPaths(schema, { a: 1 }), ["$.properties.a"]);
});

// ---- what the server owns

test("read-only properties are neither demanded nor checked, and are dropped at any depth", () => {
  const host = { type: "string", readOnly: true };
  const schema = {
    properties: {
      host,
      list: { items: { properties: { host, port: {} } } },
      map: { additionalProperties: { properties: { host } } },
    },
    required: ["host"],
  };
  const compiled = compileSchema(schema);

  assert.deepEqual(atOnce(compiled.validate({})), []);
  assert.deepEqual(atOnce(compiled.validate({ host: 7 })), []);
  assert.deepEqual(
    atOnce(
      compiled.stripReadOnly({ host: 7, list: [{ host: 1, port: 2 }], map: { a: { host: 1 } }, more: { host: 1 } }),
    ),
    {
      list: [{ port: 2 }],
      map: { a: {} },
      more: { host: 1 },
    },
  );
});

const lenient: readonly JsonObject[] = [
  {},
  { additionalProperties: false },
  { properties: { status: text }, required: ["status"] },
];
for (const schema of lenient) {
  test(`clients of ${JSON.stringify(schema)} may send back provisioningState and status and choose a recipe`, () => {
    const compiled = compileSchema(schema);
    const properties = { provisioningState: "Succeeded", status: { outputResources: [] }, recipe: { name: "default" } };

    assert.deepEqual(atOnce(compiled.validate(properties)), []);
    assert.deepEqual(atOnce(compiled.validate({})), []);
    assert.deepEqual(atOnce(compiled.stripReadOnly(properties)), { recipe: { name: "default" } });
  });
}

// ---- defaults

test("defaults fill optional properties, also inside of what was supplied", () => {
  const size = { type: "string", default: "S" };
  const schema = {
    properties: {
      size,
      name: { type: "string", default: "x" },
      host: { type: "string", default: "y", readOnly: true },
      ref: { $ref: "#/definitions/port" },
      inner: { properties: { size } },
      absent: { properties: { size } },
      list: { items: { properties: { size } } },
      map: { additionalProperties: { properties: { size } } },
      nothing: { type: "string", default: null },
    },
    required: ["name"],
    definitions: { port: { type: "integer", default: 80 } },
  };

  const given: JsonObject = { inner: {}, list: [{}, { size: "L" }], map: { a: {} }, more: {} };
  const filled = atOnce(compileSchema(schema).applyDefaults(given));

  assert.deepEqual(filled, {
    inner: { size: "S" },
    list: [{ size: "S" }, { size: "L" }],
    map: { a: { size: "S" } },
    more: {},
    size: "S",
    ref: 80,
  });
  assert.deepEqual(given, { inner: {}, list: [{}, { size: "L" }], map: { a: {} }, more: {} });
});

test("a default that is an object is a fresh copy each time", () => {
  const compiled = compileSchema({ properties: { a: { default: { list: [1] } } } });

  const first = atOnce(compiled.applyDefaults({}));
  (first["a"] as { list: number[] }).list.push(2);

  assert.deepEqual(atOnce(compiled.applyDefaults({})), { a: { list: [1] } });
});

// ---- secrets

test("sensitive values are taken out of objects, arrays and maps and through references", () => {
  const schema = {
    properties: {
      password: secret,
      list: { items: secret },
      data: { additionalProperties: { properties: { value: { $ref: "#/definitions/secret" } } } },
      whole: { type: "object", "x-radius-sensitive": true },
      plain: text,
    },
    definitions: { secret },
  };
  const properties = {
    password: "p1",
    list: ["p2", null],
    data: { "a/b~c": { value: "p3", other: "x" } },
    whole: { key: "p4", more: ["p5", 12345] },
    plain: "x",
  };

  const { visible, secrets } = atOnce(compileSchema(schema).splitSecrets(properties));

  assert.deepEqual(visible, {
    password: null,
    list: [null, null],
    data: { "a/b~c": { value: null, other: "x" } },
    whole: null,
    plain: "x",
  });
  assert.deepEqual(secrets, {
    "/properties/password": "p1",
    "/properties/list/0": "p2",
    "/properties/data/a~1b~0c/value": "p3",
    "/properties/whole": { key: "p4", more: ["p5", 12345] },
  });
  assert.deepEqual(atOnce(secretStrings(secrets)).sort(), ["12345", "p1", "p2", "p3", "p4", "p5"]);
});

test("absent and null values are no secrets", () => {
  const schema = { properties: { a: secret, b: secret } };

  assert.deepEqual(atOnce(compileSchema(schema).splitSecrets({ a: null })), { visible: { a: null }, secrets: {} });
});

test("a sensitive value in a recursive schema is found at every level", () => {
  const schema = { properties: { key: secret, next: { $ref: "#" } } };

  const { secrets } = atOnce(compileSchema(schema).splitSecrets({ key: "a", next: { next: { key: "b" } } }));

  assert.deepEqual(secrets, { "/properties/key": "a", "/properties/next/next/key": "b" });
});

// ---- schemas that are refused

function nested(levels: number): JsonObject {
  let schema: JsonObject = { type: "string" };
  for (let level = 0; level < levels; level += 1) {
    schema = { properties: { a: schema } };
  }
  return schema;
}

function manyProperties(count: number, schema: JsonObject): JsonObject {
  return {
    properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, structuredClone(schema)])),
  };
}

const broken: readonly (readonly [why: string, schema: JsonObject, path: string])[] = [
  ["too deep", nested(33), "$"],
  ["far too deep", nested(50_000), "$"],
  ["too many parts", manyProperties(5001, {}), "$"],
  ["too large", { description: "x".repeat(256 * 1024) }, "$"],
  [
    "references in a circle",
    { properties: { a: { $ref: "#/properties/b" }, b: { $ref: "#/properties/a" } } },
    "$.properties.b.$ref",
  ],
  ["a reference to itself", { $ref: "#" }, "$.$ref"],
  ["a reference to nowhere", { properties: { a: { $ref: "#/nowhere" } } }, "$.properties.a.$ref"],
  ["a reference to a prototype", { properties: { a: { $ref: "#/constructor/prototype" } } }, "$.properties.a.$ref"],
  ["a reference to a text", { title: "x", properties: { a: { $ref: "#/title" } } }, "$.properties.a.$ref"],
  ["an outside reference", { properties: { a: { $ref: "https://example.com/a.json" } } }, "$.properties.a.$ref"],
  ["a file reference", { properties: { a: { $ref: "a.json#/b" } } }, "$.properties.a.$ref"],
  ["a reference that is no text", { properties: { a: { $ref: 5 } } }, "$.properties.a.$ref"],
  ["a reference with a bad escape", { properties: { a: { $ref: "#/%" } } }, "$.properties.a.$ref"],
  ["look-around", { properties: { a: { pattern: "(?=a)" } } }, "$.properties.a.pattern"],
  ["a pattern that is no pattern", { properties: { a: { pattern: "(" } } }, "$.properties.a.pattern"],
  ["a long pattern", { properties: { a: { pattern: "a".repeat(1001) } } }, "$.properties.a.pattern"],
  ["too many patterns", manyProperties(100, { pattern: "a{500}" }), "$.properties.p9.pattern"],
  ["an unknown type", { properties: { a: { type: "strnig" } } }, "$.properties.a.type"],
  ["a type that is an object", { properties: { a: { type: {} } } }, "$.properties.a.type"],
  ["properties that are a list", { properties: [] }, "$.properties"],
  ["a property that is no schema", { properties: { a: true } }, "$.properties.a"],
  ["items that are a list", { properties: { a: { items: [] } } }, "$.properties.a.items"],
  ["additionalProperties that are a text", { additionalProperties: "x" }, "$.additionalProperties"],
  ["required that is a flag", { required: true }, "$.required"],
  ["required with a number", { required: [1] }, "$.required[0]"],
  ["an enum that is a text", { enum: "a" }, "$.enum"],
  ["a negative length", { properties: { a: { minLength: -1 } } }, "$.properties.a.minLength"],
  ["a length with a fraction", { properties: { a: { maxLength: 1.5 } } }, "$.properties.a.maxLength"],
  ["a minimum that is a text", { properties: { a: { minimum: "1" } } }, "$.properties.a.minimum"],
  ["multipleOf 0", { properties: { a: { multipleOf: 0 } } }, "$.properties.a.multipleOf"],
  [
    "a mark that is a text",
    { properties: { a: { "x-radius-sensitive": "yes" } } },
    "$.properties.a.x-radius-sensitive",
  ],
  ["a sensitive root", { "x-radius-sensitive": true }, "$.x-radius-sensitive"],
  ["a secret in an alternative", { anyOf: [{ properties: { a: { items: secret } } }] }, "$.anyOf[0]"],
  ["a secret under not", { properties: { a: { not: secret } } }, "$.properties.a.not"],
  ["alternatives in a circle", { not: { allOf: [{ $ref: "#" }] } }, "$.not"],
  ["deep alternatives", { anyOf: [{ allOf: [{ oneOf: [{ not: { not: { not: text } } }] }] }] }, "$.anyOf[0]"],
  ["a default of the wrong type", { properties: { a: { type: "integer", default: "1" } } }, "$.properties.a.default"],
];

for (const [why, schema, path] of broken) {
  test(`a schema with ${why} is refused in one line with its path`, () => {
    assert.throws(
      () => compileSchema(schema),
      (error) => {
        assert.ok(error instanceof SchemaError);
        assert.equal(error.code, "InvalidSchema");
        assert.ok(error.message.startsWith(`${path}: `), error.message);
        assert.doesNotMatch(error.message, /\n/);
        return true;
      },
    );
  });
}

test("32 levels of properties and 4,999 of them are accepted", () => {
  compileSchema(nested(31));
  compileSchema(manyProperties(4999, {}));
});

// ---- hostile input that is accepted, and must not hurt

test("prototype names are ordinary names in schemas and values", () => {
  const schema =
    parse(`{"properties": {"__proto__": {"type": "string", "default": "d"}, "constructor": {"type": "string"},
    "toString": {"type": "string", "x-radius-sensitive": true}}, "required": ["constructor"]}`);
  const compiled = compileSchema(schema);

  assert.deepEqual(
    atOnce(compiled.validate(parse(`{"__proto__": {"polluted": true}}`))).map((problem) => problem.path),
    ["$.properties.constructor", "$.properties.__proto__"],
  );
  const filled = atOnce(compiled.applyDefaults({}));
  assert.deepEqual(Object.entries(filled), [["__proto__", "d"]]);
  const split = atOnce(compiled.splitSecrets(parse(`{"__proto__": {"a": 1}, "toString": "s"}`)));
  assert.equal(JSON.stringify(split.visible), `{"__proto__":{"a":1},"toString":null}`);
  assert.equal(
    Object.getPrototypeOf(atOnce(compiled.stripReadOnly(parse(`{"__proto__": {"a": 1}}`)))),
    Object.prototype,
  );
  assert.equal(Reflect.get({}, "polluted"), undefined);
});

const multiplying: readonly (readonly [why: string, schema: JsonObject])[] = [
  ["anyOf", { anyOf: [{ properties: { x: { $ref: "#" } } }, { properties: { x: { $ref: "#" } } }], required: ["y"] }],
  ["allOf", { allOf: [{ properties: { x: { $ref: "#" } } }, { properties: { x: { $ref: "#" } } }] }],
];

for (const [why, schema] of multiplying) {
  test(`alternatives that multiply (${why}) end in a problem instead of never`, () => {
    let value: JsonObject = {};
    for (let level = 0; level < 60; level += 1) {
      value = { x: value };
    }

    const problems = atOnce(compileSchema(schema).validate(value));

    assert.notEqual(problems.length, 0);
  });
}

test("a value that is nested without end in a recursive schema is a problem", () => {
  let value: JsonObject = {};
  for (let level = 0; level < 50_000; level += 1) {
    value = { next: value };
  }

  assert.equal(problemPaths({ properties: { next: { $ref: "#" } } }, value).length, 1);
});

test("a text too long for its pattern is a problem and not a long wait", () => {
  const schema = { properties: { a: { pattern: "^(a|b)*a(a|b){500}c$" } } };

  assert.deepEqual(problemPaths(schema, { a: "ab".repeat(500_000) }), ["$.properties"]);
});

// ---- any input

const keywords =
  "type properties items additionalProperties required enum default pattern format $ref allOf anyOf oneOf not " +
  "nullable readOnly x-radius-sensitive minimum maxLength __proto__ constructor a b";
const keyword = fc.constantFrom(...keywords.split(" "));
const leaf = fc.oneof(
  fc.constantFrom<JsonValue[]>(
    "string",
    "object",
    "array",
    "integer",
    "any",
    "enum",
    "#",
    "#/a",
    "#/properties/a",
    "^a",
  ),
  fc.constantFrom<JsonValue[]>(null, true, false, 0, 1, -1, 1.5),
  fc.string(),
);
const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "medium" },
    leaf,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(keyword, tie("tree"), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

test("any JSON is a schema or a SchemaError, and any JSON can be held against it", () => {
  let compiled = 0;
  fc.assert(
    fc.property(fc.dictionary(keyword, tree), fc.dictionary(keyword, tree), (schema, properties) => {
      try {
        const resourceSchema = compileSchema(schema);
        compiled += 1;
        atOnce(resourceSchema.validate(properties));
        const settable = atOnce(resourceSchema.stripReadOnly(properties));
        atOnce(resourceSchema.splitSecrets(atOnce(resourceSchema.applyDefaults(settable))));
      } catch (error) {
        assert.ok(error instanceof SchemaError, String(error));
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(compiled > 10, `only ${compiled} schemas were usable`);
});

const moreSecrets: readonly (readonly [pointers: readonly string[], visible: JsonObject, sealed: readonly string[]])[] =
  [
    [
      [],
      { key: null, env: { A: { value: "a" }, "b/~": "b" }, list: [1, { key: null }] },
      ["/properties/key", "/properties/list/1/key"],
    ],
    [
      ["/properties/env/A/value", "/properties/env/b~1~0", "/properties/list/0"],
      { key: null, env: { A: { value: null }, "b/~": null }, list: [null, { key: null }] },
      [
        "/properties/env/A/value",
        "/properties/env/b~1~0",
        "/properties/key",
        "/properties/list/0",
        "/properties/list/1/key",
      ],
    ],
    [
      [
        "/properties/list",
        "/properties/list/0",
        "/properties/key/x",
        "/properties/absent/x",
        "/properties/env/A/value/x",
      ],
      { key: null, env: { A: { value: "a" }, "b/~": "b" }, list: null },
      ["/properties/key", "/properties/list"],
    ],
    [["/properties"], { key: null, env: null, list: null }, ["/properties/env", "/properties/key", "/properties/list"]],
  ];
for (const [pointers, visible, sealed] of moreSecrets) {
  test(`what is at ${JSON.stringify(pointers)} is taken out beside what the schema marks`, () => {
    const items = { type: "object", properties: { key: secret } };
    const schema = compileSchema({ type: "object", properties: { key: secret, list: { type: "array", items } } });
    const properties = { key: "k", env: { A: { value: "a" }, "b/~": "b" }, list: [1, { key: "l" }] };

    const split = splitMoreSecrets(atOnce(schema.splitSecrets(properties)), properties, pointers);

    assert.deepEqual(split.visible, visible);
    assert.deepEqual(Object.keys(split.secrets).toSorted(), sealed);
    for (const [pointer, value] of Object.entries(split.secrets)) {
      const names = pointer.split("/").slice(2);
      const found = names.reduce<JsonValue>(
        (part, name) => (part as JsonObject)[name.replaceAll("~1", "/").replaceAll("~0", "~")] ?? null,
        properties,
      );
      assert.deepEqual(value, found, "secrets are whole, also where a part of them is one by itself");
    }
  });
}

test("what is marked below the status is taken out, though the status is the server's and may hold anything", () => {
  const status = { type: "object", properties: { key: secret, keys: { type: "array", items: secret } } };
  const kinds = { small: { type: "object" } };
  const discriminator = { propertyName: "kind", mapping: { small: "#/$defs/small" } };
  const plain = compileSchema({ type: "object", properties: { status } });
  const varied = compileSchema({ type: "object", properties: { status }, discriminator, $defs: kinds });
  const made = { kind: "small", status: { key: "k", keys: ["a"], phase: 1 } };

  for (const schema of [plain, varied]) {
    assert.deepEqual(atOnce(schema.splitSecrets(made)), {
      visible: { kind: "small", status: { key: null, keys: [null], phase: 1 } },
      secrets: { "/properties/status/key": "k", "/properties/status/keys/0": "a" },
    });
    assert.deepEqual(atOnce(schema.dropUnknown(made)).dropped, []);
    assert.deepEqual(atOnce(schema.stripReadOnly(made)), { kind: "small" });
  }
});
