import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { Budget } from "../budget.ts";
import { define } from "../functions/function-call.ts";
import { functionTable, pureFunctions } from "../functions/pure-functions.ts";
import { TemplateError } from "../template-error.ts";
import { fromJson, toJson } from "../values/json-conversion.ts";
import { parseJson } from "../values/json-parser.ts";
import { printJson } from "../format/json-printer.ts";
import { evaluateDocument, type EvaluationScope, type UserFunction } from "./evaluate.ts";

const values = new Map([
  ["object", fromJson({ abcKey: 1, ABCKey: 2, list: [10, 20], nothing: null })],
  ["text", "hello"],
]);
const functions = new Map<string, UserFunction>([
  ["contoso.greet", { parameters: ["Name"], body: "[concat(variables('text'), ' ', parameters('name'))]" }],
  ["contoso.wrap", { parameters: ["x"], body: fromJson({ "[toUpper('k')]": ["[contoso.greet(parameters('x'))]"] }) }],
  ["contoso.loop", { parameters: [], body: fromJson([["[contoso.loop()]"]]) }],
]);
const scope: EvaluationScope = {
  parameter: (name) => values.get(name.toLowerCase()),
  variable: (name) => values.get(name.toLowerCase()),
  userFunction: (namespace, name) => functions.get(`${namespace}.${name}`.toLowerCase()),
};

const results: readonly (readonly [expression: string, value: unknown])[] = [
  ["[parameters('object').ABCKey]", 2],
  ["[parameters('object').abcKey]", 1],
  ["[parameters('object').AbcKey]", 1],
  ["[parameters('OBJECT')['list'][1]]", 20],
  ["[parameters('object').nothing]", null],
  ["[variables(concat('te', 'xt'))]", "hello"],
  ["[contoso.greet('you')]", "hello you"],
  ["[CONTOSO.WRAP('you')]", { K: ["hello you"] }],
  ["[map(createArray(1), lambda('x', map(createArray(2), lambda('x', lambdaVariables('x')))))]", [[2]]],
  ["[map(createArray(1), lambda('x', map(createArray(2), lambda('y', lambdaVariables('x')))))]", [[1]]],
  ["[if(true(), 'a', fail('not chosen'))]", "a"],
  ["[and(false(), fail('not reached'))]", false],
  ["[or(true(), fail('not reached'))]", true],
  ["[coalesce('a', fail('not reached'))]", "a"],
  ["[format('[{0}]', 1)]", "[1]"],
];

for (const [expression, value] of results) {
  it(`${expression} is ${JSON.stringify(value)}`, () => {
    assert.deepEqual(toJson(evaluateDocument(expression, scope)), value);
  });
}

const failures: readonly (readonly [expression: string, code: string, position: number])[] = [
  ["[concat('a', parameters('missing'))]", "UnknownParameter", 13],
  ["[variables('missing')]", "UnknownVariable", 1],
  ["[variables(1)]", "WrongArgumentKind", 1],
  ["[variables()]", "WrongArgumentCount", 1],
  ["[parameters('object').missing]", "UnknownProperty", 21],
  ["[parameters('object')[0]]", "WrongArgumentKind", 21],
  ["[parameters('object').list['a']]", "WrongArgumentKind", 26],
  ["[parameters('object').list[2]]", "IndexOutOfRange", 26],
  ["[parameters('object').list[-1]]", "IndexOutOfRange", 26],
  ["[parameters('object')[null()]]", "WrongArgumentKind", 21],
  ["[parameters('text').length]", "WrongArgumentKind", 19],
  ["[concat('a', nowhere())]", "UnknownFunction", 13],
  ["[contoso.nowhere()]", "UnknownFunction", 1],
  ["[contoso.greet()]", "WrongArgumentCount", 1],
];

for (const [expression, code, position] of failures) {
  it(`${expression} fails with ${code} at offset ${position}`, () => {
    assert.throws(() => evaluateDocument(expression, scope), { code, position });
  });
}

it("an unknown function suggests the nearest one", () => {
  assert.throws(() => evaluateDocument("[toUper('a')]"), /Did you mean "toUpper"\?/);
});

it("errors do not show the values they are about", () => {
  const secret = "hunter2secret";
  const calls = ["int", "bool", "base64ToString", "json", "parseCidr", "uri", "dateTimeToEpoch", "dataUriToString"];

  for (const name of calls) {
    const args = name === "uri" ? `'${secret}', 'x'` : `'${secret}'`;
    assert.throws(
      () => evaluateDocument(`[${name}(${args})]`),
      (error) => error instanceof TemplateError && !error.message.includes(secret),
      name,
    );
  }
});

it("a document is evaluated with its member names, in its own order", () => {
  const document = parseJson(`{"z": "[add(1, 1)]", "1": [true, "[[x]"], "[concat('a', 'b')]": null}`);

  const value = evaluateDocument(document);

  assert.equal(printJson(value), '{"z":2,"1":[true,"[x]"],"ab":null}');
});

it("an error in a document names the path of the string that failed", () => {
  const document = fromJson({ a: [{ b: "[fail('no')]" }] });

  assert.throws(() => evaluateDocument(document, {}, { path: "$.variables" }), { path: "$.variables.a[0].b" });
});

it("a name that does not evaluate to a string is refused", () => {
  assert.throws(() => evaluateDocument(fromJson({ "[add(1, 1)]": 1 })), { code: "WrongArgumentKind" });
});

it("functions of the scope come before the pure ones", () => {
  const functions = functionTable([define("toUpper", 1, () => "mine")]);

  assert.equal(evaluateDocument("[TOUPPER('a')]", { functions }), "mine");
});

const doublingTree =
  "reduce(range(0, 60), 1, lambda('a', 'i', createArray(lambdaVariables('a'), lambdaVariables('a'))))";

const bombs: readonly (readonly [what: string, expression: string])[] = [
  [
    "a text that doubles",
    "[reduce(range(0, 100), 'x', lambda('a', 'i', concat(lambdaVariables('a'), lambdaVariables('a'))))]",
  ],
  [
    "an array that doubles",
    "[length(reduce(range(0, 60), createArray(1), lambda('a', 'i', concat(lambdaVariables('a'), lambdaVariables('a')))))]",
  ],
  ["printing a tree of shared parts", `[string(${doublingTree})]`],
  ["comparing trees of shared parts", `[equals(${doublingTree}, ${doublingTree})]`],
  ["identities of trees of shared parts", `[distinct(createArray(${doublingTree}))]`],
  ["loops in loops", "[map(range(0, 10000), lambda('a', map(range(0, 10000), lambda('b', 1))))]"],
  ["replacing with a long text", "[replace(padLeft('', 100000, 'a'), 'a', padLeft('', 100000, 'b'))]"],
  ["joining a long text with itself", "[join(map(range(0, 10000), lambda('a', padLeft('', 10000))), '')]"],
  [
    "a value that nests deeply",
    "[string(reduce(range(0, 5000), 1, lambda('a', 'i', createArray(lambdaVariables('a')))))]",
  ],
  ["a function that calls itself", "[contoso.loop()]"],
];

for (const [what, expression] of bombs) {
  it(`${what} ends at a limit`, () => {
    assert.throws(() => evaluateDocument(expression, scope, { budget: new Budget(1_000_000) }), {
      code: "LimitExceeded",
    });
  });
}

it("a budget can be used again after an error", () => {
  const budget = new Budget();
  for (let round = 0; round < 1_000; round += 1) {
    assert.throws(() => evaluateDocument(fromJson([["[not(not(fail('no')))]"]]), {}, { budget }), {
      code: "UserFailure",
    });
  }

  assert.equal(evaluateDocument("[not(true())]", {}, { budget }), false);
});

it("evaluating any combination of functions gives a value or a template error", () => {
  const names = [...pureFunctions.values()].map((definition) => definition.name);
  const { call } = fc.letrec<{ call: string; argument: string }>((tie) => ({
    call: fc
      .tuple(fc.constantFrom(...names), fc.array(tie("argument"), { maxLength: 3 }))
      .map(([name, args]) => `${name}(${args.join(", ")})`),
    argument: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(
        "'a'",
        "'{0:N2}'",
        "'[1,{\"a\":2}]'",
        "'10.0.0.0/8'",
        "'2020-01-01'",
        "'P1D'",
        "'https://a.b/c'",
        "'A.B/c'",
      ),
      fc.integer().map(String),
      fc.constantFrom(
        "true()",
        "null()",
        "createArray()",
        "createArray(1, 'a')",
        "createObject('a', 1)",
        "json('1.5')",
      ),
      tie("call"),
      tie("argument").map((body) => `lambda('x', ${body})`),
      tie("argument").map((body) => `lambda('x', 'y', ${body})`),
    ),
  }));

  fc.assert(
    fc.property(call, (text) => {
      try {
        evaluateDocument(`[${text}]`, {}, { budget: new Budget(100_000) });
      } catch (error) {
        assert.ok(error instanceof TemplateError, `${text}: ${String(error)}`);
      }
    }),
    { numRuns: 2_000 },
  );
});
