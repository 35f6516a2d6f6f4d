import assert from "node:assert/strict";
import { test } from "node:test";
import { atOnce } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { compileSchema } from "./resource-schema.ts";

const names = ["a", "b", "c"];
const name = fc.constantFrom(...names);
const smallNumber = fc.constantFrom(-1, 0, 1, 2, 2.5);
const smallText = fc.constantFrom("", "a", "ab", "abc", "😀");

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(smallNumber, smallText, fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const count = fc.integer({ min: 0, max: 3 });

const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    fc.record({ type: fc.constantFrom("string", "number", "integer", "boolean", "null") }),
    fc.record({ enum: fc.array(value, { minLength: 1, maxLength: 3 }) }),
    fc.record(
      { minLength: count, maxLength: count, pattern: fc.constantFrom("^a", "b$", "^.$") },
      { requiredKeys: [] },
    ),
    fc.record(
      { minimum: smallNumber, exclusiveMaximum: smallNumber, multipleOf: fc.constantFrom(1, 2) },
      { requiredKeys: [] },
    ),
    fc.record(
      { items: tie("schema"), minItems: count, maxItems: count, uniqueItems: fc.boolean() },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(name, tie("schema"), { maxKeys: 3, noNullPrototype: true }),
        required: fc.uniqueArray(name),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        maxProperties: count,
      },
      { requiredKeys: [] },
    ),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie("schema") }),
  ),
}));

test("ajv agrees on which values are valid", () => {
  const ajv = new Ajv2020({ strict: false, addUsedSchema: false });
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 3, maxLength: 6 }), (inner, values) => {
      const ours = compileSchema({ properties: { value: inner } });
      const theirs = ajv.compile(inner);

      for (const candidate of values) {
        const expected = theirs(candidate);
        assert.equal(atOnce(ours.validate({ value: candidate })).length === 0, expected);
        seen[expected ? "valid" : "invalid"] += 1;
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(seen.valid > 100 && seen.invalid > 100, `too few to compare: ${JSON.stringify(seen)}`);
});
