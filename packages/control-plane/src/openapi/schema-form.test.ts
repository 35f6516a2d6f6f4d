import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { openApiSchema } from "./schema-form.ts";

const cases: readonly (readonly [what: string, schema: JsonObject, expected: JsonObject])[] = [
  ["a schema of OpenAPI 3.0 stays as it is", { type: "string", maxLength: 3 }, { type: "string", maxLength: 3 }],
  ["the type any is no type", { type: "any", nullable: true }, {}],
  ["the type enum leaves the values", { type: "enum", enum: ["a"] }, { enum: ["a"] }],
  ["null beside a type is nullable", { type: ["string", "null"] }, { type: "string", nullable: true }],
  ["null alone", { type: "null" }, { type: "string", enum: [null], nullable: true }],
  ["several types", { type: ["string", "integer"] }, { anyOf: [{ type: "string" }, { type: "integer" }] }],
  [
    "alternatives of one join the others",
    { allOf: [{ type: "string" }], oneOf: [{ type: "any", maxLength: 3 }] },
    { allOf: [{ type: "string" }, { maxLength: 3 }] },
  ],
  ["empty lists are left out", { type: "object", required: [], enum: [] }, { type: "object" }],
  ["an array has items", { type: "array" }, { type: "array", items: {} }],
  ["an exclusive bound", { exclusiveMinimum: 3 }, { minimum: 3, exclusiveMinimum: true }],
  ["the stricter bound counts", { minimum: 5, exclusiveMinimum: 3 }, { minimum: 5 }],
  ["the flag of 3.0", { maximum: 5, exclusiveMaximum: true }, { maximum: 5, exclusiveMaximum: true }],
  ["keywords that OpenAPI does not know", { $comment: "x", const: 3, if: {} }, {}],
  ["keywords with values that make no sense", { description: 7, readOnly: "yes", minimum: "1" }, {}],
  ["extensions stay", { "x-radius-sensitive": true }, { "x-radius-sensitive": true }],
  [
    "names of properties are no keywords",
    { properties: { required: { type: "any" }, $ref: { type: "string" }, default: { type: "array" } } },
    { properties: { required: {}, $ref: { type: "string" }, default: { type: "array", items: {} } } },
  ],
  ["values are no schemas", { default: { type: "any", $ref: "#/x" } }, { default: { type: "any", $ref: "#/x" } }],
  ["references start at the document", { $ref: "#/properties/a" }, { $ref: "#/root/properties/a" }],
  [
    "definitions become extensions",
    { $defs: { a: { type: "any" } }, properties: { b: { $ref: "#/$defs/a" }, c: { $ref: "#/definitions/d" } } },
    {
      properties: { b: { $ref: "#/root/x-defs/a" }, c: { $ref: "#/root/x-definitions/d" } },
      "x-defs": { a: {} },
    },
  ],
  [
    "what stands beside a reference counts",
    { $ref: "#/properties/a", readOnly: true },
    { readOnly: true, allOf: [{ $ref: "#/root/properties/a" }] },
  ],
  [
    "a discriminator over inline schemas is left out",
    { oneOf: [{}, {}], discriminator: { propertyName: "kind" } },
    { oneOf: [{}, {}] },
  ],
  [
    "a discriminator over references stays",
    { oneOf: [{ $ref: "#/a" }, { $ref: "#/b" }], discriminator: { propertyName: "k", mapping: { a: "#/a" } } },
    {
      oneOf: [{ $ref: "#/root/a" }, { $ref: "#/root/b" }],
      discriminator: { propertyName: "k", mapping: { a: "#/root/a" } },
    },
  ],
];
for (const [what, schema, expected] of cases) {
  it(`OpenAPI form: ${what}`, () => {
    assert.deepEqual(openApiSchema(schema, "#/root"), expected);
  });
}
