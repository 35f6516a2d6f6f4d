import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import { classic, outputs, plan, problems, request, symbolic, thing, valueOf } from "./testing/plan-kit.ts";

const looped = (copy: JsonValue, name = "[format('a{0}', copyIndex())]") =>
  symbolic({ resources: { a: thing(name, { copy }) } });

it("makes one node per round, each with its own index", () => {
  const made = plan(
    symbolic({
      resources: {
        a: thing("[format('a{0}', copyIndex(5))]", { copy: { name: "x", count: 2 } }, { i: "[copyIndex('x', 10)]" }),
      },
    }),
  );

  assert.deepEqual([...made.nodes.keys()], ["a[0]", "a[1]"]);
  assert.deepEqual(request("put", made, "a[1]").body, { properties: { i: 11 } });
  assert.match(request("put", made, "a[1]").id ?? "", /a6$/);
});

it("takes a count of zero, of digits, and of an expression", () => {
  for (const [count, expected] of [
    [0, 0],
    ["2", 2],
    ["[length(createArray(1, 2, 3))]", 3],
    ["[string(2)]", 2],
  ] as const) {
    assert.equal(plan(looped({ name: "a", count })).nodes.size, expected);
  }
});

for (const count of [-1, null, 1.5, "x", true, "[createArray()]"]) {
  it(`refuses a count of ${JSON.stringify(count)}`, () => {
    assert.deepEqual(problems(looped({ name: "a", count })), ["InvalidLoop $.resources.a.copy.count"]);
  });
}

it("refuses loops without name or count, with another mode, or with an empty batch", () => {
  assert.deepEqual(problems(looped({ count: 1 })), ["InvalidLoop $.resources.a.copy"]);
  assert.deepEqual(problems(looped({ name: "a" })), ["InvalidLoop $.resources.a.copy"]);
  assert.deepEqual(problems(looped({ name: "a", count: 1, mode: "fast" })), ["InvalidLoop $.resources.a.copy.mode"]);
  assert.deepEqual(problems(looped({ name: "a", count: 1, mode: "serial", batchSize: 0 })), [
    "InvalidLoop $.resources.a.copy.batchSize",
  ]);
});

it("evaluates the condition of each round", () => {
  const made = plan(
    symbolic({
      resources: {
        a: thing("[format('a{0}', copyIndex())]", {
          copy: { name: "a", count: 2 },
          condition: "[equals(copyIndex(), 1)]",
        }),
      },
    }),
  );

  const skipped = [...made.nodes.values()].map((node) => (node.kind === "barrier" ? "" : node.skipped));
  assert.deepEqual(skipped, ["condition", undefined]);
});

it("wants different names in every round", () => {
  assert.deepEqual(problems(looped({ name: "a", count: 2 }, "same")), ["DuplicateResource $.resources.a"]);
});

it("repeats properties at any depth, within one another and within the loop of a resource", () => {
  const inner = {
    name: "inner",
    count: 2,
    input: "[format('{0}{1}{2}', copyIndex(), copyIndex('outer'), copyIndex('inner'))]",
  };
  const made = plan(
    symbolic({
      resources: {
        a: thing(
          "[format('a{0}', copyIndex())]",
          { copy: { name: "a", count: 2 } },
          { deep: { kept: 1, copy: [{ name: "outer", count: 2, input: { copy: [inner] } }] } },
        ),
      },
    }),
  );

  assert.deepEqual(request("put", made, "a[1]").body, {
    properties: { deep: { kept: 1, outer: [{ inner: ["100", "101"] }, { inner: ["110", "111"] }] } },
  });
});

it("refuses loops over properties that take the place of one another or of other members", () => {
  const over = (name: string): JsonObject => ({ name, count: 1, input: 1 });
  const body = (properties: JsonObject): JsonObject => symbolic({ resources: { a: thing("a", {}, properties) } });
  const path = "$.resources.a.properties.properties.copy";

  assert.deepEqual(problems(body({ X: 1, copy: [over("x"), over("y")] })), [`InvalidLoop ${path}[0]`]);
  assert.deepEqual(problems(body({ copy: [over("x"), over("X")] })), [`InvalidLoop ${path}[1]`]);
});

it("keeps a property that is really called copy", () => {
  const made = plan(symbolic({ resources: { a: thing("a", {}, { "[string('copy')]": [1] }) } }));

  assert.deepEqual(request("put", made, "a").body, { properties: { copy: [1] } });
});

it("wants the name of a member to be a text", () => {
  assert.deepEqual(problems(symbolic({ resources: { a: thing("a", {}, { "[add(1, 1)]": 1 }) } })), [
    "WrongArgumentKind $.resources.a.properties.properties.[add(1, 1)]",
  ]);
});

it("repeats variables, their members, and outputs", () => {
  const made = plan(
    classic({
      variables: {
        copy: [{ name: "list", count: 3, input: "[mul(copyIndex('list'), 2)]" }],
        v: { copy: [{ name: "m", count: 2, input: "[copyIndex('m', 1)]" }] },
      },
      outputs: {
        list: { type: "array", value: "[variables('list')]" },
        member: { type: "array", value: "[variables('v').m]" },
        loop: { type: "array", copy: { count: 2, input: { i: "[copyIndex()]" } } },
      },
    }),
  );

  const found = outputs(made);
  assert.deepEqual(found["list"]?.value, [0, 2, 4]);
  assert.deepEqual(found["member"]?.value, [1, 2]);
  assert.deepEqual(found["loop"]?.value, [{ i: 0 }, { i: 1 }]);
});

const strayIndexes: readonly (readonly [string, JsonObject, string])[] = [
  ["in an output", { outputs: { o: { type: "int", value: "[copyIndex()]" } } }, "$.outputs.o.value"],
  [
    "in the loop of an output under another name",
    { outputs: { o: { type: "array", copy: { count: 1, input: "[copyIndex('p')]" } } } },
    "$.outputs.o.copy.input",
  ],
  ["in a variable", { variables: { v: "[copyIndex('w')]" } }, "$.variables.v"],
  [
    "without the name of the loop of a variable",
    { variables: { copy: [{ name: "v", count: 1, input: "[copyIndex()]" }] } },
    "$.variables.copy[0].input",
  ],
  [
    "beside the loop of a property",
    { resources: { a: thing("a", {}, { x: "[copyIndex('p')]", copy: [{ name: "p", count: 1, input: 1 }] }) } },
    "$.resources.a.properties.properties.x",
  ],
  [
    "in what is read at run time",
    { resources: { a: thing("a"), b: thing("b", {}, { x: "[concat(reference('a').id, string(copyIndex('a')))]" }) } },
    "$.resources.b.properties.properties.x",
  ],
];

for (const [where, parts, path] of strayIndexes) {
  it(`finds copyIndex without its loop ${where} before anything is deployed`, () => {
    assert.deepEqual(problems(symbolic(parts)), [`FunctionNotAllowed ${path}`]);
  });
}

it("does not show the loop of a resource to variables and functions", () => {
  assert.deepEqual(
    problems(
      symbolic({
        variables: { v: "[copyIndex()]" },
        resources: { a: thing("[format('a{0}', variables('v'))]", { copy: { name: "a", count: 1 } }) },
      }),
    ),
    ["FunctionNotAllowed $.variables.v"],
  );
});

it("evaluates what does not change with the rounds once", () => {
  const rounds = 4000;
  const range = `range(0, ${rounds})`;
  const template = symbolic({
    variables: {
      copy: [
        {
          name: "v",
          count: rounds,
          input: `[add(${range}[copyIndex('v')], length(filter(${range}, lambda('x', less(lambdaVariables('x'), 3)))))]`,
        },
      ],
    },
  });

  const value = valueOf("[variables('v')[10]]", template, { limits: { steps: 200_000 } });

  assert.equal(value, 13);
});
