import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import fc from "fast-check";
import { results, symbolic, thing, tryPlan, withParameters, evaluateNodeAtOnce } from "./testing/plan-kit.ts";

/*
 * No text of a template has these letters in this order, and no function below takes them apart, so a body that shows
 * the canary has it from a secret.
 */
const canary = "cAnArY";

/** Expressions over `{source}`s: what they stand for is chosen later, so that one template is tried with and without. */
const text = fc.letrec<{ text: string; list: string; object: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("parameters('s')", "parameters('p')", "parameters('u').key", "'x'", "variables('v')"),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `concat(${a}, '-', ${b})`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `format('{0}{1}', ${a}, ${b})`),
    fc.tuple(tie("text"), tie("text"), tie("text")).map(([a, b, c]) => `if(equals(${a}, ${b}), ${c}, ${a})`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `coalesce(tryGet(createObject('k', ${a}), 'k'), ${b})`),
    tie("list").map((list) => `first(${list})`),
    tie("list").map((list) => `join(${list}, ',')`),
    tie("list").map((list) => `string(${list})`),
    tie("object").map((object) => `string(${object})`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `f.pair(${a}, ${b})[0]`),
  ),
  list: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("parameters('l')", "variables('list')"),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `createArray(${a}, ${b})`),
    fc.tuple(tie("list"), tie("list")).map(([a, b]) => `union(${a}, ${b})`),
    fc.tuple(tie("list"), tie("list")).map(([a, b]) => `concat(${a}, ${b})`),
    fc.tuple(tie("list"), tie("text")).map(([a, b]) => `map(${a}, lambda('i', concat(lambdaVariables('i'), ${b})))`),
    fc
      .tuple(tie("list"), tie("text"))
      .map(([a, b]) => `concat(createArray('k'), filter(${a}, lambda('i', contains(lambdaVariables('i'), ${b}))))`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `f.pair(${a}, ${b})`),
  ),
  object: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("parameters('u')", "variables('object')"),
    fc.tuple(tie("text"), tie("list")).map(([a, b]) => `createObject('a', ${a}, 'b', ${b})`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `createObject(${a}, ${b})`),
    fc.tuple(tie("object"), tie("object")).map(([a, b]) => `union(${a}, ${b})`),
    tie("list").map((list) => `toObject(${list}, lambda('i', lambdaVariables('i')), lambda('i', createArray(1)))`),
  ),
}));

const anyExpression = fc.oneof(text.text, text.list, text.object).map((expression) => `[${expression}]`);
const anyDocument = fc.letrec<{ document: JsonValue }>((tie) => ({
  document: fc.oneof(
    { depthSize: "small" },
    anyExpression,
    fc.array(tie("document"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c/d"), tie("document"), { maxKeys: 3 }),
    fc.tuple(text.text, tie("document")).map(([name, value]) => ({ [`[${name}]`]: value })),
    tie("document").map((input) => ({ copy: [{ name: "l", count: 2, input }] })),
  ),
})).document;

const templates = fc.record({
  v: text.text,
  list: text.list.filter((list) => !list.includes("variables(")),
  x: anyDocument,
});

function bodiesOf(
  { v, list, x }: { readonly v: string; readonly list: string; readonly x: JsonValue },
  isSecure: boolean,
  secret = canary,
) {
  const plainV = v.includes("variables(") ? "'v'" : v;
  const type = isSecure ? "securestring" : "string";
  const parts: JsonObject = {
    parameters: {
      s: { type },
      p: { type: "string" },
      u: { type: "object", properties: { name: { type: "string" }, key: { type } } },
      l: { type: "array", items: { type } },
    },
    variables: {
      v: `[${plainV}]`,
      list: `[${list}]`,
      object: { name: "[parameters('p')]", key: "[parameters('s')]" },
    },
    functions: [
      {
        namespace: "f",
        members: {
          pair: {
            parameters: [
              { name: "a", type: "string" },
              { name: "b", type: "string" },
            ],
            output: { type: "array", value: ["[parameters('a')]", "[parameters('b')]"] },
          },
        },
      },
    ],
    resources: { a: thing("a", {}, { x }) },
  };
  const values = { s: secret, p: "plain", u: { name: "n", key: secret }, l: [secret, "other"] };
  const made = tryPlan(symbolic(parts), withParameters(values));
  if (made.kind === "failed") {
    return undefined;
  }
  const evaluation = evaluateNodeAtOnce(made, "a", results());
  return evaluation.kind === "ready" && evaluation.value.kind === "put" ? evaluation.value : undefined;
}

it("reports a pointer at or above every place where a secret shows", () => {
  let seen = 0;
  fc.assert(
    fc.property(templates, (template) => {
      const put = bodiesOf(template, true);
      if (put === undefined) {
        return;
      }
      const shown = [...placesOf(put.body, "")];
      seen += shown.length;
      for (const place of shown) {
        assert.ok(
          put.secrets.some((pointer) => `${place}/`.startsWith(`${pointer}/`)),
          `${place} of ${JSON.stringify(put.body)} is not below ${put.secrets.join(" ")}`,
        );
      }
    }),
    { numRuns: 2_000 },
  );
  assert.ok(seen > 100);
});

it("reports nothing where no parameter is secure", () => {
  fc.assert(
    fc.property(templates, (template) => {
      assert.deepEqual(bodiesOf(template, false)?.secrets ?? [], []);
    }),
    { numRuns: 500 },
  );
});

it("reports the same whatever the secrets are, and nothing else differs", () => {
  fc.assert(
    fc.property(templates, fc.constantFrom("x", "plain", "other", "-"), (template, secret) => {
      const [one, other] = [bodiesOf(template, true), bodiesOf(template, true, secret)];
      if (one !== undefined && other !== undefined) {
        assert.deepEqual(other.secrets, one.secrets);
        assert.deepEqual(blanked(other.body, other.secrets, ""), blanked(one.body, one.secrets, ""));
      }
    }),
    { numRuns: 1_000 },
  );
});

function blanked(value: JsonValue, secrets: readonly string[], at: string): JsonValue {
  if (secrets.includes(at)) {
    return null;
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const below = (name: string): string => `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, blanked(member ?? null, secrets, below(name))]),
  );
}

/** A name that shows the canary counts for the object around it. */
function* placesOf(value: JsonValue, at: string): Generator<string> {
  if (typeof value === "string") {
    if (value.includes(canary)) {
      yield at;
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (name.includes(canary)) {
        yield at;
      }
      yield* placesOf(member ?? null, `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }
  }
}
