import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import type { DeployRequest } from "./plan.ts";
import {
  azureGroup,
  classic,
  group,
  inAzure,
  outputs,
  plan,
  problems,
  request,
  results,
  symbolic,
  thing,
  withParameters,
  type Options,
  evaluateNodeAtOnce,
} from "./testing/plan-kit.ts";

function nested(template: JsonObject, properties: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return {
    type: "Microsoft.Resources/deployments",
    apiVersion: "2025-04-01",
    name: "mod",
    properties: { mode: "Incremental", expressionEvaluationOptions: { scope: "inner" }, template, ...properties },
    ...more,
  };
}

const outer = { expressionEvaluationOptions: { scope: "outer" } };

/** Plans what a nested deployment would be asked to do. */
function planChild(deploy: DeployRequest, options: Options = {}) {
  return plan(deploy.template ?? null, {
    deployment: { name: deploy.name },
    parameters: deploy.parameters,
    scopes: deploy.scopes,
    ...options,
  });
}

it("hands a template with inner scope on as it is, with evaluated parameters", () => {
  const child = symbolic({
    parameters: { p: { type: "string" }, q: { type: "object" } },
    outputs: { o: { type: "string", value: "[parameters('p')]" } },
  });
  const made = plan(
    symbolic({
      variables: { v: "x" },
      resources: {
        mod: nested(child, {
          parameters: {
            p: { value: "[concat(variables('v'), deployment().name)]" },
            q: "[createObject('value', createObject())]",
          },
        }),
      },
    }),
  );

  const deploy = request("deploy", made, "mod");

  assert.deepEqual(deploy.template, child);
  assert.deepEqual(deploy.parameters, { p: { value: "xmain" }, q: { value: {} } });
  assert.equal(deploy.id, `${group}/providers/Microsoft.Resources/deployments/mod`);
  assert.equal(outputs(planChild(deploy))["o"]?.value, "xmain");
});

it("runs loops over parameters, and passes references to key vaults on", () => {
  const child = symbolic({ parameters: { list: { type: "array" }, s: { type: "securestring" } } });
  const reference = { keyVault: { id: "/kv" }, secretName: "s" };
  const made = plan(
    symbolic({
      resources: {
        mod: nested(child, {
          parameters: {
            list: { copy: [{ name: "value", count: 2, input: "[copyIndex('value')]" }] },
            s: { reference },
          },
        }),
      },
    }),
  );

  assert.deepEqual(request("deploy", made, "mod").parameters, { list: { value: [0, 1] }, s: { reference } });
});

it("waits for the outputs of one module to become the parameters of the next", () => {
  const child = symbolic({ parameters: { p: { type: "string" } } });
  const made = plan(
    symbolic({
      resources: {
        one: nested(symbolic({}), {}, { name: "one" }),
        two: nested(child, { parameters: { p: { value: "[reference('one').outputs.o.value]" } } }, { name: "two" }),
      },
    }),
  );
  assert.deepEqual(made.nodes.get("two")?.dependsOn, ["one"]);

  const known = results({ one: { properties: { outputs: { o: { type: "String", value: "v" } } } } });
  assert.deepEqual(request("deploy", made, "two", known).parameters, { p: { value: "v" } });

  const preview = evaluateNodeAtOnce(made, "two", results(), { preview: true });
  assert.ok(preview.kind === "ready" && preview.value.kind === "deploy");
  assert.deepEqual(preview.value.parameters, { p: { unknown: true } });
});

it("finds a module by the id that the compiler writes without symbolic names", () => {
  const made = plan(
    classic({
      resources: [
        nested(classic({})),
        {
          type: "A.B/c",
          apiVersion: "1",
          name: "x",
          properties: {
            o: "[reference(resourceId('Microsoft.Resources/deployments', 'mod'), '2025-04-01').outputs.o.value]",
          },
        },
      ],
    }),
    inAzure,
  );

  assert.deepEqual(made.nodes.get("resources[1]")?.dependsOn, ["resources[0]"]);
  const known = results({ "resources[0]": { properties: { outputs: { o: { value: 1 } } } } });
  assert.deepEqual(request("put", made, "resources[1]", known).body, { properties: { o: 1 } });
});

const targets: readonly (readonly [JsonObject, string])[] = [
  [{}, azureGroup],
  [{ resourceGroup: "g2" }, "/subscriptions/s1/resourceGroups/g2"],
  [{ subscriptionId: "s2", resourceGroup: "g2" }, "/subscriptions/s2/resourceGroups/g2"],
  [{ subscriptionId: "s2", location: "westus" }, "/subscriptions/s2"],
  [{ scope: "/" }, "/"],
  [
    { scope: "[format('Microsoft.Management/managementGroups/{0}', 'm')]" },
    "/providers/Microsoft.Management/managementGroups/m",
  ],
];

for (const [target, az] of targets) {
  it(`deploys to ${az} for ${JSON.stringify(target)}`, () => {
    const made = plan(classic({ resources: [nested(classic({}), {}, target)] }), inAzure);

    const { scopes, id } = request("deploy", made, "resources[0]");

    assert.deepEqual(scopes, { radius: group, deployments: group, az });
    assert.equal(id, `${group}/providers/Microsoft.Resources/deployments/mod`);
  });
}

it("finds mistakes in nested templates before anything runs, with the path from the outermost", () => {
  const innermost = symbolic({ variables: { v: "[nope()]" }, resources: { a: thing("[parameters('none')]") } });
  const middle = symbolic({ resources: { deep: nested(innermost) } });

  assert.deepEqual(problems(symbolic({ resources: { mod: nested(middle) } })), [
    "UnknownFunction $.resources.mod.properties.template.resources.deep.properties.template.variables.v",
    "UnknownParameter $.resources.mod.properties.template.resources.deep.properties.template.resources.a.properties.name",
  ]);
});

it("compares the parameters that are given with those that are declared", () => {
  const child = symbolic({ parameters: { needed: { type: "string" }, free: { type: "string", nullable: true } } });

  assert.deepEqual(problems(symbolic({ resources: { mod: nested(child, { parameters: { other: { value: 1 } } }) } })), [
    "UnknownParameter $.resources.mod.properties.parameters.other",
    "MissingParameter $.resources.mod.properties.parameters",
  ]);
});

const wrongForms: readonly JsonValue[] = [1, {}, { value: 1, reference: {} }, { Value: 1, expression: "x" }];

const wrong: readonly (readonly [string, JsonObject, string])[] = [
  ["a long name", nested(classic({}), {}, { name: "x".repeat(65) }), "InvalidName $.resources[0]"],
  ["blanks in its name", nested(classic({}), {}, { name: "a b" }), "InvalidName $.resources[0]"],
  ["mode Complete", nested(classic({}), { mode: "Complete" }), "Unsupported $.resources[0].properties.mode"],
  [
    "onErrorDeployment",
    nested(classic({}), { onErrorDeployment: { type: "LastSuccessful" } }),
    "Unsupported $.resources[0].properties.onErrorDeployment",
  ],
  [
    "a template and a link",
    nested(classic({}), { templateLink: { uri: "x" } }),
    "InvalidShape $.resources[0].properties",
  ],
  [
    "parameters and a link to others",
    nested(classic({ parameters: { p: { type: "int" } } }), {
      parameters: { p: { value: 1 } },
      parametersLink: { uri: "x" },
    }),
    "InvalidShape $.resources[0].properties",
  ],
  ...wrongForms.map((given): readonly [string, JsonObject, string] => [
    `${JSON.stringify(given)} for a parameter`,
    nested(classic({ parameters: { p: { type: "int" } } }), { parameters: { p: given } }),
    "InvalidShape $.resources[0].properties.parameters.p",
  ]),
  [
    "a parameter in two spellings",
    nested(classic({ parameters: { p: { type: "int" } } }), { parameters: { p: { value: 1 }, P: { value: 2 } } }),
    "InvalidShape $.resources[0].properties.parameters.P",
  ],
  ["options", nested(classic({}), {}, { "@options": { onlyIfNotExists: [] } }), "Unsupported $.resources[0].@options"],
  [
    "another scope of expressions",
    nested(classic({}), { expressionEvaluationOptions: { scope: "both" } }),
    "InvalidShape $.resources[0].properties.expressionEvaluationOptions.scope",
  ],
];

for (const [name, resource, expected] of wrong) {
  it(`refuses a nested deployment with ${name}`, () => {
    assert.deepEqual(problems(classic({ resources: [resource] })), [expected]);
  });
}

it("takes null for what a nested deployment leaves out", () => {
  const nulls = { templateLink: null, parametersLink: null, parameters: null, extensionConfigs: null };
  const made = plan(classic({ resources: [nested(classic({}), nulls, { location: null, tags: null })] }));

  assert.partialDeepStrictEqual(request("deploy", made, "resources[0]"), { template: classic({}), parameters: {} });
});

it("passes a link to a template on, evaluated", () => {
  const { template: _, ...properties } = nested(classic({}))["properties"] as JsonObject;
  const resource = {
    ...nested(classic({})),
    properties: { ...properties, templateLink: { uri: "[concat('https://', 'x')]" } },
  };

  const deploy = request("deploy", plan(classic({ resources: [resource] })), "resources[0]");

  assert.deepEqual(deploy.templateLink, { uri: "https://x" });
  assert.equal(deploy.template, undefined);
});

for (const options of [undefined, { scope: "outer" }, { scope: "inner" }]) {
  it(`hands a linked template its own parameters with the scope ${options?.scope ?? "left open"}`, () => {
    const resource = {
      ...nested(classic({})),
      properties: {
        mode: "Incremental",
        templateLink: { uri: "https://x" },
        parameters: { own: { value: "[parameters('p')]" } },
        ...(options === undefined ? {} : { expressionEvaluationOptions: options }),
      },
    };
    const template = classic({
      parameters: { p: { type: "string", defaultValue: "outer" } },
      resources: [resource],
    });

    const deploy = request("deploy", plan(template), "resources[0]");

    assert.deepEqual(deploy.parameters, { own: { value: "outer" } });
  });
}

it("evaluates a template with outer scope with the names of the template around it", () => {
  const child = classic({
    parameters: { ignored: { type: "string" } },
    variables: { v: "inner" },
    resources: [
      {
        type: "A.B/c",
        apiVersion: "1",
        name: "[format('x{0}', copyIndex())]",
        copy: { name: "l", count: 2 },
        properties: { i: "[concat(variables('v'), string(copyIndex()))]" },
      },
    ],
    outputs: {
      p: { type: "string", value: "[parameters('p')]" },
      v: { type: "string", value: "[variables('v')]" },
      name: { type: "string", value: "[deployment().name]" },
      made: { type: "string", value: "[reference('x').made]" },
      literal: { type: "string", value: "[[text]" },
    },
  });
  const made = plan(
    classic({
      parameters: { p: { type: "string", defaultValue: "outer" }, s: { type: "securestring", defaultValue: "hush" } },
      variables: { v: "[concat(deployment().name, '[x]')]", bracket: "[concat('[', 'x]')]" },
      resources: [{ type: "A.B/c", apiVersion: "1", name: "x", properties: {} }, nested(child, outer)],
    }),
    inAzure,
  );
  assert.deepEqual(made.nodes.get("resources[1]")?.dependsOn, ["resources[0]"]);

  const deploy = request(
    "deploy",
    made,
    "resources[1]",
    results({ "resources[0]": { properties: { made: "[looks like one]" } } }),
  );
  const inner = planChild(deploy);

  const found = Object.entries(outputs(inner)).map(([name, { value }]): [string, JsonValue | undefined] => [
    name,
    value,
  ]);
  assert.deepEqual(Object.fromEntries(found), {
    p: "outer",
    v: "main[x]",
    name: "main",
    made: "[looks like one]",
    literal: "[text]",
  });
  assert.deepEqual(request("put", inner, "resources[0][1]").body, { properties: { i: "main[x]1" } });
  assert.equal(inner.parameters["s"]?.secure, true);
});

it("writes no value of a variable that rests on a secret into a template with outer scope", () => {
  const names = ["text", "number", "loop", "named", "nameLoop", "both"];
  const values = names.map((name) => [name, { type: "object", value: { v: `[variables('${name}')]` } }]);
  const child = classic({ outputs: Object.fromEntries(values) as JsonObject });
  const made = plan(
    classic({
      parameters: { s: { type: "secureObject" } },
      variables: {
        text: "[toUpper(parameters('s').text)]",
        number: "[add(parameters('s').pin, 1)]",
        named: "[deployment().name]",
        both: "[concat(variables('named'), variables('text'))]",
        copy: [
          { name: "loop", count: 2, input: "[add(parameters('s').pin, copyIndex('loop'))]" },
          { name: "nameLoop", count: 2, input: "[concat(deployment().name, string(copyIndex('nameLoop')))]" },
        ],
      },
      resources: [nested(child, outer)],
    }),
    { ...inAzure, ...withParameters({ s: { text: "hush", pin: 48_151 } }) },
  );

  const deploy = request("deploy", made, "resources[0]");
  const inner = outputs(planChild(deploy));

  assert.doesNotMatch(JSON.stringify(deploy.template), /HUSH|4815/);
  assert.deepEqual(
    names.map((name) => inner[name]?.value),
    ["HUSH", 48_152, [48_151, 48_152], "main", ["main0", "main1"], "mainHUSH"].map((v) => ({ v })),
  );
});

it("evaluates the round of a nested deployment in its template with outer scope, and leaves its own loops to it", () => {
  const inLoop = {
    "a.b": "[copyIndex('own')]",
    a: { b: "[copyIndex('mods')]", n: "[if(true(), null(), copyIndex())]" },
  };
  const child = classic({
    resources: [
      {
        type: "A.B/c",
        apiVersion: "1",
        name: "[concat('x', copyIndex(10))]",
        properties: { i: "[copyIndex('mods')]" },
      },
      {
        type: "A.B/c",
        apiVersion: "1",
        name: "[concat('y', copyIndex())]",
        copy: { name: "own", count: 3 },
        properties: { ...inLoop, copy: [{ name: "p", count: 2, input: "[copyIndex('p')]" }] },
      },
    ],
    outputs: {
      o: { type: "int", value: "[copyIndex()]" },
      all: { type: "array", copy: { count: 2, input: "[copyIndex()]" } },
    },
  });
  const loop = { name: "[concat('mod', copyIndex())]", copy: { name: "mods", count: 2 } };
  const made = plan(classic({ resources: [nested(child, outer, loop)] }), inAzure);

  const inner = planChild(request("deploy", made, "resources[0][1]"));

  assert.deepEqual(
    [...inner.nodes.values()].map((node) => (node.kind === "barrier" ? "" : node.name)),
    ["x11", "y0", "y1", "y2"],
  );
  assert.deepEqual(request("put", inner, "resources[0]").body, { properties: { i: 1 } });
  assert.deepEqual(request("put", inner, "resources[1][2]").body, {
    properties: { "a.b": 2, a: { b: 1, n: null }, p: [0, 1] },
  });
  assert.deepEqual(outputs(inner)["o"]?.value, 1);
  assert.deepEqual(outputs(inner)["all"]?.value, [0, 1]);
});

it("tells of a round that a nested template cannot know", () => {
  const looped = { name: "[concat('mod', copyIndex())]", copy: { name: "mods", count: 2 } };
  const gives = (value: string): JsonObject => classic({ outputs: { o: { value } } });
  const both = classic({
    resources: [
      {
        type: "A.B/c",
        apiVersion: "1",
        name: "[concat(string(copyIndex('mods')), string(copyIndex()))]",
        copy: { name: "own", count: 2 },
      },
    ],
  });
  const at = "$.resources[0].properties.template";
  const found = (...parts: Parameters<typeof nested>) => problems(classic({ resources: [nested(...parts)] }), inAzure);

  assert.deepEqual(found(gives("[copyIndex('mods')]"), {}, looped), [`FunctionNotAllowed ${at}.outputs.o.value`]);
  assert.deepEqual(found(gives("[copyIndex('other')]"), outer, looped), [`FunctionNotAllowed ${at}.outputs.o.value`]);
  assert.deepEqual(found(gives("[copyIndex()]"), outer), [`FunctionNotAllowed ${at}.outputs.o.value`]);
  assert.deepEqual(found(both, outer, looped), [`Unsupported ${at}.resources[0].name`]);
});

it("refuses an expression that is about a loop of the nested template and about the deployment around it", () => {
  const named = (name: string): JsonObject =>
    classic({ resources: [{ type: "A.B/c", apiVersion: "1", name, copy: { name: "own", count: 2 } }] });
  const found = (name: string, more: JsonObject = {}) =>
    problems(classic({ resources: [nested(named(name), outer, more)] }), inAzure);
  const wrong = ["Unsupported $.resources[0].properties.template.resources[0].name"];

  assert.deepEqual(found("[concat(deployment().name, copyIndex())]"), wrong);
  assert.deepEqual(found("[concat(resourceGroup().name, copyIndex())]"), []);
  assert.deepEqual(found("[concat(resourceGroup().name, copyIndex())]", { resourceGroup: "other" }), wrong);
});

it("leaves a template with inner scope alone that lies within one with outer scope", () => {
  const innermost = classic({ outputs: { o: { type: "string", value: "[deployment().name]" } } });
  const made = plan(
    classic({
      resources: [nested(classic({ resources: [nested(innermost, {}, { name: "in" })] }), outer, { name: "out" })],
    }),
  );

  const middle = planChild(request("deploy", made, "resources[0]"));
  const last = planChild(request("deploy", middle, "resources[0]"));

  assert.equal(outputs(last)["o"]?.value, "in");
});

it("stops at deployments that nest without end", () => {
  let template = symbolic({});
  for (let depth = 0; depth < 8; depth += 1) {
    template = symbolic({ resources: { mod: nested(template) } });
  }

  assert.match(problems(template, { limits: { nesting: 5 } })[0] ?? "", /^LimitExceeded /);
});
