import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import { exampleValue } from "./example-value.ts";

const text = { type: "string" };
const cases: readonly (readonly [schema: JsonObject, value: JsonValue | undefined])[] = [
  [{ type: "object", properties: { a: text, b: text }, required: ["a"] }, { a: "a" }],
  [{ type: "object", properties: { a: { ...text, readOnly: true } }, required: ["a"] }, {}],
  [{ type: "object", required: ["a"] }, undefined],
  [{ ...text, example: "x", default: "y", enum: ["z"] }, "x"],
  [{ ...text, default: "y", enum: ["z"] }, "y"],
  [{ enum: ["z"] }, "z"],
  [{ ...text, format: "uri" }, "https://example.com"],
  [{ ...text, pattern: "^x$" }, undefined],
  [{ ...text, maxLength: 2 }, undefined],
  [{ type: "integer", minimum: 3, exclusiveMinimum: true }, 4],
  [{ type: "number", maximum: -2 }, -2],
  [{ type: "integer", minimum: 3, maximum: 2 }, undefined],
  [{ type: "boolean" }, true],
  [{ type: "array", items: text }, []],
  [{ type: "array", items: text, minItems: 2 }, ["value", "value"]],
  [{ $ref: "text" }, "value"],
  [{ $ref: "loop" }, undefined],
  [
    {
      type: "object",
      properties: { kind: { enum: ["b", "a"] }, name: text },
      required: ["kind", "name"],
      oneOf: [{ type: "object", properties: { kind: { enum: ["a"] } }, required: ["kind"] }],
    },
    { kind: "a", name: "name" },
  ],
];
it("a schema that asks for more values than anybody reads gets no example", () => {
  const names = Array.from({ length: 50 }, (_, index) => `m${index}`);
  const wide = (to: string): JsonObject => ({
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { $ref: to }])),
    required: names,
  });
  const levels: JsonObject = { a: wide("b"), b: wide("c"), c: wide("d"), d: text };
  const list = { type: "array", items: text, minItems: 1_000_000_000 };

  assert.equal(
    exampleValue({ $ref: "a" }, (name) => levels[name]),
    undefined,
  );
  assert.equal(
    exampleValue(list, () => undefined),
    undefined,
  );
});

const places: JsonObject = { text, loop: { $ref: "loop" } };
for (const [schema, value] of cases) {
  it(`the example of ${JSON.stringify(schema)} is ${JSON.stringify(value)}`, () => {
    assert.deepEqual(
      exampleValue(schema, (name) => places[name]),
      value,
    );
  });
}
