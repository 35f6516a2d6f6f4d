import assert from "node:assert/strict";
import { test } from "node:test";
import { Compilation, createMemoryHost } from "@rad/bicep";
import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core/json";
import fc from "fast-check";
import { valueText } from "./bicep-literal.ts";

const place = { indent: "", path: "", hidden: () => "null" };

function compiled(value: JsonValue): JsonValue {
  const files = new Map([
    [
      "/main.bicep",
      `output o object = ${valueText({ value }, place)}
`,
    ],
  ]);
  const compilation = new Compilation({ host: createMemoryHost({ files }), lint: false });
  assert.deepEqual(
    compilation.diagnostics("/main.bicep").flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message)),
    [],
    valueText(value, place),
  );
  const { outputs } = JSON.parse(compilation.emitTemplate("/main.bicep", { generatorVersion: "test" })?.text ?? "");
  return unescaped(outputs.o.value.value);
}

/** Templates write a text that begins with a bracket with two. */
function unescaped(value: JsonValue): JsonValue {
  if (typeof value === "string") {
    return value.replace(/^\[\[/u, "[");
  }
  if (Array.isArray(value)) {
    return value.map(unescaped);
  }
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [String(unescaped(name)), unescaped(member)]))
    : value;
}

test("strings, names and whole numbers of any kind come out of the compiler as they went in", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.constantFrom("'", "${x}", "$${", "\\", "\n\t", "'''", "a-b", "[x]", "//"),
  );
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc
        .dictionary(
          text.filter((name) => name !== "" && name !== "__proto__"),
          tie("value"),
          { maxKeys: 3, noNullPrototype: true },
        )
        .map((object) => object as JsonObject),
    ),
  })).value;
  fc.assert(
    fc.property(value, (given) => {
      assert.deepEqual(compiled(given), given);
    }),
    { numRuns: 200 },
  );
});

test("a fraction is read from JSON, and a value that is not known is the caller's expression", () => {
  assert.equal(valueText(1.5, place), "json('1.5')");
  assert.equal(
    valueText({ a: [null] }, { ...place, path: "env", hidden: (path) => path.replaceAll(" ", "_") }),
    "{\n  a: [\n    env_a_0\n  ]\n}",
  );
});
