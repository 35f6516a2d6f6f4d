import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@rad/core";
import { describeSchema } from "./describe-schema.ts";

const text = { type: "string" };

function outline(schema: JsonObject): string[] {
  return describeSchema(schema).map(({ path, rows }) => `${path}: ${rows.map((row) => row.name).join(" ")}`);
}

test("a row tells name, type, whether it is required or read-only, and the description", () => {
  const [table] = describeSchema({
    properties: {
      size: { type: "string", description: "How large" },
      host: { type: "string", readOnly: true },
      rest: {},
    },
    required: ["size"],
  });

  assert.deepEqual(table, {
    path: "",
    rows: [
      { name: "size", type: "string", required: true, readOnly: false, description: "How large" },
      { name: "host", type: "string", required: false, readOnly: true, description: "" },
      { name: "rest", type: "any", required: false, readOnly: false, description: "" },
    ],
  });
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
