import assert from "node:assert/strict";
import { it } from "node:test";
import { atOnce, type JsonObject } from "@rad/core";
import { sliced } from "../pausing.ts";
import { isReady } from "./evaluate-node.ts";
import type { PlanNode } from "./plan.ts";
import {
  azureGroup,
  classic,
  group,
  inAzure,
  plan,
  problems,
  request,
  results,
  symbolic,
  thing,
  evaluateNodeAtOnce,
} from "./testing/plan-kit.ts";

function idOf(node: PlanNode | undefined): string | undefined {
  return node === undefined || node.kind === "barrier" ? undefined : node.id;
}

it("sends a Radius resource without its name, which is in the id", () => {
  const made = plan(
    symbolic({
      resources: {
        app: {
          import: "radius",
          type: "Radius.Core/applications@2025-08-01-preview",
          properties: { name: "demo", location: "global", properties: { n: "[add(1, 2)]" } },
        },
      },
    }),
  );

  const node = made.nodes.get("app");
  assert.ok(node?.kind === "extension");
  assert.equal(node.provider, "radius");
  assert.equal(node.type, "Radius.Core/applications");
  assert.deepEqual(request("put", made, "app"), {
    kind: "put",
    method: "PUT",
    id: `${group}/providers/Radius.Core/applications/demo`,
    apiVersion: "2025-08-01-preview",
    body: { location: "global", properties: { n: 3 } },
    secrets: [],
  });
});

it("sends a resource to the provider of its extension, by name", () => {
  const type = "A.B/c@1";
  const providers = { a: "AWS", k: "Kubernetes", r: "radiustestresources", m: "MicrosoftGraph" };
  const made = plan(
    symbolic({
      imports: Object.fromEntries(
        Object.entries(providers).map(([alias, provider]) => [alias, { provider, version: "1" }]),
      ),
      resources: Object.fromEntries(
        Object.keys(providers).map((alias) => [alias, { import: alias, type, properties: { name: "x", alias: "y" } }]),
      ),
    }),
  );

  const found = [...made.nodes.values()].map((node) => (node.kind === "barrier" ? "" : node.provider));
  assert.deepEqual(found, ["aws", "kubernetes", "radius", "other"]);
  assert.deepEqual(request("put", made, "a").body, { name: "x" });
  assert.deepEqual(request("put", made, "k").body, { apiVersion: "A.B/1", kind: "c", name: "x", alias: "y" });
  assert.equal(idOf(made.nodes.get("k")), undefined);
});

it("hands the configuration of an extension to its resources, evaluated", () => {
  const resources = { svc: { import: "k8s", type: "core/Service@v1", properties: { metadata: { name: "x" } } } };
  const made = plan(
    symbolic({
      parameters: { ns: { type: "string", defaultValue: "prod" } },
      imports: { k8s: { provider: "Kubernetes", version: "1.0.0", config: { namespace: "[parameters('ns')]" } } },
      resources,
    }),
  );

  const node = made.nodes.get("svc");
  assert.ok(node?.kind === "extension");
  assert.deepEqual(node.extension, {
    alias: "k8s",
    name: "Kubernetes",
    version: "1.0.0",
    config: { namespace: "prod" },
  });
  assert.deepEqual(request("put", made, "svc").body, { apiVersion: "v1", kind: "Service", metadata: { name: "x" } });
});

it("lets a parent configure the extensions of language version 2.2", () => {
  const template = {
    ...symbolic({
      languageVersion: "2.2-experimental",
      extensions: { k8s: { name: "Kubernetes", version: "1", config: { namespace: { defaultValue: "default" } } } },
      resources: { a: { extension: "k8s", type: "core/Pod", apiVersion: "v1", properties: {} } },
      outputs: { ns: { type: "string", value: "[extensions('k8s').config.namespace.value]" } },
    }),
  };

  const made = plan(template, { extensionConfigs: { K8S: { namespace: { value: "prod" } } } });

  const node = made.nodes.get("a");
  assert.ok(node?.kind === "extension");
  assert.deepEqual(node.extension?.config, { namespace: "prod" });
  assert.deepEqual(problems(template, { extensionConfigs: { other: {} } }), [
    "UnknownExtension extensionConfigs.other",
  ]);
});

const azure: readonly (readonly [string, JsonObject, string])[] = [
  ["in the group of the deployment", { type: "A.B/c", name: "x" }, `${azureGroup}/providers/A.B/c/x`],
  ["as a child", { type: "A.B/c/d", name: "x/y" }, `${azureGroup}/providers/A.B/c/x/d/y`],
  ["at the tenant", { type: "A.B/c", name: "x", scope: "/" }, "/providers/A.B/c/x"],
  [
    "in another group",
    { type: "A.B/c", name: "x", resourceGroup: "g2" },
    "/subscriptions/s1/resourceGroups/g2/providers/A.B/c/x",
  ],
  [
    "in another subscription",
    { type: "A.B/c", name: "x", subscriptionId: "s2" },
    "/subscriptions/s2/providers/A.B/c/x",
  ],
  [
    "on another resource",
    { type: "A.B/c", name: "x", scope: "[resourceId('D.E/f', 'z')]" },
    `${azureGroup}/providers/D.E/f/z/providers/A.B/c/x`,
  ],
  [
    "on a resource of the group",
    { type: "A.B/c", name: "x", scope: "D.E/f/z" },
    `${azureGroup}/providers/D.E/f/z/providers/A.B/c/x`,
  ],
  [
    "in a management group",
    { type: "A.B/c", name: "x", scope: "Microsoft.Management/managementGroups/m" },
    "/providers/Microsoft.Management/managementGroups/m/providers/A.B/c/x",
  ],
];

for (const [where, resource, id] of azure) {
  it(`gives an Azure resource ${where} its id`, () => {
    const made = plan(classic({ resources: [{ apiVersion: "1", ...resource }] }), inAzure);

    assert.equal(idOf(made.nodes.get("resources[0]")), id);
  });
}

it("refuses Azure resources and other groups where there is no Azure scope", () => {
  const resource = { type: "A.B/c", apiVersion: "1", name: "x" };
  const nested = {
    type: "Microsoft.Resources/deployments",
    apiVersion: "1",
    name: "x",
    resourceGroup: "other",
    properties: { template: classic({}) },
  };

  assert.deepEqual(problems(classic({ resources: [resource] })), ["MissingScope $.resources[0]"]);
  assert.deepEqual(problems(classic({ resources: [nested] })), ["MissingScope $.resources[0]"]);
  assert.deepEqual(problems(classic({ resources: [{ ...nested, resourceGroup: "DEMO" }] })), []);
});

const wrong: readonly (readonly [string, JsonObject, string])[] = [
  ["without a type", { name: "x", apiVersion: "1" }, "InvalidShape $.resources[0]"],
  [
    "whose type is an expression",
    { type: "[concat('a')]", name: "x", apiVersion: "1" },
    "InvalidShape $.resources[0].type",
  ],
  ["whose type is no type", { type: "ab", name: "x", apiVersion: "1" }, "InvalidShape $.resources[0].type"],
  ["without an API version", { type: "A.B/c", name: "x" }, "InvalidShape $.resources[0]"],
  ["without a name", { type: "A.B/c", apiVersion: "1" }, "InvalidShape $.resources[0]"],
  ["with an empty name", { type: "A.B/c", apiVersion: "1", name: "" }, "InvalidName $.resources[0].name"],
  [
    "with a name that is a number",
    { type: "A.B/c", apiVersion: "1", name: "[add(1, 1)]" },
    "InvalidName $.resources[0].name",
  ],
  ["with too few names", { type: "A.B/c/d", apiVersion: "1", name: "x" }, "InvalidName $.resources[0]"],
  [
    "with a condition that is a number",
    { type: "A.B/c", apiVersion: "1", name: "x", condition: "[add(1, 1)]" },
    "InvalidCondition $.resources[0].condition",
  ],
  [
    "with an unknown extension",
    { type: "A.B/c", apiVersion: "1", name: "x", import: "none" },
    "UnknownExtension $.resources[0]",
  ],
  [
    "with an unknown option",
    { type: "A.B/c", apiVersion: "1", name: "x", "@options": { x: [] } },
    "InvalidShape $.resources[0].@options.x",
  ],
  [
    "with a location that has to be read",
    { type: "A.B/c", apiVersion: "1", name: "x", location: "[reference('y').l]" },
    "FunctionNotAllowed $.resources[0].location",
  ],
];

for (const [name, resource, expected] of wrong) {
  it(`refuses a resource ${name}`, () => {
    assert.deepEqual(problems(classic({ resources: [resource] }), inAzure), [expected]);
  });
}

const wrongThings: readonly (readonly [string, JsonObject, string])[] = [
  ["without an API version", { type: "Radius.Test/things" }, "InvalidShape $.resources.a"],
  ["with an empty API version", { type: "Radius.Test/things@" }, "InvalidShape $.resources.a"],
  ["with an empty name", { properties: { name: "" } }, "InvalidName $.resources.a.properties.name"],
  ["with another method than PUT or PATCH", { method: "DELETE" }, "InvalidShape $.resources.a.method"],
  ["in another group", { resourceGroup: "other" }, "Unsupported $.resources.a.resourceGroup"],
  ["in another subscription", { subscriptionId: "s2" }, "Unsupported $.resources.a.subscriptionId"],
  ["on another resource", { scope: "[resourceId('A.B/c', 'x')]" }, "Unsupported $.resources.a.scope"],
];

for (const [name, more, expected] of wrongThings) {
  it(`refuses a resource of an extension ${name}`, () => {
    assert.deepEqual(problems(symbolic({ resources: { a: thing("a", more) } })), [expected]);
  });
}

it("sends a resource of AWS without an API version", () => {
  const imports = { aws: { provider: "AWS", version: "1" } };
  const bucket = { import: "aws", type: "AWS.S3/Bucket", properties: { alias: "b", properties: {} } };

  assert.equal(request("put", plan(symbolic({ imports, resources: { bucket } })), "bucket").apiVersion, undefined);
});

for (const symbol of ["", "loop[0]", "loop[*]"]) {
  it(`refuses "${symbol}" as a symbolic name`, () => {
    const loop = thing("[concat('l', copyIndex())]", { copy: { name: "loop", count: 2 } });

    assert.deepEqual(problems(symbolic({ resources: { loop, [symbol]: thing("other") } })), [
      `InvalidName $.resources.${symbol}`,
    ]);
  });
}

it("sends every member of an Azure resource that is not the engine's", () => {
  const resource = {
    type: "A.B/c",
    apiVersion: "1",
    name: "x",
    location: "[resourceGroup().location]",
    tags: { a: "b" },
    sku: { name: "s" },
    comments: "no",
    metadata: { no: 1 },
    dependsOn: [],
    condition: true,
    properties: { "[concat('k', 'ey')]": "[[literal]" },
    method: "PATCH",
  };
  const made = plan(classic({ resources: [resource] }), {
    ...inAzure,
    surroundings: { resourceGroup: { location: "westus" } },
  });

  assert.deepEqual(request("put", made, "resources[0]"), {
    kind: "put",
    method: "PATCH",
    id: `${azureGroup}/providers/A.B/c/x`,
    apiVersion: "1",
    body: { location: "westus", tags: { a: "b" }, sku: { name: "s" }, properties: { key: "[literal]" } },
    secrets: [],
  });
});

it("expands children inside their parents, relative to type and name", () => {
  const child = {
    type: "d",
    apiVersion: "1",
    name: "y",
    dependsOn: ["[resourceId('A.B/c', format('x{0}', copyIndex()))]"],
  };
  const parent = {
    type: "A.B/c",
    apiVersion: "1",
    name: "[format('x{0}', copyIndex())]",
    copy: { name: "all", count: 2 },
    resources: [child],
  };

  const made = plan(classic({ resources: [parent] }), inAzure);

  assert.deepEqual(
    [...made.nodes.keys()],
    ["resources[0][0]", "resources[0][0].resources[0]", "resources[0][1]", "resources[0][1].resources[0]"],
  );
  assert.equal(idOf(made.nodes.get("resources[0][1].resources[0]")), `${azureGroup}/providers/A.B/c/x1/d/y`);
  assert.deepEqual(made.nodes.get("resources[0][1].resources[0]")?.dependsOn, ["resources[0][1]"]);
});

it("leaves out what has a false condition, and does not evaluate its body", () => {
  const made = plan(
    symbolic({
      resources: {
        a: thing("a", { condition: "[equals(1, 2)]" }, { x: "[div(1, 0)]" }),
        b: thing("b", { condition: "TRUE" }),
      },
    }),
  );

  const [a, b] = ["a", "b"].map((key) => made.nodes.get(key));
  assert.ok(a?.kind === "extension" && b?.kind === "extension");
  assert.deepEqual([a.skipped, b.skipped], ["condition", undefined]);
  assert.deepEqual(evaluateNodeAtOnce(made, "a", results()), { kind: "ready", value: { kind: "none" }, unknown: [] });
});

it("finds errors in bodies before anything is deployed, unless they wait for a resource", () => {
  const body = { bad: "[div(1, 0)]", later: "[reference('b').x]" };

  assert.deepEqual(problems(symbolic({ resources: { a: thing("a", {}, body), b: thing("b") } })), [
    "DivisionByZero $.resources.a.properties.properties.bad",
  ]);
});

it("refuses to deploy the same resource twice, but not to read what it deploys", () => {
  const resources = { a: thing("x"), b: thing("X") };

  assert.deepEqual(problems(symbolic({ resources })), ["DuplicateResource $.resources.b"]);
  assert.deepEqual(problems(symbolic({ resources: { ...resources, b: thing("x", { condition: false }) } })), []);
  assert.deepEqual(problems(symbolic({ resources: { ...resources, b: thing("x", { existing: true }) } })), []);
});

it("reads an existing resource only when somebody wants to know", () => {
  const made = plan(
    symbolic({
      resources: {
        unread: thing("a", { existing: true }),
        waited: thing("b", { existing: true }),
        out: thing("c", { existing: true }),
        user: thing("d", { dependsOn: ["waited"] }),
      },
      outputs: { o: { value: "[reference('out').properties.x]" } },
    }),
  );

  const skipped = ["unread", "waited", "out"].map((key) => {
    const node = made.nodes.get(key);
    return node?.kind === "existing" ? node.skipped : "no node";
  });
  assert.deepEqual(skipped, ["unread", undefined, undefined]);
  assert.deepEqual(request("read", made, "waited").id, `${group}/providers/Radius.Test/things/b`);
});

it("reads the options of a resource, and asks its lambda whether it is ready", () => {
  const options = {
    retryOn: [["Busy"], 2],
    onlyIfNotExists: [],
    waitUntil: ["[lambda('x', equals(lambdaVariables('x').state, 'up'))]", "PT5M"],
  };
  const made = plan(
    symbolic({
      resources: {
        a: thing("a", { "@options": options }),
        b: thing("b", { existing: true, "@options": { nullIfNotFound: [] } }),
      },
    }),
  );

  const [a, b] = ["a", "b"].map((key) => made.nodes.get(key));
  assert.ok(a?.kind === "extension" && b?.kind === "existing");
  assert.deepEqual(a.options, {
    retryOn: { codes: ["Busy"], count: 2 },
    onlyIfNotExists: true,
    waitUntil: { timeout: "PT5M" },
  });
  assert.deepEqual(b.options, { nullIfNotFound: true });
  assert.equal(atOnce(sliced(isReady(made, "a", { state: "up" }))), true);
  assert.equal(atOnce(sliced(isReady(made, "a", { state: "down" }))), false);
  const broken = atOnce(sliced(isReady(made, "a", {})));
  assert.ok(typeof broken === "object" && broken.errors[0]?.reason === "UnknownProperty");
});

it("evaluates how long to wait for each round of a loop", () => {
  const lambda = "[lambda('x', equals(lambdaVariables('x').name, format('a{0}', copyIndex())))]";
  const waitUntil = [lambda, "[format('{0}{1}S', parameters('prefix'), copyIndex(5))]"];
  const made = plan(
    symbolic({
      parameters: { prefix: { type: "string", defaultValue: "PT" } },
      resources: {
        a: thing("[concat('a', copyIndex())]", { copy: { name: "a", count: 2 }, "@options": { waitUntil } }),
      },
    }),
  );

  const node = made.nodes.get("a[1]");
  assert.ok(node?.kind === "extension");
  assert.deepEqual(node.options, { waitUntil: { timeout: "PT6S" } });
  assert.equal(atOnce(sliced(isReady(made, "a[1]", { name: "a1" }))), true);
  assert.equal(atOnce(sliced(isReady(made, "a[1]", { name: "a0" }))), false);
});

const always = "[lambda('x', true())]";
const wrongOptions: readonly (readonly [string, JsonObject, string])[] = [
  ["an unknown option", { forever: [] }, "@options.forever"],
  ["an option without a list of arguments", { retryOn: 3 }, "@options.retryOn"],
  ["retries for no code", { retryOn: [[], 1] }, "@options.retryOn"],
  ["retries for a code that is a number", { retryOn: [["Busy", 503], 1] }, "@options.retryOn"],
  ["a number of retries below zero", { retryOn: [["Busy"], -1] }, "@options.retryOn"],
  ["waiting without an end", { waitUntil: [always] }, "@options.waitUntil"],
  ["waiting for what is no lambda", { waitUntil: ["[true()]", "PT1S"] }, "@options.waitUntil[0]"],
  ["waiting for a time that is none", { waitUntil: [always, "soon"] }, "@options.waitUntil[1]"],
  ["waiting for less than nothing", { waitUntil: [always, "-PT1S"] }, "@options.waitUntil[1]"],
];

for (const [what, options, path] of wrongOptions) {
  it(`refuses ${what}`, () => {
    assert.deepEqual(problems(symbolic({ resources: { a: thing("a", { "@options": options }) } })), [
      `InvalidShape $.resources.a.${path}`,
    ]);
  });
}

it("fails when an assertion does not hold", () => {
  assert.deepEqual(problems(symbolic({ asserts: { good: true, bad: "[equals(1, 2)]" } })), [
    "AssertionFailed $.asserts.bad",
  ]);
  assert.deepEqual(problems(symbolic({ resources: { a: thing("a", { asserts: { bad: "[equals(1, 2)]" } }) } })), [
    "AssertionFailed $.resources.a.asserts.bad",
  ]);
});

it("takes names and ids that are made of those of other resources, as the compiler writes them", () => {
  const named = (text: string) => thing(text, { dependsOn: ["a"] });
  const made = plan(
    symbolic({
      resources: {
        b: named("[toLower(format('{0}-b', reference('a').name))]"),
        c: named("[concat(last(split(reference('a').id, '/')), '-c')]"),
        d: named("[format('{0}-d', reference(format('loop[{0}]', 1)).name)]"),
        e: { ...named("e"), condition: "[equals(reference('there').type, 'Radius.Test/things')]" },
        a: thing("A"),
        loop: thing("[format('l{0}', copyIndex())]", { copy: { name: "loop", count: 2 } }),
        there: thing("there", { existing: true }),
      },
    }),
  );

  assert.deepEqual(
    ["b", "c", "d"].map((key) => idOf(made.nodes.get(key))?.split("/").at(-1)),
    ["a-b", "A-c", "l1-d"],
  );
  assert.equal(made.nodes.get("e")?.kind, "extension");
  assert.deepEqual(problems(symbolic({ resources: { a: thing("[reference('a').name]") } })), [
    "Cycle $.resources.a.properties.name",
  ]);
  assert.deepEqual(problems(symbolic({ resources: { a: thing("a"), b: thing("[reference('a').properties.name]") } })), [
    "FunctionNotAllowed $.resources.b.properties.name",
  ]);
});

it("tells of a resource without waiting for it, in whatever order they are written", () => {
  const made = plan(symbolic({ resources: { b: thing("[concat(resourceInfo('a').name, '-b')]"), a: thing("a") } }));

  assert.equal(idOf(made.nodes.get("b")), `${group}/providers/Radius.Test/things/a-b`);
  assert.deepEqual(made.nodes.get("b")?.dependsOn, []);
  assert.deepEqual(problems(symbolic({ resources: { a: thing("[resourceInfo('a').name]") } })), [
    "Cycle $.resources.a.properties.name",
  ]);
});
