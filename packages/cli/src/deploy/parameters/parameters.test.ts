import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { declaredParameters } from "./declared-parameters.ts";
import { inlineValue } from "./inline-value.ts";
import { parseParameterArgument } from "./parameter-argument.ts";
import { addAutomaticParameters, checkNothingMissing, mergeParameters } from "./parameter-set.ts";

const argumentTable = [
  ["port=3000", { kind: "inline", name: "port", text: "3000" }],
  ["query=a=b=c", { kind: "inline", name: "query", text: "a=b=c" }],
  ["empty=", { kind: "inline", name: "empty", text: "" }],
  ["at=@", { kind: "inline", name: "at", text: "@" }],
  ["text= two words ", { kind: "inline", name: "text", text: " two words " }],
  ["mail=me@example.com", { kind: "inline", name: "mail", text: "me@example.com" }],
  ["file=app.bicepparam", { kind: "inline", name: "file", text: "app.bicepparam" }],
  ["tags=@tags.json", { kind: "valueFile", name: "tags", file: "tags.json" }],
  ["@params.json", { kind: "file", file: "params.json" }],
  ["@a=b.json", { kind: "file", file: "a=b.json" }],
  ["@app.bicepparam", { kind: "bicepparam", file: "app.bicepparam" }],
  ["app.bicepparam", { kind: "bicepparam", file: "app.bicepparam" }],
  ["../x/App.BicepParam", { kind: "bicepparam", file: "../x/App.BicepParam" }],
] as const;

for (const [text, expected] of argumentTable) {
  test(`-p ${text} is understood as ${expected.kind}`, () => {
    assert.deepEqual(parseParameterArgument(text), expected);
  });
}

for (const text of ["", "@", "=", "=value", "  =value", "novalue", "params.json"]) {
  test(`-p "${text}" is refused and quoted`, () => {
    assert.throws(
      () => parseParameterArgument(text),
      (error: Error & { code?: string }) =>
        error.code === "InvalidParameter" && error.message.startsWith(`"${text}" is not a parameter`),
    );
  });
}

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
    assert.deepEqual(inlineValue(parameter(name), text), expected);
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
      () => inlineValue(parameter(name), text),
      (error: Error & { code?: string }) =>
        error.code === "InvalidParameterValue" && error.message.includes(`"${name}"`) && error.message.includes(text),
    );
  });
}

test("a secure value that does not fit is not repeated", () => {
  assert.throws(
    () => inlineValue(parameter("vault"), "hunter2-and-more"),
    (error: Error) => !error.message.includes("hunter2"),
  );
});

test("every integer and every JSON document survives the way through a command line", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.array(fc.jsonValue()), (number, list) => {
      assert.equal(inlineValue(parameter("count"), String(number)), number);
      const text = JSON.stringify(list);
      assert.deepEqual(inlineValue(parameter("list"), text), JSON.parse(text));
    }),
  );
});

test("later sources override earlier ones as a whole, in the declared spelling", () => {
  const merged = mergeParameters(declared, [
    { kind: "entries", entries: { THING: { value: { a: 1, b: 2 } }, text: { value: "file", metadata: { by: "me" } } } },
    { kind: "inline", name: "Thing", text: '{"c": 3}' },
    { kind: "value", name: "COUNT", value: 4 },
    { kind: "inline", name: "count", text: "5" },
    { kind: "entries", entries: { password: { reference: { secretName: "x" } } } },
  ]);

  assert.deepEqual(merged, {
    thing: { value: { c: 3 } },
    text: { value: "file", metadata: { by: "me" } },
    count: { value: 5 },
    password: { reference: { secretName: "x" } },
  });
});

test("all unknown names are reported at once, with the nearest ones there are", () => {
  const merge = () =>
    mergeParameters(declared, [
      { kind: "inline", name: "pasword", text: "canary" },
      { kind: "entries", entries: { zzzzzz: { value: 1 } } },
    ]);

  assert.throws(merge, (error: Error & { code?: string }) => {
    assert.equal(error.code, "UnknownParameter");
    assert.match(error.message, /"pasword" \(did you mean "password"\?\), "zzzzzz"\./);
    return !error.message.includes("canary");
  });
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

test("everything that is missing is named once, sorted, with the flag that sets it", () => {
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
    (error: Error & { code?: string }) => {
      assert.equal(error.code, "MissingParameters");
      assert.deepEqual(error.message.split("\n").slice(1), [
        "  - Application: use `--application <name>`",
        "  - environment: use `--environment <name>`",
        "  - zone: use `--parameters zone=<value>`",
      ]);
      return true;
    },
  );
  checkNothingMissing(wanting, { zone: { value: 1 }, environment: { value: "" }, Application: { value: "" } });
});
