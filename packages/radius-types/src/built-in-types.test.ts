import assert from "node:assert/strict";
import { test } from "node:test";
import { atOnce, formatPath, isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { checkName, compileSchema, secretStrings } from "@rad/resource-types";
import { builtInTypes } from "./built-in-types.ts";
import { fullBodies, plantCanaries } from "./testing/index.ts";
import { chosenVariant, declaredMembers, walkBody } from "./testing/walk-body.ts";
import type { Visit } from "./testing/walk-body.ts";

const withSchema = builtInTypes.flatMap(({ name, versions }) =>
  Object.entries(versions)
    .filter(([, schema]) => Object.keys(schema).length > 0)
    .map(([version, schema]) => ({ name, version, schema, bodies: fullBodies[name] ?? [] })),
);

test("types and versions have names that can be registered, and each type comes once", () => {
  const names = builtInTypes.map(({ name }) => name.toLowerCase());
  assert.equal(new Set(names).size, names.length);
  for (const { name, versions, description } of builtInTypes) {
    const [namespace = "", type = ""] = name.split("/");
    assert.equal(checkName("providerNamespace", namespace), undefined);
    assert.equal(checkName("resourceType", type), undefined);
    assert.ok(description.endsWith("."), name);
    for (const version of Object.keys(versions)) {
      assert.equal(checkName("apiVersion", version), undefined);
    }
  }
});

test("a schema is built once and stays the same", () => {
  for (const { versions } of builtInTypes) {
    for (const version of Object.keys(versions)) {
      assert.equal(versions[version], versions[version]);
    }
  }
});

test("types that recipes implement keep unknown members, like types that users define, and the others drop them", () => {
  const keeping = withSchema.filter(({ schema }) => schema["x-radius-unknown"] !== "drop");
  assert.deepEqual(
    new Set(keeping.map(({ name }) => name.split("/")[0])),
    new Set(["AI", "Compute", "Data", "Messaging", "Security", "Storage"].map((part) => `Radius.${part}`)),
  );
});

for (const { name, version, schema, bodies } of withSchema) {
  const compiled = compileSchema(schema);

  test(`${name}@${version} describes every property`, () => {
    for (const { path, schema: member } of declaredMembers(schema)) {
      assert.ok(typeof member["description"] === "string", `${path} has no description`);
    }
  });

  test(`${name}@${version} accepts its full bodies and drops nothing of them`, () => {
    assert.ok(bodies.length > 0);
    for (const body of bodies) {
      assert.deepEqual(atOnce(compiled.validate(body)), []);
      assert.deepEqual(atOnce(compiled.dropUnknown(atOnce(compiled.stripReadOnly(body)))), {
        properties: body,
        dropped: [],
      });
    }
  });

  test(`the full bodies of ${name}@${version} use every property of the schema`, () => {
    const used = new Set(bodies.flatMap((body) => [...walkBody(schema, body)].map(({ schema: member }) => member)));
    const unused = [...declaredMembers(schema)].filter(({ schema: member }) => !used.has(member));
    assert.deepEqual(
      unused.map(({ path }) => path),
      [],
    );
  });

  test(`${name}@${version} refuses wrong types, enum values, variants and missing members at their paths`, () => {
    for (const body of bodies) {
      for (const { properties, at, what } of mutations(schema, body)) {
        const paths = atOnce(compiled.validate(properties)).map(({ path }) => path);
        assert.ok(paths.includes(formatPath(["properties", ...at])), `${what} at ${at.join(".")}: ${paths.join(" ")}`);
      }
    }
  });

  const drops = schema["x-radius-unknown"] === "drop";
  test(`${name}@${version} ${drops ? "drops and names" : "keeps"} an unknown member of every closed object`, () => {
    for (const body of bodies) {
      for (const { value, path, schema: at } of walkBody(schema, body)) {
        if (!isJsonObject(value) || !isClosed(at)) {
          continue;
        }
        const extended = replaced(body, path, { ...value, unheardOf: 1 });
        const { properties, dropped } = atOnce(compiled.dropUnknown(extended));
        assert.deepEqual(properties, drops ? body : extended);
        assert.deepEqual(dropped, drops ? [formatPath(["properties", ...path, "unheardOf"]).slice(2)] : []);
      }
    }
  });

  test(`${name}@${version} seals every sensitive member`, () => {
    const canaries: string[] = [];
    for (const body of bodies) {
      const planted = plantCanaries(schema, body, () => {
        canaries.push(`canary-${canaries.length}-`);
        return canaries.at(-1) ?? "";
      });
      const { visible, secrets } = atOnce(compiled.splitSecrets(atOnce(compiled.applyDefaults(planted))));
      assert.ok(!JSON.stringify(visible).includes("canary-"));
      assert.deepEqual(
        atOnce(secretStrings(secrets)).filter((text) => !canaries.includes(text)),
        [],
      );
    }
    assert.equal(canaries.length > 0, JSON.stringify(schema).includes("x-radius-sensitive"));
  });
}

interface Mutation {
  readonly properties: JsonObject;
  /** Where the problem is to be found. */
  readonly at: readonly (string | number)[];
  readonly what: string;
}

function* mutations(schema: JsonObject, body: JsonObject): Generator<Mutation> {
  for (const { schema: at, value, path } of walkBody(schema, body)) {
    const change = (wrong: JsonValue, what: string): Mutation => ({
      properties: replaced(body, path, wrong),
      at: path,
      what,
    });
    const type = at["type"];
    if (path.length > 0 && typeof type === "string") {
      yield change(type === "string" ? 7 : "seven", "a wrong type");
    }
    if (Array.isArray(at["enum"])) {
      yield change("unheardOf", "a wrong value");
    }
    if (isJsonObject(value)) {
      for (const name of requiredMembers(at, value)) {
        const { [name]: _left, ...rest } = value;
        yield { properties: replaced(body, path, rest), at: [...path, name], what: "a missing member" };
      }
    }
  }
}

function requiredMembers(schema: JsonObject, value: JsonObject): string[] {
  const names = [schema["required"], chosenVariant(schema, value)["required"]];
  return [...new Set(names.flatMap((list) => (Array.isArray(list) ? list.map(String) : [])))];
}

function isClosed(schema: JsonObject): boolean {
  return isJsonObject(schema["properties"]) && schema["additionalProperties"] === undefined;
}

function replaced(body: JsonObject, path: Visit["path"], value: JsonValue): JsonObject {
  const [last, ...rest] = path.toReversed();
  if (last === undefined) {
    return isJsonObject(value) ? value : {};
  }
  const copy = JSON.parse(JSON.stringify(body)) as JsonObject; // a clone would keep one object in two places
  let parent: JsonValue = copy;
  for (const part of rest.toReversed()) {
    parent = Reflect.get(parent as object, part) as JsonValue;
  }
  Reflect.set(parent as object, last, value);
  return copy;
}
