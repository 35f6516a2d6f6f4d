import assert from "node:assert/strict";
import { test } from "node:test";
import { atOnce } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import fc from "fast-check";
import { describeSchema } from "./describe-schema.ts";
import { compileSchema } from "./resource-schema.ts";

const secret = { type: "string", "x-radius-sensitive": true };

const schema: JsonObject = {
  type: "object",
  properties: {
    login: {
      type: "object",
      properties: { kind: { type: "string" }, host: { type: "string", default: "localhost" } },
      required: ["kind"],
      discriminator: {
        propertyName: "kind",
        mapping: { basic: "#/definitions/basic", token: "#/definitions/token", none: "#/definitions/none" },
      },
      oneOf: [{ $ref: "#/definitions/basic" }, { $ref: "#/definitions/token" }, { $ref: "#/definitions/none" }],
    },
  },
  definitions: {
    basic: {
      type: "object",
      properties: {
        kind: { type: "string", enum: ["basic"] },
        user: { type: "string", default: "root" },
        password: secret,
        id: { type: "string", readOnly: true },
      },
      required: ["kind", "password"],
    },
    token: { type: "object", properties: { token: secret, port: { type: "integer" } }, required: ["token"] },
    none: { type: "object", additionalProperties: false },
  },
};

const compiled = compileSchema(schema);

function problemsOf(login: JsonValue): string[] {
  return atOnce(compiled.validate({ login })).map(({ path, message }) => `${path} ${message}`);
}

test("the value of the discriminator chooses which members are checked", () => {
  assert.deepEqual(problemsOf({ kind: "basic", password: "p" }), []);
  assert.deepEqual(problemsOf({ kind: "token", token: "t", port: 1 }), []);
  assert.deepEqual(problemsOf({ kind: "basic", user: 1 }), [
    "$.properties.login.password is required.",
    "$.properties.login.user must be a string, not an integer.",
  ]);
  assert.deepEqual(problemsOf({ kind: "token", token: "t", port: "x" }), [
    "$.properties.login.port must be an integer, not a string.",
  ]);
  assert.deepEqual(problemsOf({ kind: "none", host: "h", token: "t" }), [
    "$.properties.login.token is not a known property.",
  ]);
});

test("a wrong, mistyped or missing discriminator is one problem at its path that lists the values", () => {
  const values = 'one of "basic", "token", "none".';
  assert.deepEqual(problemsOf({ kind: "Basic", password: "p" }), [`$.properties.login.kind must be ${values}`]);
  assert.deepEqual(problemsOf({ password: "p" }), [`$.properties.login.kind is required: ${values}`]);
  assert.deepEqual(problemsOf({ kind: 7 }), [
    `$.properties.login.kind must be ${values}`,
    "$.properties.login.kind must be a string, not an integer.",
  ]);
  assert.deepEqual(problemsOf("basic"), ["$.properties.login must be an object, not a string."]);
});

test("marks and defaults of the chosen variant count, those of the others do not", () => {
  assert.deepEqual(atOnce(compiled.splitSecrets({ login: { kind: "basic", password: "p", token: "shown" } })), {
    visible: { login: { kind: "basic", password: null, token: "shown" } },
    secrets: { "/properties/login/password": "p" },
  });
  assert.deepEqual(atOnce(compiled.stripReadOnly({ login: { kind: "basic", id: "1" } })), { login: { kind: "basic" } });
  assert.deepEqual(atOnce(compiled.stripReadOnly({ login: { kind: "token", id: "1" } })), {
    login: { kind: "token", id: "1" },
  });
  assert.deepEqual(atOnce(compiled.applyDefaults({ login: { kind: "basic" } })), {
    login: { kind: "basic", host: "localhost", user: "root" },
  });
  assert.deepEqual(atOnce(compiled.applyDefaults({ login: { kind: "token" } })), {
    login: { kind: "token", host: "localhost" },
  });
});

test("a discriminator at the root leaves the members of every resource in place", () => {
  const { login } = schema["properties"] as { login: JsonObject };
  const root = compileSchema({ ...login, definitions: schema["definitions"] ?? {} });

  const sent = { kind: "none", provisioningState: "Succeeded", status: {}, recipe: { name: "r" } };

  assert.deepEqual(atOnce(root.validate(sent)), []);
  assert.deepEqual(atOnce(root.stripReadOnly(sent)), { kind: "none", recipe: { name: "r" } });
});

test("members that a schema does not name are dropped and named where it asks for that", () => {
  const open = { type: "object", properties: { a: {} }, additionalProperties: true };
  const dropping = compileSchema({
    ...schema,
    "x-radius-unknown": "drop",
    properties: {
      ...(schema["properties"] as JsonObject),
      open,
      map: { type: "object", additionalProperties: { type: "object", properties: { a: {} } } },
      list: { type: "array", items: { type: "object", properties: { a: {} } } },
      anything: {},
      free: { type: "object" },
    },
  });
  const sent: JsonObject = {
    login: { kind: "token", token: "t", user: "u", tokn: 1 },
    open: { a: 1, b: { c: 1 } },
    map: { x: { a: 1, b: 1 } },
    list: [{ a: 1 }, { "b.c": 1 }],
    anything: { x: [{ y: 1 }] },
    free: { x: 1 },
    containr: { image: "x" },
  };

  const { properties, dropped } = atOnce(dropping.dropUnknown(sent));

  assert.deepEqual(dropped, [
    "properties.login.user",
    "properties.login.tokn",
    "properties.map.x.b",
    "properties.list[1]['b.c']",
    "properties.containr",
  ]);
  assert.deepEqual(properties, {
    login: { kind: "token", token: "t" },
    open: { a: 1, b: { c: 1 } },
    map: { x: { a: 1 } },
    list: [{ a: 1 }, {}],
    anything: { x: [{ y: 1 }] },
    free: { x: 1 },
  });
  assert.deepEqual(atOnce(dropping.dropUnknown({ recipe: {} })).dropped, ["properties.recipe"]);
  assert.deepEqual(atOnce(compiled.dropUnknown(sent)), { properties: sent, dropped: [] });
});

test("a schema whose variants cannot be told apart or followed is refused", () => {
  const variant = (below: JsonObject, discriminator: JsonObject = {}): JsonObject => ({
    properties: { a: {} },
    discriminator: { propertyName: "kind", mapping: { x: "#/definitions/x" }, ...discriminator },
    definitions: { x: below },
  });
  const refused: readonly JsonObject[] = [
    variant({}, { propertyName: 1 }),
    variant({}, { mapping: {} }),
    variant({}, { mapping: { x: "elsewhere.json" } }),
    variant({}, { mapping: { x: "#/definitions/y" } }),
    variant({}, { mapping: { x: "#" } }),
    variant({ properties: { a: {} } }),
    variant({ anyOf: [{}] }),
    variant({ discriminator: { propertyName: "b", mapping: { y: "#/definitions/x" } } }),
    variant(secret),
    variant({ readOnly: true }),
    { "x-radius-unknown": "ignore" },
  ];
  for (const wrong of refused) {
    assert.throws(() => compileSchema(wrong), { code: "InvalidSchema" }, JSON.stringify(wrong));
  }
});

test("variants cannot multiply their common members without bound", () => {
  const names = Array.from({ length: 1500 }, (_, index) => `m${index}`);
  const wide = {
    properties: Object.fromEntries(names.map((name) => [name, {}])),
    discriminator: { propertyName: "k", mapping: Object.fromEntries(names.map((name) => [name, "#/definitions/x"])) },
    definitions: { x: {} },
  };
  assert.throws(() => compileSchema(wide), { code: "InvalidSchema" });
});

test("a description lists the members of every variant", () => {
  const tables = describeSchema(schema);

  assert.deepEqual(
    tables.find(({ path }) => path === "login")?.rows.map(({ name }) => name),
    ["kind", "host", "user", "password", "id", "token", "port"],
  );
});

// ---- generated schemas

/** A schema with its definitions, and a value for it in which every sensitive member holds text with this mark. */
interface Sample {
  readonly schema: JsonObject;
  readonly value: JsonValue;
}

const mark = "canary-";

/** Builds a sample from random bits: objects, maps, arrays and variants, some members of any kind sensitive. */
function sampleFrom(bits: () => number, definitions: JsonObject, depth: number): Sample {
  const kind = depth === 0 ? 0 : bits() % 6;
  const below = (): Sample => sampleFrom(bits, definitions, depth - 1);
  const sensitive = bits() % 4 === 0;
  const done = (shape: JsonObject, value: JsonValue): Sample =>
    sensitive ? { schema: { ...shape, "x-radius-sensitive": true }, value: marked(value) } : { schema: shape, value };
  switch (kind) {
    case 1: {
      const members = Array.from({ length: 1 + (bits() % 3) }, (_, index) => [`m${index}`, below()] as const);
      return done(
        { type: "object", properties: Object.fromEntries(members.map(([name, sample]) => [name, sample.schema])) },
        Object.fromEntries(members.map(([name, sample]) => [name, sample.value])),
      );
    }
    case 2: {
      const { schema: additionalProperties, value } = below();
      return done({ type: "object", additionalProperties }, { "a/b": value, "c~d": value });
    }
    case 3: {
      const { schema: items, value } = below();
      return done({ type: "array", items }, [value, value]);
    }
    case 4:
    case 5: {
      const common = below();
      const names = Array.from({ length: 1 + (bits() % 3) }, (_, index) => `v${index}`);
      const variants = names.map(() => below());
      const chosen = bits() % names.length;
      const mapping: JsonObject = {};
      for (const [index, variant] of variants.entries()) {
        const id = `d${Object.keys(definitions).length}`;
        definitions[id] = { type: "object", properties: { inner: variant.schema } };
        mapping[names[index] ?? ""] = `#/definitions/${id}`;
      }
      return done(
        {
          type: "object",
          properties: { common: common.schema },
          discriminator: { propertyName: "kind", mapping },
        },
        { kind: names[chosen] ?? "", common: common.value, inner: variants[chosen]?.value ?? null },
      );
    }
    default:
      return done({ type: "string" }, "plain");
  }
}

/** The same value with every text of it marked, because all of it is sensitive. */
function marked(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value), (_, item: unknown) =>
    typeof item === "string" && !item.startsWith(mark) && !/^v\d$/.test(item) ? mark + item : item,
  );
}

test("every sensitive member of a generated schema ends in the secrets and is null in what is visible", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (seeds, depth) => {
      let next = 0;
      const bits = (): number => {
        next += 1;
        return (seeds[next % seeds.length] ?? 0) + next;
      };
      const definitions: JsonObject = {};
      const { schema: member, value } = sampleFrom(bits, definitions, depth);
      const generated = compileSchema({ type: "object", properties: { root: member }, definitions });
      const properties = { root: value };

      assert.deepEqual(atOnce(generated.validate(properties)), []);
      const { visible, secrets } = atOnce(generated.splitSecrets(properties));

      assert.ok(!JSON.stringify(visible).includes(mark));
      for (const pointer of Object.keys(secrets)) {
        assert.equal(at(visible, pointer), null);
      }
      const count = (text: string): number => text.split(mark).length - 1;
      assert.equal(count(JSON.stringify(secrets)), count(JSON.stringify(properties)));
      assert.deepEqual(restore(visible, secrets), properties);
    }),
    { numRuns: 1000 },
  );
});

function at(visible: JsonObject, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = { properties: visible };
  for (const part of partsOf(pointer)) {
    value = Reflect.get(value as object, part) as JsonValue | undefined;
  }
  return value;
}

function restore(visible: JsonObject, secrets: Readonly<Record<string, JsonValue>>): JsonValue {
  const whole: JsonObject = { properties: structuredClone(visible) };
  for (const [pointer, value] of Object.entries(secrets)) {
    const parts = partsOf(pointer);
    const last = parts.pop() ?? "";
    let parent: JsonValue = whole;
    for (const part of parts) {
      parent = Reflect.get(parent as object, part) as JsonValue;
    }
    Reflect.set(parent as object, last, value);
  }
  return whole["properties"] ?? null;
}

function partsOf(pointer: string): string[] {
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
