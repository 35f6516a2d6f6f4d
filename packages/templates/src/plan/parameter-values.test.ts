import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import { classic, plan, problems, symbolic, tryPlan, withParameters } from "./testing/plan-kit.ts";

const definitions = {
  name: { type: "string", minLength: 2 },
  maybe: { $ref: "#/definitions/name", nullable: true },
  pair: { type: "array", prefixItems: [{ type: "int" }, { type: "string" }], items: false },
  point: {
    type: "object",
    properties: { x: { type: "int" }, y: { type: "int", nullable: true } },
    additionalProperties: false,
  },
  tree: {
    type: "object",
    properties: { value: { type: "int" }, next: { $ref: "#/definitions/tree", nullable: true } },
  },
  shape: {
    type: "object",
    discriminator: {
      propertyName: "kind",
      mapping: { circle: { type: "object", properties: { r: { type: "int" } } }, dot: { type: "object" } },
    },
  },
};

/** Type node, value, and where it is wrong: nothing when it fits. */
const table: readonly (readonly [JsonObject, JsonValue, string?])[] = [
  [{ type: "string" }, "x"],
  [{ type: "String" }, "x"],
  [{ type: "string" }, 1, "parameters.p"],
  [{ type: "int" }, 1],
  [{ type: "int" }, 1.5, "parameters.p"],
  [{ type: "int" }, "1", "parameters.p"],
  [{ type: "bool" }, "true", "parameters.p"],
  [{ type: "array" }, []],
  [{ type: "array" }, {}, "parameters.p"],
  [{ type: "secureObject" }, {}],
  [{ type: "securestring" }, {}, "parameters.p"],
  [{}, { any: ["thing"] }],
  [{ type: "string", nullable: true }, null],
  [{ type: "string" }, null, "parameters.p"],
  [{ type: "string", allowedValues: ["a", "b"] }, "b"],
  [{ type: "string", allowedValues: ["a", "b"] }, "B", "parameters.p"],
  [{ type: "array", allowedValues: ["a", "b"] }, ["b", "a"]],
  [{ type: "array", allowedValues: ["a", "b"] }, ["a", "c"], "parameters.p"],
  [{ type: "array", allowedValues: [["a"]] }, ["a"]],
  [{ type: "array", allowedValues: [["a"]] }, ["a", "a"], "parameters.p"],
  [{ type: "string", minLength: 2, maxLength: 3 }, "abc"],
  [{ type: "string", minLength: 2, maxLength: 3 }, "a", "parameters.p"],
  [{ type: "string", minLength: 2, maxLength: 3 }, "abcd", "parameters.p"],
  [{ type: "array", maxLength: 1 }, [1, 2], "parameters.p"],
  [{ type: "int", minValue: 2, maxValue: 3 }, 3],
  [{ type: "int", minValue: 2 }, 1, "parameters.p"],
  [{ type: "int", maxValue: 3 }, 4, "parameters.p"],
  [{ type: "array", items: { type: "int" } }, [1, "2"], "parameters.p[1]"],
  [{ $ref: "#/definitions/name" }, "ab"],
  [{ $ref: "#/definitions/name" }, "a", "parameters.p"],
  [{ $ref: "#/definitions/name", minLength: 1 }, "a"],
  [{ $ref: "#/definitions/maybe" }, null],
  [{ $ref: "#/definitions/maybe", nullable: false }, null, "parameters.p"],
  [{ $ref: "#/definitions/point/properties/x" }, 1],
  [{ $ref: "#/definitions/pair/prefixItems/1" }, "x"],
  [{ $ref: "#/definitions/pair" }, [1, "a"]],
  [{ $ref: "#/definitions/pair" }, [1], "parameters.p"],
  [{ $ref: "#/definitions/pair" }, [1, "a", 2], "parameters.p"],
  [{ $ref: "#/definitions/point" }, { x: 1 }],
  [{ $ref: "#/definitions/point" }, { X: 1, Y: null }],
  [{ $ref: "#/definitions/point" }, { y: 1 }, "parameters.p"],
  [{ $ref: "#/definitions/point" }, { x: 1, z: 1 }, "parameters.p"],
  [{ $ref: "#/definitions/point" }, { x: "1" }, "parameters.p.x"],
  [{ type: "object", additionalProperties: { type: "int" } }, { a: 1, b: "2" }, "parameters.p.b"],
  [{ $ref: "#/definitions/tree" }, { value: 1, next: { value: 2 } }],
  [{ $ref: "#/definitions/tree" }, { value: 1, next: { value: "2" } }, "parameters.p.next.value"],
  [{ $ref: "#/definitions/shape" }, { kind: "circle", r: 1 }],
  [{ $ref: "#/definitions/shape" }, { kind: "circle" }, "parameters.p"],
  [{ $ref: "#/definitions/shape" }, { kind: "square" }, "parameters.p"],
];

for (const [node, value, wrongAt] of table) {
  it(`${wrongAt === undefined ? "takes" : "refuses"} ${JSON.stringify(value)} for ${JSON.stringify(node)}`, () => {
    const found = problems(symbolic({ definitions, parameters: { p: node } }), withParameters({ p: value }));

    assert.deepEqual(found, wrongAt === undefined ? [] : [`InvalidParameter ${wrongAt}`]);
  });
}

it("refuses types that do not exist, and references that lead nowhere or back", () => {
  const given = withParameters({ p: "x" });

  assert.deepEqual(problems(classic({ parameters: { p: { type: "text" } } }), given), ["InvalidShape $.parameters.p"]);
  assert.deepEqual(problems(symbolic({ parameters: { p: { $ref: "#/definitions/none" } } }), given), [
    "InvalidShape $.parameters.p",
  ]);
  const loop = { $ref: "#/definitions/loop" };
  assert.deepEqual(problems(symbolic({ definitions: { loop }, parameters: { p: loop } }), given), [
    "Cycle $.definitions.loop",
    "Cycle $.parameters.p",
  ]);
});

it("follows a reference into a type that is a reference itself", () => {
  const definitions = {
    alias: { $ref: "#/definitions/target" },
    target: { type: "object", properties: { x: { type: "int" } } },
    round: { $ref: "#/definitions/round/properties/x" },
  };
  const parameters = { p: { $ref: "#/definitions/alias/properties/x" } };

  assert.deepEqual(
    problems(symbolic({ definitions: { ...definitions, round: {} }, parameters }), withParameters({ p: "1" })),
    ["InvalidParameter parameters.p"],
  );
  assert.deepEqual(problems(symbolic({ definitions })), ["Cycle $.definitions.round"]);
});

it("refuses a long way of references, each into a type that is one itself", () => {
  const length = 5_000;
  const links = Array.from({ length }, (_, index) => [
    `t${index}`,
    { $ref: `#/definitions/t${index + 1}/properties/x` },
  ]);
  const end = { type: "object", properties: { x: { type: "string" } } };
  const definitions = { ...Object.fromEntries(links), [`t${length}`]: end } as JsonObject;

  assert.equal(problems(symbolic({ definitions }))[0], "LimitExceeded $.definitions.t0");
});

const brokenTypes: readonly (readonly [string, JsonObject, string])[] = [
  ["an output of no type", { outputs: { o: { type: "text", value: 1 } } }, "$.outputs.o"],
  ["an output of a missing type", { outputs: { o: { $ref: "#/definitions/none", value: 1 } } }, "$.outputs.o"],
  [
    "a function with a result of no type",
    { functions: [{ namespace: "n", members: { f: { output: { type: "text", value: 1 } } } }] },
    "$.functions[0].members.f.output",
  ],
  ["a definition of no type", { definitions: { t: { type: "text" } } }, "$.definitions.t"],
  [
    "a property of no type",
    { definitions: { t: { properties: { x: { type: "text" } } } } },
    "$.definitions.t.properties.x",
  ],
  ["allowed values that are no list", { definitions: { t: { allowedValues: "x" } } }, "$.definitions.t.allowedValues"],
  ["a length below zero", { definitions: { t: { minLength: -1 } } }, "$.definitions.t.minLength"],
  ["a least value that is a text", { definitions: { t: { minValue: "1" } } }, "$.definitions.t.minValue"],
  ["nullable being a text", { definitions: { t: { nullable: "yes" } } }, "$.definitions.t.nullable"],
  ["properties that are a list", { definitions: { t: { properties: [] } } }, "$.definitions.t.properties"],
  ["items that are a text", { definitions: { t: { items: "int" } } }, "$.definitions.t.items"],
  ["first items by name", { definitions: { t: { prefixItems: {} } } }, "$.definitions.t.prefixItems"],
  ["a discriminator without mapping", { definitions: { t: { discriminator: {} } } }, "$.definitions.t.discriminator"],
];

for (const [what, parts, path] of brokenTypes) {
  it(`refuses ${what} before anything is deployed`, () => {
    assert.deepEqual(problems(symbolic(parts)), [`InvalidShape ${path}`]);
  });
}

it("wants every parameter that has no default, and none that the template does not declare", () => {
  const template = classic({ parameters: { a: { type: "string" }, b: { type: "string", defaultValue: "x" } } });

  assert.deepEqual(problems(template), ["MissingParameter parameters.a"]);
  assert.deepEqual(problems(template, withParameters({ A: "x", c: 1 })), ["UnknownParameter parameters.c"]);
});

it("takes the default for null, and null where that is allowed and there is no default", () => {
  const template = symbolic({
    parameters: { a: { type: "string", defaultValue: "x" }, b: { type: "string", nullable: true } },
  });

  const made = plan(template, withParameters({ a: null }));

  assert.deepEqual(made.parameters, {
    a: { type: "String", secure: false, value: "x" },
    b: { type: "String", secure: false, value: null },
  });
});

it("says once what is wrong with a default", () => {
  const parameters = {
    read: { type: "string", defaultValue: "[reference('a').id]" },
    called: { type: "string", defaultValue: "[nope()]" },
    missing: { type: "string" },
  };

  assert.deepEqual(problems(symbolic({ parameters })), [
    "FunctionNotAllowed $.parameters.read.defaultValue",
    "UnknownFunction $.parameters.called.defaultValue",
    "MissingParameter parameters.missing",
  ]);
});

it("lets defaults use other parameters in any order, but not in a circle", () => {
  const made = plan(
    classic({
      parameters: {
        a: { type: "string", defaultValue: "[concat(parameters('b'), '!')]" },
        b: { type: "string", defaultValue: "b" },
      },
    }),
  );
  assert.equal(made.parameters["a"]?.value, "b!");

  const failed = tryPlan(
    classic({
      parameters: {
        a: { type: "string", defaultValue: "[parameters('b')]" },
        b: { type: "string", defaultValue: "[parameters('a')]" },
      },
    }),
  );
  assert.ok(failed.kind === "failed");
  assert.equal(failed.errors.length, 1);
  assert.equal(failed.errors[0]?.reason, "Cycle");
  assert.match(failed.errors[0]?.message ?? "", /a → b → a/);
});

it("checks defaults against the type too", () => {
  assert.deepEqual(problems(classic({ parameters: { a: { type: "int", defaultValue: "x" } } })), [
    "InvalidParameter $.parameters.a.defaultValue",
  ]);
});

it("evaluates the expressions of a parameters file with the inputs that were fetched for it", () => {
  const template = classic({ parameters: { a: { type: "string" } } });
  const parameters = { a: { expression: "[toUpper(externalInputs('key'))]" } };

  const made = plan(template, { parameters, externalInputs: { key: "x" } });

  assert.equal(made.parameters["a"]?.value, "X");
  assert.deepEqual(problems(template, { parameters }), ["InvalidArgument parameters.a"]);
});

it("does not read key vaults, and says so", () => {
  const template = classic({ parameters: { a: { type: "securestring" } } });

  assert.deepEqual(problems(template, { parameters: { a: { reference: {} } } }), ["Unsupported parameters.a"]);
});

it("runs the rule of a type that validates itself", () => {
  const template = symbolic({
    parameters: {
      p: { type: "string", validate: ["[lambda('x', startsWith(lambdaVariables('x'), 'a'))]", "must start with a"] },
    },
  });

  assert.deepEqual(problems(template, withParameters({ p: "abc" })), []);
  assert.deepEqual(problems(template, withParameters({ p: "xbc" })), ["InvalidParameter parameters.p"]);
});

it("plans again from the values of a plan without asking for the time or a GUID", () => {
  const template = classic({ parameters: { g: { type: "string", defaultValue: "[concat(newGuid(), utcNow())]" } } });
  const first = plan(template);

  const again = plan(template, {
    ...withParameters({ g: first.parameters["g"]?.value ?? null }),
    now: new Date(0),
    newGuid: () => assert.fail("asked for a GUID"),
  });

  assert.deepEqual(again.parameters, first.parameters);
});

it("refuses a parameter that is given in two spellings", () => {
  const template = symbolic({ parameters: { name: { type: "string" } } });

  assert.deepEqual(problems(template, withParameters({ name: "a", Name: "b" })), ["InvalidParameter parameters.Name"]);
});
