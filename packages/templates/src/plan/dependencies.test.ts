import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { classic, dependsOn, inAzure, plan, problems, symbolic, thing, tryPlan } from "./testing/plan-kit.ts";

const loop = (count: number, more: JsonObject = {}) =>
  thing("[format('l{0}', copyIndex())]", { copy: { name: "l", count, ...more } });

it("depends by symbolic name, by round, by whole loop and by id, in any letter case", () => {
  const made = plan(
    symbolic({
      resources: {
        a: thing("a"),
        l: loop(3),
        one: thing("one", { dependsOn: ["A", "[format('l[{0}]', 1)]"] }),
        all: thing("all", { dependsOn: ["l"] }),
        id: thing("id", { dependsOn: ["[resourceInfo('a').id]"] }),
      },
    }),
  );

  assert.deepEqual(dependsOn(made, "one"), ["a", "l[1]"]);
  assert.deepEqual(dependsOn(made, "all"), ["l[*]"]);
  assert.deepEqual(made.nodes.get("l[*]"), { kind: "barrier", key: "l[*]", dependsOn: ["l[0]", "l[1]", "l[2]"] });
  assert.deepEqual(dependsOn(made, "id"), ["a"]);
});

it("needs no barrier for a loop of one round, and no edge for one of none", () => {
  const of = (count: number) =>
    plan(symbolic({ resources: { l: loop(count), all: thing("all", { dependsOn: ["l"] }) } }));

  assert.deepEqual(dependsOn(of(1), "all"), ["l[0]"]);
  assert.deepEqual(dependsOn(of(0), "all"), []);
});

it("depends by name, type and name, id, and name of a loop without symbolic names", () => {
  const at = (name: string, more: JsonObject = {}) => ({ type: "A.B/c", apiVersion: "1", name, ...more });
  const made = plan(
    classic({
      resources: [
        at("x"),
        at("[format('l{0}', copyIndex())]", { copy: { name: "many", count: 2 } }),
        at("y", { dependsOn: ["x", "A.B/c/X", "[resourceId('A.B/c', 'x')]", "many", "l1"] }),
      ],
    }),
    inAzure,
  );

  assert.deepEqual(dependsOn(made, "resources[2]"), ["resources[0]", "many[*]", "resources[1][1]"]);
});

it("depends on all children of all parents by the name of the children's loop", () => {
  const at = (type: string, name: string, loop: string): JsonObject => ({
    type,
    apiVersion: "1",
    name: `[concat('${name}', copyIndex('${loop}'))]`,
    copy: { name: loop, count: 2 },
  });
  const parent = { ...at("A.B/c", "x", "parents"), resources: [at("d", "y", "children")] };
  const after = { type: "A.B/c", apiVersion: "1", name: "after", dependsOn: ["children"] };

  const made = plan(classic({ resources: [parent, after] }), inAzure);

  assert.deepEqual(dependsOn(made, "resources[1]"), ["children[*]"]);
  assert.deepEqual(dependsOn(made, "children[*]"), [
    "resources[0][0].resources[0][0]",
    "resources[0][0].resources[0][1]",
    "resources[0][1].resources[0][0]",
    "resources[0][1].resources[0][1]",
  ]);
});

it("says that a name is not enough where several resources have it", () => {
  const at = (type: string, more: JsonObject = {}): JsonObject => ({ type, apiVersion: "1", name: "x", ...more });
  const resources = [at("A.B/c"), at("A.B/d"), at("A.B/e", { dependsOn: ["x", "A.B/d/x"] })];

  const result = tryPlan(classic({ resources }), inAzure);

  assert.ok(result.kind === "failed");
  assert.deepEqual(
    result.errors.map(({ reason, path }) => `${reason} ${path}`),
    ["UnknownDependency $.resources[2].dependsOn[0]"],
  );
  assert.match(result.errors[0]?.message ?? "", /several resources/);
});

it("waits for a whole loop where a lambda says which of its rounds is read", () => {
  const each = "[map(range(0, 2), lambda('i', reference(format('l[{0}]', lambdaVariables('i'))).id))]";
  const made = plan(symbolic({ resources: { l: loop(2), reader: thing("reader", {}, { each }) } }));

  assert.deepEqual(dependsOn(made, "reader"), ["l[*]"]);
});

const strangers: readonly (readonly [string, JsonObject, string])[] = [
  [
    "in a body",
    { resources: { a: thing("a", {}, { x: "[reference('b').id]" }) } },
    "$.resources.a.properties.properties.x",
  ],
  ["in an output", { outputs: { o: { type: "string", value: "[listKeys('b', '1').key]" } } }, "$.outputs.o.value"],
  [
    "in a branch that is not taken",
    { outputs: { o: { type: "string", value: "[if(true(), 'x', reference('b').id)]" } } },
    "$.outputs.o.value",
  ],
];

for (const [where, parts, path] of strangers) {
  it(`refuses to read what is not in the template ${where}`, () => {
    assert.deepEqual(problems(symbolic(parts)), [`UnknownDependency ${path}`]);
  });
}

it("takes a round that a loop may have, and an id of any resource", () => {
  const value = "[if(greater(length(range(0, 1)), 7), reference('l[7]').id, reference('/planes/x/y', '1').id)]";

  assert.deepEqual(problems(symbolic({ resources: { l: loop(1) }, outputs: { o: { type: "string", value } } })), []);
});

it("refuses to depend on what is not in the template", () => {
  assert.deepEqual(problems(symbolic({ resources: { a: thing("a", { dependsOn: ["b", "c"] }) } })), [
    "UnknownDependency $.resources.a.dependsOn[0]",
    "UnknownDependency $.resources.a.dependsOn[1]",
  ]);
});

it("does not blame those who depend on a resource that is wrong itself", () => {
  assert.deepEqual(
    problems(symbolic({ resources: { a: thing("[string(div(1, 0))]"), b: thing("b", { dependsOn: ["a"] }) } })),
    ["DivisionByZero $.resources.a.properties.name"],
  );
});

it("waits for what it reads, also in the branch that is not chosen and in the rounds of a property", () => {
  const made = plan(
    symbolic({
      resources: {
        a: thing("a"),
        b: thing("b"),
        l: loop(3),
        user: thing(
          "user",
          {},
          {
            x: "[if(true(), reference('a').x, listKeys('b', '1'))]",
            copy: [{ name: "p", count: 2, input: "[reference(format('l[{0}]', copyIndex('p', 1))).y]" }],
          },
        ),
        all: thing("all", {}, { x: "[references('l')]", m: "[invokeResourceMethod('a', 'go', createArray())]" }),
      },
    }),
  );

  assert.deepEqual([...dependsOn(made, "user")].sort(), ["a", "b", "l[1]", "l[2]"]);
  assert.deepEqual(dependsOn(made, "all"), ["l[*]", "a"]);
});

it("waits for what it reads by id without symbolic names", () => {
  const resource = (name: string, properties: JsonObject) => ({ type: "A.B/c", apiVersion: "1", name, properties });
  const made = plan(
    classic({ resources: [resource("x", {}), resource("y", { v: "[reference(resourceId('A.B/c', 'x'), '1').v]" })] }),
    inAzure,
  );

  assert.deepEqual(dependsOn(made, "resources[1]"), ["resources[0]"]);
});

it("runs a serial loop batch by batch", () => {
  const made = plan(symbolic({ resources: { l: loop(5, { mode: "Serial", batchSize: 2 }) } }));

  const [first, second] = [dependsOn(made, "l[2]"), dependsOn(made, "l[4]")];
  assert.deepEqual(dependsOn(made, "l[1]"), []);
  assert.deepEqual(first, dependsOn(made, "l[3]"));
  assert.deepEqual(dependsOn(made, first[0] ?? ""), ["l[0]", "l[1]"]);
  assert.deepEqual(dependsOn(made, second[0] ?? ""), ["l[2]", "l[3]"]);
});

it("runs a serial loop one by one when it does not say more", () => {
  const made = plan(symbolic({ resources: { l: loop(3, { mode: "serial" }) } }));

  assert.deepEqual(
    ["l[0]", "l[1]", "l[2]"].map((key) => dependsOn(made, key)),
    [[], ["l[0]"], ["l[1]"]],
  );
});

it("shows a circle as a path", () => {
  const result = tryPlan(
    symbolic({
      resources: {
        a: thing("a", { dependsOn: ["b"] }),
        b: thing("b", {}, { x: "[reference('c').x]" }),
        c: thing("c", { dependsOn: ["a"] }),
      },
    }),
  );

  assert.ok(result.kind === "failed");
  assert.deepEqual(
    result.errors.map(({ reason }) => reason),
    ["Cycle"],
  );
  assert.match(result.errors[0]?.message ?? "", /a → b → c → a/);
});

it("finds a resource that waits for itself", () => {
  assert.deepEqual(problems(symbolic({ resources: { a: thing("a", { dependsOn: ["a"] }) } })), ["Cycle $.resources.a"]);
});

it("keeps the number of edges in proportion where every round of a loop waits for a whole loop", () => {
  const rounds = 300;
  const made = plan(
    symbolic({
      resources: {
        l: loop(rounds, { mode: "serial", batchSize: rounds / 2 }),
        m: thing("[format('m{0}', copyIndex())]", { copy: { name: "m", count: rounds }, dependsOn: ["l"] }),
      },
    }),
  );

  const edges = [...made.nodes.values()].reduce((sum, node) => sum + node.dependsOn.length, 0);
  assert.ok(edges < 4 * rounds, `${edges} edges`);
});

it("has every dependency among its nodes, and every chain comes to an end", () => {
  const chain = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [
      `r${index}`,
      thing(`r${index}`, index === 0 ? {} : { dependsOn: [`r${index - 1}`] }),
    ]),
  );
  const made = plan(symbolic({ resources: chain }));

  for (const node of made.nodes.values()) {
    assert.ok(node.dependsOn.every((key) => made.nodes.has(key)));
  }
});
