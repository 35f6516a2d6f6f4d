import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import { classic, plan, problems, symbolic, thing, tryPlan } from "./testing/plan-kit.ts";

const subscription = "https://schema.management.azure.com/schemas/2018-05-01/subscriptionDeploymentTemplate.json#";

it("accepts all five language versions, and no other", () => {
  for (const version of ["1.9-experimental", "2.0", "2.1-experimental", "2.2-experimental"]) {
    assert.deepEqual(problems(symbolic({ languageVersion: version, resources: { a: thing("a") } })), [], version);
  }
  assert.deepEqual(problems(classic({})), []);
  assert.deepEqual(problems(classic({ languageVersion: "1.0" })), []);
  assert.deepEqual(problems(symbolic({ languageVersion: "3.0" })), ["InvalidShape $.languageVersion"]);
});

const shapes: readonly (readonly [string, JsonValue, string])[] = [
  ["no object", [], "InvalidShape $"],
  ["no schema", withoutMember(classic({}), "$schema"), "InvalidShape $.$schema"],
  ["another schema", classic({ $schema: "https://example.com/other.json" }), "InvalidShape $.$schema"],
  ["no content version", withoutMember(classic({}), "contentVersion"), "InvalidShape $.contentVersion"],
  ["no resources", withoutMember(classic({}), "resources"), "InvalidShape $.resources"],
  ["resources by name in 1.0", classic({ resources: {} }), "InvalidShape $.resources"],
  ["a list of resources in 2.0", symbolic({ resources: [] }), "InvalidShape $.resources"],
  ["a resource that is a text", symbolic({ resources: { a: "x" } }), "InvalidShape $.resources.a"],
  ["parameters that are a list", classic({ parameters: [] }), "InvalidShape $.parameters"],
  ["a parameter that is a text", classic({ parameters: { p: "string" } }), "InvalidShape $.parameters.p"],
  ["functions by name", classic({ functions: {} }), "InvalidShape $.functions"],
  ["functions without a namespace", classic({ functions: [{ members: {} }] }), "InvalidShape $.functions[0]"],
  ["an import without a version", symbolic({ imports: { r: { provider: "Radius" } } }), "InvalidShape $.imports.r"],
  [
    "a variable loop without input",
    classic({ variables: { copy: [{ name: "v", count: 1 }] } }),
    "InvalidLoop $.variables.copy[0]",
  ],
  ["an output without value", classic({ outputs: { o: { type: "string" } } }), "InvalidShape $.outputs.o"],
  ["a subscription template without Azure", classic({ $schema: subscription }), "MissingScope $.$schema"],
];

for (const [name, template, expected] of shapes) {
  it(`refuses a template with ${name}`, () => {
    assert.deepEqual(problems(template), [expected]);
  });
}

it("finds its sections and resource members in any letter case", () => {
  const made = plan(
    symbolic({
      PARAMETERS: { Name: { Type: "STRING", DefaultValue: "x" } },
      resources: {
        a: { IMPORT: "RADIUS", Type: "Radius.Test/things@1", Properties: { Name: "[parameters('NAME')]" } },
      },
    }),
  );

  assert.equal(made.nodes.get("a")?.kind, "extension");
});

it("reports everything that is wrong at once, each with its path", () => {
  const template = symbolic({
    variables: { a: "[nope()]", b: "[concat('x']" },
    resources: { r: thing("[parameters('missing')]"), s: { type: "A.B/c" } },
  });

  assert.deepEqual(problems(template).sort(), [
    "ExpressionSyntax $.variables.b",
    "InvalidShape $.resources.s",
    "UnknownFunction $.variables.a",
    "UnknownParameter $.resources.r.properties.name",
  ]);
});

it("suggests the nearest function, parameter and variable, and gives the position of the call", () => {
  const result = tryPlan(
    classic({
      parameters: { location: { type: "string", defaultValue: "x" } },
      variables: { a: "[toLowr('X')]", b: "[parameters('locatin')]" },
    }),
  );

  assert.ok(result.kind === "failed");
  assert.match(result.errors[0]?.message ?? "", /"toLower"/);
  assert.equal(result.errors[0]?.position, 1);
  assert.match(result.errors[1]?.message ?? "", /"location"/);
  assert.ok(result.errors.every(({ code }) => code === "InvalidTemplate"));
});

const placements: readonly (readonly [string, JsonObject])[] = [
  ["in the default of a parameter", { parameters: { p: { type: "string", defaultValue: "[reference('a').x]" } } }],
  ["in a variable", { variables: { v: "[listKeys('a', '1')]" } }],
  ["in the name of a resource", { resources: { b: thing("[reference('a').x]") } }],
  ["in a condition", { resources: { b: thing("b", { condition: "[reference('a').x]" }) } }],
  ["in the count of a loop", { resources: { b: thing("b", { copy: { name: "b", count: "[reference('a').x]" } }) } }],
  ["in dependsOn", { resources: { b: thing("b", { dependsOn: ["[reference('a').x]"] }) } }],
];

for (const [where, parts] of placements) {
  it(`refuses to read a resource ${where}`, () => {
    assert.match(problems(symbolic(parts))[0] ?? "", /^FunctionNotAllowed /);
  });
}

it("allows the time and new GUIDs in the defaults of parameters only", () => {
  assert.deepEqual(problems(classic({ variables: { v: "[utcNow()]" } })), ["FunctionNotAllowed $.variables.v"]);
  assert.deepEqual(problems(classic({ outputs: { o: { value: "[newGuid()]" } } })), [
    "FunctionNotAllowed $.outputs.o.value",
  ]);

  const made = plan(
    classic({
      parameters: {
        t: { type: "string", defaultValue: "[utcNow()]" },
        g: { type: "string", defaultValue: "[newGuid()]" },
      },
    }),
  );

  assert.equal(made.parameters["t"]?.value, "20240506T070809Z");
  assert.equal(made.parameters["g"]?.value, "0d5b1e7e-8a1c-4c41-9a3e-0a3f6e0a4b11");
});

function withoutMember(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([member]) => member !== name));
}

const one = { type: "int", defaultValue: 1, value: 1 };
const numbers = (...names: string[]): JsonObject => Object.fromEntries(names.map((name) => [name, { output: one }]));
const radius = { provider: "Radius", version: "latest" };

const twins: readonly (readonly [string, JsonObject, string])[] = [
  ["parameters", { parameters: { a: one, A: one } }, "$.parameters.A"],
  ["outputs", { outputs: { a: one, A: one } }, "$.outputs.A"],
  ["variables", { variables: { a: 1, A: 2 } }, "$.variables.A"],
  [
    "a variable and a loop of variables",
    { variables: { a: 1, copy: [{ name: "A", count: 1, input: 1 }] } },
    "$.variables.copy[0]",
  ],
  ["functions", { functions: [{ namespace: "n", members: numbers("f", "F") }] }, "$.functions[0].members.F"],
  [
    "functions of one namespace in two parts",
    {
      functions: [
        { namespace: "n", members: numbers("f") },
        { namespace: "N", members: numbers("f") },
      ],
    },
    "$.functions[1].members.f",
  ],
  [
    "parameters of a function",
    {
      functions: [
        { namespace: "n", members: { f: { parameters: [{ name: "x" }, { name: "X" }], output: { value: 1 } } } },
      ],
    },
    "$.functions[0].members.f.parameters[1]",
  ],
  ["definitions", { definitions: { t: { type: "int" }, T: { type: "string" } } }, "$.definitions.T"],
  ["imports", { imports: { r: radius, R: radius } }, "$.imports.R"],
  [
    "an import and an extension",
    { imports: { r: radius }, extensions: { R: { name: "AWS", version: "1" } } },
    "$.extensions.R",
  ],
  ["resources", { resources: { a: thing("a"), A: thing("b") } }, "$.resources.A"],
  ["sections", { Variables: {}, variables: {} }, "$.variables"],
  ["members of a resource", { resources: { a: thing("a", { TYPE: "A.B/c@1" }) } }, "$.resources.a.TYPE"],
  ["assertions", { asserts: { a: true, A: true } }, "$.asserts.A"],
];

for (const [what, parts, path] of twins) {
  it(`refuses ${what} whose names differ in letter case only`, () => {
    assert.deepEqual(problems(symbolic(parts)), [`InvalidShape ${path}`]);
  });
}
