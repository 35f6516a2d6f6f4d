import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@rad/core";
import { describeSchema } from "./describe-schema.ts";

const text = { type: "string" };

function outline(schema: JsonObject): string[] {
  return describeSchema(schema).map(({ path, rows }) => `${path}: ${rows.map((row) => row.name).join(" ")}`);
}

test("a row tells name, type, whether it is required, read-only or sensitive, and the description", () => {
  const [table] = describeSchema({
    properties: {
      size: { type: "string", description: "How large" },
      host: { type: "string", readOnly: true },
      key: { type: "string", "x-radius-sensitive": true },
      rest: {},
    },
    required: ["size"],
  });

  const plain = { required: false, readOnly: false, sensitive: false, description: "" };
  assert.deepEqual(table, {
    path: "",
    rows: [
      { ...plain, name: "size", type: "string", required: true, description: "How large" },
      { ...plain, name: "host", type: "string", readOnly: true },
      { ...plain, name: "key", type: "string", sensitive: true },
      { ...plain, name: "rest", type: "any" },
    ],
  });
});

test("a row tells default, allowed values and what an array or a map holds", () => {
  const [table] = describeSchema({
    properties: {
      kind: { type: "string", enum: ["a", "b"], default: "a" },
      names: { type: "array", items: text },
      ports: { type: "object", additionalProperties: { type: "integer" } },
    },
  });

  assert.partialDeepStrictEqual(table?.rows, [
    { name: "kind", values: ["a", "b"], default: "a" },
    { name: "names", type: "array", holds: "string" },
    { name: "ports", type: "object", holds: "integer" },
  ]);
});

test("a row tells which variants have the property, and requires it when all of those do", () => {
  const [table] = describeSchema({
    properties: { kind: text, common: text },
    required: ["kind"],
    discriminator: { propertyName: "kind", mapping: { x: "#/definitions/x", y: "#/definitions/y" } },
    definitions: {
      x: { properties: { kind: text, both: text, some: text }, required: ["both", "some"] },
      y: { properties: { both: text, some: text, own: text }, required: ["both"] },
    },
  });

  const inBoth = { by: "kind", values: ["x", "y"] };
  assert.deepEqual(
    table?.rows.map(({ name, required, variants }) => [name, required, variants]),
    [
      ["kind", true, undefined],
      ["common", false, undefined],
      ["both", true, inBoth],
      ["some", false, inBoth],
      ["own", false, { by: "kind", values: ["y"] }],
    ],
  );
});

test("nested objects follow breadth first under their dotted path", () => {
  const schema = {
    properties: {
      a: { type: "object", properties: { x: { type: "object", properties: { deep: text } } } },
      b: { type: "object", properties: { y: text } },
    },
  };

  assert.deepEqual(outline(schema), [": a b", "a: x", "b: y", "a.x: deep"]);
});

test("maps and arrays are described by what they hold", () => {
  const schema = {
    properties: {
      env: { type: "object", additionalProperties: { type: "object", properties: { value: text } } },
      rules: { type: "array", items: { type: "object", properties: { port: text } } },
      tags: { type: "object", additionalProperties: text },
    },
  };

  assert.deepEqual(outline(schema), [": env rules tags", "env: value", "rules: port"]);
});

test("references are followed and cycles are cut", () => {
  const schema = {
    properties: { tree: { $ref: "#/definitions/node", description: "The root" }, lost: { $ref: "#/nowhere" } },
    definitions: { node: { type: "object", properties: { left: { $ref: "#/definitions/node" }, name: text } } },
  };

  assert.deepEqual(outline(schema), [": tree lost", "tree: left name"]);
  assert.equal(describeSchema(schema)[0]?.rows[0]?.description, "The root");
});

test("references that multiply end at a limit", () => {
  const names = Array.from({ length: 20 }, (_, index) => `d${index}`);
  const definitions = Object.fromEntries(
    names.map((name, index) => {
      const next = { $ref: `#/definitions/d${index + 1}` };
      return [name, { type: "object", properties: { a: next, b: next } }];
    }),
  );

  assert.equal(describeSchema({ $ref: "#/definitions/d0", definitions }).length, 500);
});
