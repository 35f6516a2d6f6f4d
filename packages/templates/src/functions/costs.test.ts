// What builds much costs much: a template must run out of steps before the server runs out of memory.
import assert from "node:assert/strict";
import { it } from "node:test";
import { Budget } from "../budget.ts";
import { evaluateDocument } from "../expressions/evaluate.ts";
import { fromJson } from "../values/json-conversion.ts";
import type { Value } from "../values/value.ts";

const members = fromJson(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`m${index}`, index])));
/** Ten levels of objects whose two members are the same object. */
const doubled = (leaf: number) => {
  let value = fromJson({ leaf });
  for (let level = 0; level < 10; level += 1) {
    value = new Map([
      ["a", value],
      ["b", value],
    ]);
  }
  return value;
};
const values = new Map([
  ["members", members],
  ["left", doubled(1)],
  ["right", doubled(2)],
  ["objects", `[${"{},".repeat(1_000)}1]`],
]);
const scope = { variable: (name: string) => values.get(name) };

/** More steps than each of these may take for every object that it makes. */
const stepsPerObject = 5;

for (const [expression, objects] of [
  ["items(variables('members'))", 1_000],
  ["json(variables('objects'))", 1_000],
  ["base64ToJson(base64(variables('objects')))", 1_000],
  ["map(range(0, 1000), lambda('n', createObject()))", 1_000],
  ["union(variables('left'), variables('right'))", 2_047],
  ["intersection(variables('left'), variables('right'))", 2_047],
  ["groupBy(range(0, 1000), lambda('n', string(lambdaVariables('n'))))", 1_000],
] as const) {
  it(`${expression} pays for every object`, () => {
    const evaluate = (steps: number) => evaluateDocument(`[${expression}]`, scope, { budget: new Budget(steps) });

    assert.throws(() => evaluate(stepsPerObject * objects), { code: "LimitExceeded" });
    assert.ok(evaluate(100 * objects));
  });
}

/** A call that takes as long as many others pays for as many, whatever the size of its arguments. */
for (const call of [
  "parseCidr('fe80::1/64')",
  "cidrSubnet('fe80::/16', 32, 5)",
  "cidrHost('fe80::1/64', 1)",
  "guid('a')",
  "dateTimeAdd('2020-01-01', 'P1D')",
  "format('{0:N2}', 1)",
  "format('{0:#############################################################}', 1)",
  "dateTimeAdd('2020-01-01', 'P1D', '-------------------------------------------------------------')",
]) {
  it(`${call} costs more than a few steps`, () => {
    const evaluate = (steps: number) => evaluateDocument(`[${call}]`, {}, { budget: new Budget(steps) });

    assert.throws(() => evaluate(12), { code: "LimitExceeded" });
    assert.ok(evaluate(120));
  });
}

it("text costs a step for every few characters", () => {
  const evaluate = (steps: number) => evaluateDocument("[padLeft('', 160000)]", {}, { budget: new Budget(steps) });

  assert.throws(() => evaluate(15_000), { code: "LimitExceeded" });
  assert.ok(evaluate(25_000));
});

for (const call of [
  "string(createArray(padLeft('', 80000)))",
  "string(createObject(padLeft('', 80000), 1))",
  "format('{0}', createArray(padLeft('', 80000)))",
  "base64(padLeft('', 20000))",
  "uriComponent(padLeft('', 20000))",
  "join(map(range(0, 4000), lambda('n', 'abcdefgh')), ',')",
  "split(padLeft('', 8000, ','), ',')",
  "json(string(range(0, 4000)))",
  "map(range(0, 5000), lambda('n', lambdaVariables('n')))",
  "sort(range(0, 1000), lambda('a', 'b', less(lambdaVariables('a'), lambdaVariables('b'))))",
  "toObject(range(0, 2000), lambda('n', string(lambdaVariables('n'))))",
  "distinct(range(0, 4000))",
]) {
  it(`${call} pays for what it goes through`, () => {
    const evaluate = (steps: number) => evaluateDocument(`[${call}]`, {}, { budget: new Budget(steps) });

    assert.throws(() => evaluate(18_000), { code: "LimitExceeded" });
    assert.ok(evaluate(100_000));
  });
}

for (const call of [
  "contains(variables('text'), variables('wanted'))",
  "indexOf(variables('text'), variables('wanted'))",
  "lastIndexOf(variables('text'), variables('wanted'))",
  "replace(variables('text'), variables('wanted'), '')",
  "split(variables('text'), variables('wanted'))",
  "split(variables('text'), createArray('x', variables('wanted')))",
  "like(variables('text'), concat(padLeft('', 200000, '*'), variables('wanted'), '*'))",
]) {
  it(`${call} pays for the comparisons that it may come to`, () => {
    const half = "a".repeat(50_000);
    const texts = new Map([
      ["text", half.repeat(4)],
      ["wanted", `${half}b${half}`],
    ]);

    const evaluate = () =>
      evaluateDocument(
        `[${call}]`,
        { variable: (name) => texts.get(name) },
        {
          budget: new Budget(1_000_000),
        },
      );

    assert.throws(evaluate, { code: "LimitExceeded" });
  });
}

const name = "n".repeat(160_000);
const long = new Map<string, Value>([
  ["name", name],
  ["named", new Map([[name, 1n]])],
  ["same", new Map([[name, 1n]])],
  ["integer", name.replaceAll("n", " ") + "1"],
  ["date", name.replaceAll("n", " ") + "2020-01-01"],
]);

for (const call of [
  "union(variables('named'), variables('same'))",
  "intersection(variables('named'), variables('same'))",
  "shallowMerge(createArray(variables('named')))",
  "equals(variables('named'), variables('same'))",
  "distinct(createArray(variables('named')))",
  "objectKeys(variables('named'))",
  "mapValues(variables('named'), lambda('v', 1))",
  "createObject(variables('name'), 1)",
  "toObject(createArray(1), lambda('x', variables('name')))",
  "groupBy(createArray(1), lambda('x', variables('name')))",
  "contains(variables('named'), variables('name'))",
  "tryGet(variables('named'), variables('name'))",
  "variables('named')[variables('name')]",
  "int(variables('integer'))",
  "dateTimeToEpoch(variables('date'))",
  "format(variables('name'))",
  "tenantResourceId(concat('A.B/', variables('name')), 'x')",
]) {
  it(`${call} pays for the length of names and texts`, () => {
    const evaluate = (steps: number) =>
      evaluateDocument(`[${call}]`, { variable: (wanted) => long.get(wanted) }, { budget: new Budget(steps) });

    assert.throws(() => evaluate(5_000), { code: "LimitExceeded" });
    assert.ok(evaluate(400_000));
  });
}
