import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import type { Plan, PlanResults } from "./plan.ts";
import {
  azureGroup,
  classic,
  group,
  inAzure,
  plan,
  request,
  results,
  symbolic,
  thing,
  evaluateNodeAtOnce,
} from "./testing/plan-kit.ts";

/** A plan in which `user` reads with this expression what `a`, the loop `l` and `off` are. */
function reading(expression: JsonValue, more: JsonObject = {}): Plan {
  return plan(
    symbolic({
      resources: {
        a: thing("a"),
        l: thing("[format('l{0}', copyIndex())]", {
          copy: { name: "l", count: 3 },
          condition: "[not(equals(copyIndex(), 1))]",
        }),
        off: thing("off", { condition: false }),
        user: thing("user", {}, { x: expression }),
        ...more,
      },
    }),
  );
}

const done = results({
  a: { id: "/a", properties: { host: "h" } },
  "l[0]": { properties: { n: 0 } },
  "l[2]": { properties: { n: 2 } },
});

function read(of: Plan, known: PlanResults = done): JsonValue | undefined {
  const { properties } = request("put", of, "user", known).body as { properties: JsonObject };
  return properties["x"];
}

function failure(of: Plan, key = "user", known: PlanResults = done): string {
  const evaluation = evaluateNodeAtOnce(of, key, known);
  assert.ok(evaluation.kind === "failed", evaluation.kind);
  return evaluation.errors.map(({ reason, path }) => `${reason} ${path}`).join();
}

const at = "$.resources.user.properties.properties.x";

it("reads the whole of an extension resource", () => {
  assert.equal(read(reading("[reference('a').id]")), "/a");
  assert.equal(read(reading("[reference('A').properties.host]")), "h");
  assert.deepEqual(read(reading("[reference('a', '1', 'full').properties]")), { host: "h" });
});

it("looks below properties for a member that a Radius resource does not have itself, in any case", () => {
  assert.equal(read(reading("[reference('a').host]")), "h");
  assert.equal(read(reading("[reference('a').HOST]")), "h");
  assert.equal(read(reading("[reference('a')['host']]")), "h");
  assert.equal(read(reading("[tryGet(reference('a'), 'host')]")), "h");
  assert.equal(read(reading("[tryGet(reference('a'), 'nowhere')]")), null);
  assert.deepEqual(read(reading("[reference('a')]")), { id: "/a", properties: { host: "h" } });
  assert.equal(failure(reading("[reference('a').nowhere]")), `UnknownProperty ${at}`);
});

it("prefers a member at the top, in any case", () => {
  const known = results({ a: { ID: "/top", properties: { id: "below", deep: { x: 1 } } }, user: {} });

  assert.equal(read(reading("[reference('a').id]"), known), "/top");
  assert.equal(read(reading("[reference('a').deep.x]"), known), 1);
});

it("reads one round of a loop, or all that are deployed in order", () => {
  assert.equal(read(reading("[reference(format('l[{0}]', 2)).properties.n]")), 2);
  assert.deepEqual(read(reading("[references('l')]")), [{ properties: { n: 0 } }, { properties: { n: 2 } }]);
  assert.equal(failure(reading("[reference('l')]")), `InvalidArgument ${at}`);
  assert.equal(failure(reading("[references('a')]")), `InvalidArgument ${at}`);
});

it("reads the properties of an Azure resource, or with Full all of it", () => {
  const resource = (name: string, properties: JsonObject) => ({ type: "A.B/c", apiVersion: "1", name, properties });
  const made = plan(
    classic({
      resources: [
        resource("x", {}),
        resource("y", { id: "[reference(resourceId('A.B/c', 'x'), '1', 'Full').id]", v: "[reference('x').v]" }),
      ],
    }),
    inAzure,
  );

  const { body } = request(
    "put",
    made,
    "resources[1]",
    results({ "resources[0]": { id: "/x", properties: { v: 1 } } }),
  );
  assert.deepEqual(body, { properties: { id: "/x", v: 1 } });
});

it("does not read what is not deployed, unless it is guarded", () => {
  assert.equal(failure(reading("[reference('off').x]")), `NotDeployed ${at}`);
  assert.equal(failure(reading("[listKeys('off', '1')]")), `NotDeployed ${at}`);
  assert.equal(read(reading("[if(false(), reference('off').x, 'safe')]")), "safe");
  assert.equal(read(reading("[coalesce(tryGet(reference('off'), 'properties', 'x'), 'none')]")), "none");
});

it("does not know resources that the template does not define", () => {
  assert.equal(failure(reading("[reference(concat('no', 'body'))]")), `UnknownDependency ${at}`);
  assert.equal(failure(reading("[listKeys(concat('no', 'body'), '1')]")), `UnknownDependency ${at}`);
  assert.equal(failure(reading(`[reference('${azureGroup}/providers/A.B/c/x')]`)), `InvalidArgument ${at}`);
});

it("says which property is missing, with the path and position of the expression", () => {
  const evaluation = evaluateNodeAtOnce(reading("[reference('a').properties.nope]"), "user", done);

  assert.ok(evaluation.kind === "failed");
  const [error] = evaluation.errors;
  assert.deepEqual([error?.code, error?.reason, error?.path], ["InvalidTemplate", "UnknownProperty", at]);
  assert.match(error?.message ?? "", /"nope".*"host"/);
  assert.equal(typeof error?.position, "number");
});

it("asks for a resource from elsewhere, and goes on with the answer", () => {
  const id = `${azureGroup}/providers/A.B/c/x`;
  const made = reading(`[reference('${id}', '2020-01-01').v]`);

  const evaluation = evaluateNodeAtOnce(made, "user", done);

  assert.ok(evaluation.kind === "needs");
  const [call] = evaluation.calls;
  assert.ok(call?.kind === "read");
  assert.deepEqual([call.id, call.apiVersion, call.provider], [id, "2020-01-01", "azure"]);
  assert.equal(read(made, results({}, { [call.key]: { properties: { v: 7 } } })), 7);
});

it("asks for different resources, versions and bodies with different keys", () => {
  const id = `${azureGroup}/providers/A.B/c/`;
  const calls = [
    "reference('" + id + "x', '1')",
    "reference('" + id + "y', '1')",
    "reference('" + id + "x', '2')",
    "listKeys('a', '1')",
    "listKeys('a', '2')",
    "listAll('a', '1')",
    "listAll('a', '1', createObject())",
  ];

  const evaluation = evaluateNodeAtOnce(reading(calls.map((call) => `[${call}]`)), "user", done);

  assert.ok(evaluation.kind === "needs");
  assert.equal(new Set(evaluation.calls.map(({ key }) => key)).size, calls.length);
});

it("asks for actions on a resource, each once, with their bodies", () => {
  const made = reading({
    k: "[listKeys('a', '1', createObject('n', 1)).k]",
    again: "[listKeys('a', '1', createObject('n', 1)).k]",
    s: "[invokeResourceMethod('a', 'listSecrets', createArray('x')).s]",
  });

  const evaluation = evaluateNodeAtOnce(made, "user", done);

  assert.ok(evaluation.kind === "needs");
  const calls = evaluation.calls.map((call) => ({ ...call, key: "" }));
  const target = {
    kind: "action",
    key: "",
    id: `${group}/providers/Radius.Test/things/a`,
    provider: "radius",
    target: "a",
  };
  assert.deepEqual(calls, [
    { ...target, action: "listKeys", apiVersion: "1", body: { n: 1 }, args: [] },
    { ...target, action: "listSecrets", apiVersion: "2025-01-01", body: undefined, args: ["x"] },
  ]);
  const answers: Record<string, JsonValue> = Object.fromEntries(
    evaluation.calls.map(({ key }) => [key, { k: "K", s: "S" }]),
  );
  assert.deepEqual(read(made, results({ a: {} }, answers)), { k: "K", again: "K", s: "S" });
});

it("makes keys for calls that do not show their arguments", () => {
  const evaluation = evaluateNodeAtOnce(reading("[listKeys('a', '1', createObject('n', 'hush-hush'))]"), "user", done);

  assert.ok(evaluation.kind === "needs");
  assert.ok(evaluation.calls.every(({ key }) => !key.includes("hush")));
});

it("asks for what a resource was before this deployment, which may be nothing", () => {
  const made = reading("[coalesce(target(), 'new')]");

  const evaluation = evaluateNodeAtOnce(made, "user", done);

  assert.ok(evaluation.kind === "needs");
  const [call] = evaluation.calls;
  assert.ok(call?.kind === "read" && call.nullIfNotFound);
  assert.equal(read(made, { ...done, call: () => ({ body: null }) }), "new");
});

it("gives null for an existing resource that is not there, where that is allowed", () => {
  const made = reading("[coalesce(reference('kv'), 'none')]", {
    kv: thing("kv", { existing: true, "@options": { nullIfNotFound: [] } }),
  });

  assert.equal(read(made, results({ kv: null })), "none");
});

it("predicts what it can in a preview, and names what it cannot", () => {
  const made = reading({
    known: "[add(1, 1)]",
    id: "[reference('a').id]",
    later: "[reference('l[0]').properties.n]",
  });

  const evaluation = evaluateNodeAtOnce(made, "user", results({ a: { id: "/a", properties: {} } }), { preview: true });

  assert.ok(evaluation.kind === "ready" && evaluation.value.kind === "put");
  assert.deepEqual(evaluation.unknown, [`${at}.later`]);
  assert.deepEqual(evaluation.value.body, {
    properties: { x: { known: 2, id: "/a", later: "[reference('l[0]').properties.n]" } },
  });
});

/** What a preview makes of an expression when `a` may have more members than these, and `closed` has not. */
function foreseen(expression: string): JsonValue | undefined {
  const closed = { type: "String" };
  const list = [{ n: 1 }];
  const body = { id: "/a", properties: { Host: "h", list, closed, nothing: null } };
  const open = new Set<JsonValue>([body, body.properties, ...list]);
  const known = { node: (key: string) => (key === "a" ? { body, open } : undefined), call: () => undefined };

  const evaluation = evaluateNodeAtOnce(reading(expression), "user", known, { preview: true });

  if (evaluation.kind === "failed") {
    return evaluation.errors.map(({ reason }) => reason).join();
  }
  assert.ok(evaluation.kind === "ready" && evaluation.value.kind === "put");
  const { x } = (evaluation.value.body as { properties: JsonObject }).properties;
  assert.equal(evaluation.unknown.length === 0, x !== expression);
  return x === expression ? "not known" : x;
}

for (const [expression, expected] of [
  ["[reference('a').id]", "/a"],
  ["[reference('a').properties.host]", "h"],
  ["[tryGet(reference('a').properties, 'HOST')]", "h"],
  ["[reference('a').properties.nothing]", null],
  ["[contains(reference('a').properties, 'host')]", true],
  ["[length(reference('a').properties.list)]", 1],
  ["[reference('a').properties.list[0].n]", 1],
  ["[reference('a').properties.closed]", { type: "String" }],
  ["[tryGet(reference('a').properties.closed, 'value')]", null],
  ["[coalesce(tryGet(reference('a').properties.closed, 'value'), 'none')]", "none"],
  ["[if(true(), 'constant', reference('a').properties.later)]", "constant"],
  ["[reference('a').properties.list[1]]", "IndexOutOfRange"],
  ["[reference('a').properties.closed.value]", "UnknownProperty"],
  ...[
    "[reference('a')]",
    "[reference('a').location]",
    "[reference('a').properties]",
    "[reference('a').properties.list]",
    "[createArray(reference('a').properties.list)]",
    "[tryGet(reference('a'), 'tags')]",
    "[tryGet(reference('a').properties, 'later')]",
    "[tryGet(tryGet(reference('a').properties, 'later'), 'value')]",
    "[coalesce(tryGet(reference('a').properties, 'later'), 'none')]",
    "[contains(reference('a').properties, 'later')]",
    "[empty(reference('a').properties)]",
    "[length(reference('a').properties)]",
    "[string(reference('a').properties.list)]",
    "[equals(reference('a').properties, createObject())]",
    "[equals(createObject('n', 1), reference('a').properties.list[0])]",
    "[contains(reference('a').properties.list, createObject('n', 1))]",
    "[union(reference('a').properties, createObject('x', 1))]",
    "[objectKeys(reference('a').properties)]",
    "[items(reference('a').properties)]",
    "[map(reference('a').properties.list, lambda('i', tryGet(lambdaVariables('i'), 'later')))]",
    "[if(empty(tryGet(reference('a').properties, 'later')), 1, 2)]",
  ].map((text) => [text, "not known"] as const),
] as const) {
  it(`foresees ${JSON.stringify(expected)} for ${expression} where only a part of the resource is known`, () => {
    assert.deepEqual(foreseen(expression), expected);
  });
}

it("does not lose itself in a value whose parts are shared", () => {
  const doubled =
    "[reduce(range(0, 60), reference('a'), lambda('sum', 'i', createArray(lambdaVariables('sum'), lambdaVariables('sum'))))]";

  assert.equal(failure(reading(doubled)), "SizeExceeded $.resources.user");
});

it("keeps to the rest of a body in a preview where the rounds of a loop cannot be counted", () => {
  const template = symbolic({
    parameters: { n: { type: "int" } },
    resources: {
      a: thing("a", {}, { copy: [{ name: "list", count: "[parameters('n')]", input: "[copyIndex('list')]" }], w: 1 }),
    },
  });
  const made = plan(template, { parameters: { n: { unknown: true } } });

  const evaluation = evaluateNodeAtOnce(made, "a", results(), { preview: true });

  assert.ok(evaluation.kind === "ready" && evaluation.value.kind === "put");
  assert.deepEqual(evaluation.value.body, { properties: { list: "[parameters('n')]", w: 1 } });
  assert.deepEqual(evaluation.unknown, ["$.resources.a.properties.properties.copy[0].count"]);
});

it("carries unknown parameters of a preview through to where they are used", () => {
  const template = symbolic({
    parameters: { p: { type: "string" } },
    variables: { v: "[concat(parameters('p'), '!')]" },
    resources: { a: thing("a", {}, { v: "[variables('v')]", w: 1 }) },
  });
  const made = plan(template, { parameters: { p: { unknown: true } } });

  const evaluation = evaluateNodeAtOnce(made, "a", results(), { preview: true });

  assert.ok(evaluation.kind === "ready");
  assert.deepEqual(evaluation.unknown, ["$.resources.a.properties.properties.v"]);
  assert.equal(made.parameters["p"]?.value, undefined);
});
