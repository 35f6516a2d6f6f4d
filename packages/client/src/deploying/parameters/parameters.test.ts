import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { declaredParameters } from "./declared-parameters.ts";
import { addAutomaticParameters, checkNothingMissing, mergeParameters, type ParameterSource } from "./parameter-set.ts";
import { textValue } from "./text-value.ts";

const template = {
  definitions: {
    size: { type: "int" },
    "odd/name~": { $ref: "#/definitions/size", nullable: true },
    shape: { type: "object", properties: { corners: { type: "array", prefixItems: [{ type: "bool" }] } } },
    loop: { $ref: "#/definitions/loop" },
  },
  parameters: {
    text: { type: "string" },
    password: { type: "securestring" },
    count: { type: "Int", defaultValue: 1 },
    flag: { type: "bool" },
    list: { type: "array" },
    thing: { type: "object" },
    vault: { type: "secureObject" },
    size: { $ref: "#/definitions/size" },
    maybe: { $ref: "#/definitions/odd~1name~0" },
    never: { $ref: "#/definitions/odd~1name~0", nullable: false },
    corner: { $ref: "#/definitions/shape/properties/corners/prefixItems/0" },
    circle: { $ref: "#/definitions/loop" },
    lost: { $ref: "#/definitions/nothing" },
    anything: {},
  },
};
const declared = declaredParameters(template);

function parameter(name: string) {
  const found = declared.get(name);
  assert.ok(found !== undefined);
  return found;
}

const typeTable = [
  ["text", "string", false, true],
  ["password", "string", true, true],
  ["count", "int", false, false],
  ["vault", "object", true, true],
  ["size", "int", false, true],
  ["maybe", "int", false, false],
  ["never", "int", false, true],
  ["corner", "bool", false, true],
  ["circle", "any", false, true],
  ["lost", "any", false, true],
  ["anything", "any", false, true],
] as const;

for (const [name, type, secure, required] of typeTable) {
  test(`the parameter ${name} is read as ${type}`, () => {
    const { type: actual, secure: isSecure, required: isRequired } = parameter(name);

    assert.deepEqual([actual, isSecure, isRequired], [type, secure, required]);
  });
}

const valueTable = [
  ["text", "3000", "3000"],
  ["text", "null", "null"],
  ["anything", "true", "true"],
  ["password", "", ""],
  ["count", "3000", 3000],
  ["count", " -7 ", -7],
  ["count", "-0", 0],
  ["size", "12", 12],
  ["maybe", "null", null],
  ["flag", "TRUE", true],
  ["flag", "false", false],
  ["corner", "true", true],
  ["list", '[1, "a"]', [1, "a"]],
  ["thing", '{"a": {}}', { a: {} }],
  ["vault", '{"key": "k"}', { key: "k" }],
] as const;

for (const [name, text, expected] of valueTable) {
  test(`${name}=${text} is the value ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(textValue(parameter(name), text), expected);
  });
}

const wrongTable = [
  ["count", "3.5"],
  ["count", ""],
  ["count", "0x10"],
  ["count", "9007199254740993"],
  ["size", "null"],
  ["flag", "yes"],
  ["list", "{}"],
  ["list", "a,b"],
  ["thing", "[]"],
  ["thing", "null"],
] as const;

for (const [name, text] of wrongTable) {
  test(`${name}=${text} is refused by the name of the parameter`, () => {
    assert.throws(
      () => textValue(parameter(name), text),
      (error: Error & { code?: string }) =>
        error.code === "InvalidParameterValue" && error.message.includes(`"${name}"`) && error.message.includes(text),
    );
  });
}

test("a secure value that does not fit is not repeated", () => {
  assert.throws(
    () => textValue(parameter("vault"), "hunter2-and-more"),
    (error: Error) => !error.message.includes("hunter2"),
  );
});

test("every integer and every JSON document survives the way through a text", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.array(fc.jsonValue()), (number, list) => {
      assert.equal(textValue(parameter("count"), String(number)), number);
      const text = JSON.stringify(list);
      assert.deepEqual(textValue(parameter("list"), text), JSON.parse(text));
    }),
  );
});

test("later sources override earlier ones as a whole, in the declared spelling", () => {
  const merged = mergeParameters(declared, [
    { kind: "entries", entries: { THING: { value: { a: 1, b: 2 } }, text: { value: "file", metadata: { by: "me" } } } },
    { kind: "texts", texts: { Thing: '{"c": 3}' } },
    { kind: "values", values: { COUNT: 4 } },
    { kind: "texts", texts: { count: "5" } },
    { kind: "entries", entries: { password: { reference: { secretName: "x" } } } },
  ]);

  assert.deepEqual(merged, {
    thing: { value: { c: 3 } },
    text: { value: "file", metadata: { by: "me" } },
    count: { value: 5 },
    password: { reference: { secretName: "x" } },
  });
});

/** A name of a parameter in any letter case. */
const spelling = fc
  .tuple(fc.constantFrom("text", "size", "__proto__", "constructor"), fc.array(fc.boolean()))
  .map(([name, upper]) =>
    name.replaceAll(/./g, (letter, index: number) => (upper[index] ? letter.toUpperCase() : letter)),
  );
const given = fc.array(fc.tuple(spelling, fc.string()));
const parameterSource: fc.Arbitrary<readonly [kind: ParameterSource["kind"], given: [string, string][]]> = fc.tuple(
  fc.constantFrom("texts", "values", "entries"),
  given,
);

test("whatever form sources have and however names are spelled, the last one that sets a parameter counts", () => {
  const names = ["text", "Size", "__proto__", "Constructor"];
  const declaring = declaredParameters({ parameters: Object.fromEntries(names.map((name) => [name, {}])) });

  fc.assert(
    fc.property(fc.array(parameterSource), (sources) => {
      const merged = mergeParameters(
        declaring,
        sources.map(([kind, pairs]): ParameterSource => {
          switch (kind) {
            case "texts":
              return { kind, texts: Object.fromEntries(pairs) };
            case "values":
              return { kind, values: Object.fromEntries(pairs) };
            case "entries":
              return { kind, entries: Object.fromEntries(pairs.map(([name, value]) => [name, { value, by: "file" }])) };
            default:
              return kind satisfies never;
          }
        }),
      );

      const all = sources.flatMap(([kind, pairs]) =>
        // Setting a name again leaves it at its first place in an object, so only names of one spelling replace each other.
        [...new Map(pairs)].map(([name, value]) => ({
          name,
          entry: kind === "entries" ? { value, by: "file" } : { value },
        })),
      );
      const expected = names.flatMap((name) => {
        const last = all.findLast((one) => one.name.toLowerCase() === name.toLowerCase());
        return last === undefined ? [] : [[name, last.entry] as const];
      });
      assert.deepEqual(new Map(Object.entries(merged)), new Map<string, unknown>(expected));
    }),
  );
});

test("all unknown names are reported at once, with the nearest ones there are", () => {
  const merge = () =>
    mergeParameters(declared, [
      { kind: "texts", texts: { pasword: "canary" } },
      { kind: "entries", entries: { zzzzzz: { value: 1 } } },
    ]);

  assert.throws(merge, (error: Error & { code?: string }) => {
    assert.equal(error.code, "UnknownParameter");
    assert.match(error.message, /"pasword" \(did you mean "password"\?\), "zzzzzz"\./);
    return !error.message.includes("canary");
  });
});

test("for many unknown names nobody looks for the nearest of many known ones", () => {
  const many = (prefix: string) =>
    Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${prefix}${index}`, {}]));
  const known = declaredParameters({ parameters: many("name") });

  assert.throws(
    () => mergeParameters(known, [{ kind: "values", values: many("nam") }]),
    (error: Error & { parameters?: string[] }) =>
      error.parameters?.length === 300 && error.message.match(/did you mean/g)?.length === 20,
  );
});

const automatic = { environment: "/env", application: "/app" };

test("environment and application are filled in where they are declared and not set", () => {
  const wanting = declaredParameters({
    parameters: { Environment: { type: "string", defaultValue: "" }, application: { type: "string" } },
  });

  assert.deepEqual(addAutomaticParameters(wanting, { application: { value: "" } }, automatic), {
    application: { value: "" },
    Environment: { value: "/env" },
  });
  assert.deepEqual(addAutomaticParameters(declared, {}, automatic), {});
  assert.deepEqual(addAutomaticParameters(wanting, {}, { environment: undefined, application: undefined }), {});
});

test("everything that is missing is named once, sorted", () => {
  const wanting = declaredParameters({
    parameters: {
      zone: { type: "string" },
      environment: { type: "string" },
      Application: { type: "string" },
      optional: { type: "string", defaultValue: "" },
      nothing: { type: "string", nullable: true },
    },
  });

  assert.throws(
    () => checkNothingMissing(wanting, {}),
    (error: Error & { code?: string; parameters?: string[] }) => {
      assert.equal(error.code, "MissingParameters");
      assert.deepEqual(error.parameters, ["Application", "environment", "zone"]);
      return error.message.endsWith(": Application, environment, zone.");
    },
  );
  checkNothingMissing(wanting, { zone: { value: 1 }, environment: { value: "" }, Application: { value: "" } });
});
