import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import type { ParameterInput, PlanInput } from "./plan.ts";
import { plan, problems, request, results, symbolic, thing, tryPlan, withParameters } from "./testing/plan-kit.ts";

const declared: JsonObject = {
  pw: { type: "securestring" },
  other: { type: "securestring" },
  so: { type: "secureObject" },
  plain: { type: "string" },
  user: {
    type: "object",
    properties: { name: { type: "string" }, key: { $ref: "#/definitions/key" } },
    additionalProperties: { $ref: "#/definitions/key" },
  },
  pets: {
    type: "array",
    prefixItems: [{ type: "string" }, { type: "securestring" }],
    items: {
      type: "object",
      discriminator: {
        propertyName: "kind",
        mapping: {
          cat: { type: "object", properties: { chip: { type: "securestring" } } },
          dog: { type: "object", properties: { chip: { type: "string" } } },
        },
      },
    },
  },
  derived: { type: "string", defaultValue: "[concat('x', parameters('pw'))]" },
  optional: { type: "securestring", nullable: true },
};

const given: Readonly<Record<string, JsonValue>> = {
  pw: "canary-1",
  other: "canary-1",
  so: { a: ["canary-2", "x"], n: 2 },
  plain: "canary-1", // equal to a secret, but not made of it
  user: { name: "u", key: "canary-3", more: "canary-4" },
  pets: ["a", "canary-5", { kind: "cat", chip: "canary-6" }, { kind: "dog", chip: "d" }],
};

const parts: JsonObject = {
  definitions: { key: { type: "securestring" } },
  variables: {
    env: { LEVEL: { value: "info" }, PASSWORD: { value: "[parameters('pw')]" } },
    level: "[variables('env').LEVEL.value]",
    count: "[length(parameters('so').a)]",
    copy: [{ name: "looped", count: 2, input: { index: "[copyIndex('looped')]", key: "[parameters('pw')]" } }],
  },
  functions: [
    {
      namespace: "f",
      members: {
        wrap: {
          parameters: [
            { name: "a", type: "string" },
            { name: "b", type: "string" },
          ],
          output: { type: "object", value: { a: "[parameters('a')]", b: "[toUpper(parameters('b'))]" } },
        },
      },
    },
  ],
};

/** Expression or document → pointers below `/properties/x`. */
const table: readonly (readonly [JsonValue, readonly string[]])[] = [
  ["[parameters('plain')]", []],
  ["[parameters('pw')]", [""]],
  ["[concat('postgres://', parameters('pw'), '@host')]", [""]],
  ["[format('{0}', parameters('pw'))]", [""]],
  ["[length(parameters('pw'))]", [""]],
  ["[equals(parameters('pw'), 'x')]", [""]],
  ["[equals('x', parameters('pw'))]", [""]],
  ["[equals(createArray('x'), parameters('so').a)]", [""]],
  ["[contains(createArray('x', 'y'), parameters('pw'))]", [""]],
  ["[indexOf(createArray('canary-1'), parameters('pw'))]", [""]],
  ["[empty(parameters('pw'))]", [""]],
  ["[if(equals(parameters('pw'), 'x'), 1, 2)]", [""]],
  ["[if(equals(parameters('plain'), 'x'), parameters('pw'), 'no')]", []],
  ["[if(equals(parameters('plain'), 'canary-1'), parameters('pw'), 'no')]", [""]],
  ["[coalesce(parameters('optional'), 'none')]", [""]],
  ["[base64(string(createObject('a', parameters('pw'))))]", [""]],
  ["[parameters('so')]", [""]],
  ["[parameters('so').a[1]]", [""]],
  ["[parameters('user')]", ["/key", "/more"]],
  ["[parameters('user').name]", []],
  ["[union(createObject('a', 1), createObject('b', parameters('pw')))]", ["/b"]],
  ["[parameters('pets')]", ["/1", "/2/chip"]],
  ["[parameters('derived')]", [""]],
  ["[parameters(concat('p', 'w'))]", [""]],
  ["[variables('env')]", ["/PASSWORD/value"]],
  ["[variables('level')]", []],
  ["[variables('looped')]", ["/0/key", "/1/key"]],
  ["[f.wrap('a', parameters('pw'))]", ["/b"]],
  ["[f.wrap(parameters('plain'), 'b')]", []],
  ["[createObject('a', 1, 'b', parameters('pw'))]", ["/b"]],
  ["[createObject(parameters('pw'), 1)]", [""]],
  [
    "[map(createArray('a', parameters('pw')), lambda('s', createObject('v', toUpper(lambdaVariables('s')))))]",
    ["/1/v"],
  ],
  ["[map(parameters('so').a, lambda('s', 1))]", [""]],
  ["[filter(createArray('a', parameters('pw')), lambda('s', equals(lambdaVariables('s'), 'a')))]", [""]],
  ["[concat(createArray('a'), createArray(parameters('pw')))]", ["/1"]],
  ["[union(createArray('a'), createArray(parameters('pw')))]", [""]],
  ["[length(createArray(parameters('pw'), 'b'))]", []],
  ["[equals(parameters('pw'), parameters('other'))]", [""]],
  ["[equals(parameters('pw'), parameters('pw'))]", []],
  ["[listKeys('first', '2025-01-01').key]", [""]],
  ["[invokeResourceMethod('first', 'keys').key]", [""]],
  ["[reference('first').name]", []],
  ["[concat(reference('first').name, parameters('pw'))]", [""]],
  [
    ["a", "[parameters('pw')]", { b: "[parameters('pw')]", c: 1 }],
    ["/1", "/2/b"],
  ],
  [{ "[parameters('pw')]": 1, b: 2 }, [""]],
  [{ in: { "[parameters('pw')]": 1, b: 2 }, out: "[parameters('pw')]" }, ["/in", "/out"]],
  [{ "a/b~c": "[parameters('pw')]" }, ["/a~1b~0c"]],
  [
    {
      copy: [
        { name: "l", count: 2, input: { i: "[copyIndex('l')]", v: "[concat(parameters('pw'), copyIndex('l'))]" } },
      ],
    },
    ["/l/0/v", "/l/1/v"],
  ],
  [{ copy: [{ name: "l", count: "[length(parameters('so').a)]", input: 1 }], b: 1 }, ["/l"]],
  [{ copy: [{ name: "l", count: "[variables('count')]", input: "[copyIndex('l')]" }], b: 1 }, ["/l"]],
];

const known = results({ first: { id: "/first", name: "first", properties: {} } }, answers());

for (const [x, expected] of table) {
  it(`finds what is made of a secret in ${JSON.stringify(x)}`, () => {
    assert.deepEqual(
      secretsOf({ x }),
      expected.map((pointer) => `/properties/x${pointer}`),
    );
  });
}

it("finds nothing in a template without secrets", () => {
  const made = plan(symbolic({ resources: { a: thing("a", {}, { x: "[toUpper('canary-1')]" }) } }));

  assert.deepEqual(request("put", made, "a").secrets, []);
});

it("finds secrets in every round of a resource's loop, with the round's own pointers", () => {
  const loop = { copy: { name: "l", count: 2 } };
  const resources = {
    a: thing("[concat('a', copyIndex())]", loop, { x: "[variables('looped')[copyIndex()]]", y: "[copyIndex()]" }),
  };

  const made = planOf(resources);

  assert.deepEqual(request("put", made, "a[1]").secrets, ["/properties/x/key"]);
});

it("keeps what a module parameter was made of, though its type is an ordinary one", () => {
  const inner = symbolic({
    parameters: { text: { type: "string" }, settings: { type: "object" } },
    variables: { again: "[concat(parameters('text'), '!')]" },
    resources: { a: thing("a", {}, { x: "[variables('again')]", y: "[parameters('settings')]" }) },
  });
  const module = nested(inner, { text: { value: "[parameters('pw')]" }, settings: { value: "[variables('env')]" } });

  const deploy = request("deploy", planOf({ module }), "module");
  const made = plan(deploy.template ?? null, { parameters: stored(deploy.parameters) });

  assert.deepEqual(deploy.parameters["settings"], {
    value: { LEVEL: { value: "info" }, PASSWORD: { value: "canary-1" } },
    secrets: ["/PASSWORD/value"],
  });
  assert.deepEqual(request("put", made, "a").secrets, ["/properties/x", "/properties/y/PASSWORD/value"]);
  assert.deepEqual(
    Object.values(made.parameters).map(({ secure }) => secure),
    [true, true],
  );
  assert.ok(made.secrets.includes("canary-1"));
});

it("keeps secrets apart from the template of a nested deployment with outer scope", () => {
  const inner = symbolic({
    resources: {
      a: thing(
        "a",
        {},
        { x: "[listKeys('first', '2025-01-01')]", y: "[parameters('derived')]", z: "[variables('rg')]" },
      ),
    },
  });
  const module = nested(inner, undefined, "outer");
  const variables = { rg: "[concat(resourceGroup().name, parameters('pw'))]" };

  const deploy = request("deploy", planOf({ first: thing("first"), module }, variables), "module", known);
  const made = plan(deploy.template ?? null, { parameters: stored(deploy.parameters) });
  const { body, secrets } = request("put", made, "a");

  assert.doesNotMatch(JSON.stringify(deploy.template), /canary/);
  assert.deepEqual(body["properties"], { x: { key: "canary-9" }, y: "xcanary-1", z: "democanary-1" });
  assert.deepEqual(secrets, ["/properties/x", "/properties/y", "/properties/z"]);
});

it("shows nothing of a secret in the tags of a nested deployment", () => {
  const module = { ...nested(symbolic({}), {}), tags: { a: "[base64(parameters('pw'))]", b: "b" } };

  const deploy = request("deploy", planOf({ module }), "module");

  assert.deepEqual(deploy.tags, { a: "[redacted]", b: "b" });
});

it("finds secrets in the configuration of an extension, also one that a parent hands over", () => {
  const { imports: _, ...template } = symbolic({
    extensions: {
      radius: { name: "Radius", version: "1.0.0" },
      box: { name: "Box", version: "1.0.0", config: { key: { type: "secureString" }, host: { type: "string" } } },
    },
    resources: {
      a: {
        extension: "radius",
        type: "Radius.Test/things@2025-01-01",
        properties: { name: "a", properties: { x: "[extensions('box').config]" } },
      },
    },
  });
  const options: Partial<PlanInput> = {
    extensionConfigs: { box: { key: { value: "k" }, host: { value: "canary-7" } } },
    extensionSecrets: ["/box/host/value"],
  };

  const made = plan(template, options);

  assert.deepEqual(request("put", made, "a").secrets, ["/properties/x/key/value", "/properties/x/host/value"]);
});

it("tells redactors the texts of an extension's configuration that rest on a secret, and no others", () => {
  const template = symbolic({
    parameters: { pw: { type: "securestring" }, space: { type: "string" } },
    imports: {
      radius: { provider: "Radius", version: "1.0.0" },
      k8s: {
        provider: "Kubernetes",
        version: "1.0.0",
        config: { namespace: "[parameters('space')]", kubeConfig: "[base64(parameters('pw'))]" },
      },
      unused: { provider: "Kubernetes", version: "1.0.0", config: { kubeConfig: "[fail('nobody asks')]" } },
    },
    resources: { map: { import: "k8s", type: "core/ConfigMap@v1", properties: { metadata: { name: "a" } } } },
  });

  const made = plan(template, withParameters({ pw: "canary-8", space: "default" }));

  assert.deepEqual(made.secrets, ["canary-8", Buffer.from("canary-8").toString("base64")]);
});

it("refuses a name that is made of a secret", () => {
  const resources = { a: thing("[concat('a', uniqueString(parameters('pw')))]"), b: thing("[parameters('plain')]") };

  assert.deepEqual(problems(symbolic({ ...parts, parameters: declared, resources }), withParameters(given)), [
    "InvalidName $.resources.a.properties.name",
  ]);
});

function secretsOf(properties: JsonObject): readonly string[] {
  const resources = { first: thing("first"), a: thing("a", {}, properties) };
  return request("put", planOf(resources), "a", known).secrets;
}

function planOf(resources: JsonObject, variables: JsonObject = {}) {
  const merged = { ...(parts["variables"] as JsonObject), ...variables };
  return plan(symbolic({ ...parts, variables: merged, parameters: declared, resources }), withParameters(given));
}

function nested(template: JsonObject, parameters?: JsonObject, scope = "inner"): JsonObject {
  return {
    type: "Microsoft.Resources/deployments",
    apiVersion: "1",
    name: "module",
    properties: {
      expressionEvaluationOptions: { scope },
      template,
      ...(parameters === undefined ? {} : { parameters }),
    },
  };
}

/** As a resumed deployment finds them. */
function stored(parameters: Readonly<Record<string, ParameterInput>>): Readonly<Record<string, ParameterInput>> {
  return JSON.parse(JSON.stringify(parameters));
}

/** To every call. */
function answers(): Record<string, JsonValue> {
  return new Proxy({}, { get: () => ({ key: "canary-9" }) });
}

function errorsOf(...made: Parameters<typeof tryPlan>) {
  const result = tryPlan(...made);
  return result.kind === "plan" ? [] : result.errors;
}

it("no message repeats what was made of a secret, by the parent or by a default", () => {
  const parameters = {
    pw: { type: "securestring" },
    text: { type: "string", allowedValues: ["a"] },
    count: { type: "int", maxValue: 3 },
    made: { type: "string", allowedValues: ["b"], defaultValue: "[toUpper(parameters('pw'))]" },
  };
  const input: Record<string, ParameterInput> = {
    pw: { value: "canary" },
    text: { value: "CANARY", secrets: [""] },
    count: { value: 4711, secrets: [""] },
  };

  const found = errorsOf(symbolic({ parameters, outputs: {} }), { parameters: input });

  assert.deepEqual(
    found.map(({ reason }) => reason),
    ["InvalidParameter", "InvalidParameter", "InvalidParameter"],
  );
  assert.doesNotMatch(JSON.stringify(found), /canary|4711/i);
});

it("an unknown dependency that is named by a secret is not repeated", () => {
  const resources = { a: { ...thing("a"), dependsOn: ["[toUpper(parameters('pw'))]"] } };

  const found = errorsOf(symbolic({ parameters: { pw: { type: "securestring" } }, resources }), {
    parameters: { pw: { value: "canary" } },
  });

  assert.deepEqual(
    found.map(({ reason }) => reason),
    ["UnknownDependency"],
  );
  assert.doesNotMatch(JSON.stringify(found), /canary/i);
});
