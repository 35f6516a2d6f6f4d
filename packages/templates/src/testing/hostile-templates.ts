import type { JsonObject, JsonValue } from "@rad/core";
import type { ParameterInput } from "../plan/plan.ts";
import { classic, symbolic, thing } from "../plan/testing/plan-kit.ts";

/** A template that tries to keep the process busy, or to fill its memory. */
export interface HostileTemplate {
  readonly name: string;
  /** Made when it is needed: some are megabytes. */
  readonly make: () => {
    readonly template: JsonObject;
    readonly parameters?: Readonly<Record<string, ParameterInput>>;
  };
  /** What is wrong with it; missing when it is only large. */
  readonly refused?: "LimitExceeded" | "SizeExceeded";
}

const range = "range(0, 10000)";
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const members = (count: number, make: (index: number) => JsonValue): JsonObject =>
  Object.fromEntries(many(count, (index) => [`m${index}`, make(index)]));
const outputs = (count: number, value: (index: number) => JsonValue): JsonObject => ({
  outputs: members(count, (index) => ({ type: "object", value: value(index) })),
});
const loop = (count: number, properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  resources: { a: thing("[format('a{0}', copyIndex())]", { copy: { name: "a", count }, ...more }, properties) },
});
/** Each variable makes more of the one before. */
const growing = (first: JsonValue, step: (before: string) => string, count = 40): JsonObject => ({
  variables: {
    v0: first,
    ...Object.fromEntries(many(count, (at) => [`v${at + 1}`, `[${step(`variables('v${at}')`)}]`])),
  },
  outputs: { it: { type: "int", value: `[length(variables('v${count}'))]` } },
});
const userFunctions = (count: number, value: (index: number) => string): JsonObject => ({
  functions: [
    {
      namespace: "u",
      members: Object.fromEntries(
        many(count, (at) => [
          `f${at}`,
          { parameters: [{ name: "n", type: "int" }], output: { type: "int", value: `[${value(at)}]` } },
        ]),
      ),
    },
  ],
});
const twice = (at: number): string =>
  at === 0 ? "parameters('n')" : `add(u.f${at - 1}(parameters('n')), u.f${at - 1}(parameters('n')))`;
const nested = (template: JsonObject): JsonObject => ({
  type: "Microsoft.Resources/deployments",
  apiVersion: "2022-09-01",
  name: "inner",
  properties: { mode: "Incremental", expressionEvaluationOptions: { scope: "inner" }, template },
});
const deep = (levels: number, leaf: JsonObject): JsonObject => {
  let template = leaf;
  for (let level = 0; level < levels; level += 1) {
    template = classic({ resources: [nested(template)] });
  }
  return template;
};

export const hostileTemplates: readonly HostileTemplate[] = [
  {
    name: "20 resources, each with lambdas in lambdas",
    make: () => ({
      template: symbolic(
        loop(20, { x: `[length(map(range(0, 900), lambda('a', map(range(0, 900), lambda('b', 1)))))]` }),
      ),
    }),
    refused: "LimitExceeded",
  },
  {
    name: "30 user functions, each calling the one before twice",
    make: () => ({
      template: symbolic({ ...userFunctions(30, twice), outputs: { it: { type: "int", value: "[u.f29(1)]" } } }),
    }),
    refused: "LimitExceeded",
  },
  {
    name: "user functions within what one expression may take, in 64 outputs",
    make: () => ({
      template: symbolic({ ...userFunctions(15, twice), ...outputs(64, () => "[createObject('a', u.f13(1))]") }),
    }),
    refused: "LimitExceeded",
  },
  {
    name: "64 outputs of nested lambdas",
    make: () => ({
      template: symbolic(
        outputs(64, () => `[createObject('a', length(map(${range}, lambda('a', map(range(0, 10), lambda('b', 1))))))]`),
      ),
    }),
    refused: "LimitExceeded",
  },
  {
    name: "map of map of map",
    make: () => ({
      template: symbolic({
        outputs: {
          it: {
            type: "int",
            value: `[length(map(${range}, lambda('a', map(${range}, lambda('b', map(${range}, lambda('c', 1)))))))]`,
          },
        },
      }),
    }),
    refused: "LimitExceeded",
  },
  ...(
    [
      ["base64", "base64({})"],
      ["json in json", "string(createArray({}, {}))"],
      ["concat", "concat({}, {})"],
      ["format", "format('{{0}}{{1}}', {}, {})"],
      ["replace", "replace({}, 'é', 'éééé')"],
      ["join", "join(createArray({}, {}, {}), {})"],
      ["uriComponent", "uriComponent(concat({}, {}))"],
      ["padLeft", "padLeft({}, mul(length({}), 2))"],
      ["toUpper and concat", "toUpper(concat({}, toLower({})))"],
    ] as const
  ).map(([name, step]): HostileTemplate => ({
    name: `text that grows by ${name}`,
    make: () => ({
      template: symbolic(
        growing("é", (before) => step.replaceAll("{}", before).replaceAll("{{", "{").replaceAll("}}", "}"), 60),
      ),
    }),
    refused: "LimitExceeded",
  })),
  {
    name: "arrays that grow by flatten",
    make: () => ({
      template: symbolic(growing([[1]], (v) => `createArray(flatten(createArray(flatten(${v}), flatten(${v}))))`)),
    }),
    refused: "LimitExceeded",
  },
  {
    name: "objects that grow by union",
    make: () => ({
      template: symbolic({
        variables: {
          a: `[toObject(${range}, lambda('n', format('a{0}', lambdaVariables('n'))))]`,
          b: `[toObject(${range}, lambda('n', format('b{0}', lambdaVariables('n'))))]`,
        },
        ...outputs(64, () => "[createObject('n', length(union(variables('a'), variables('b'))))]"),
      }),
    }),
  },
  {
    name: "intersection of large objects and arrays",
    make: () => ({
      template: symbolic({
        variables: { a: `[toObject(${range}, lambda('n', string(lambdaVariables('n'))))]` },
        ...outputs(
          32,
          () =>
            `[createObject('n', length(intersection(variables('a'), variables('a'))), 'm', length(intersection(${range}, ${range})))]`,
        ),
      }),
    }),
  },
  {
    name: "sort with a costly lambda",
    make: () => ({
      template: symbolic({
        outputs: {
          it: {
            type: "array",
            value: `[sort(${range}, lambda('a', 'b', less(length(string(range(0, 100))), lambdaVariables('b'))))]`,
          },
        },
      }),
    }),
    refused: "LimitExceeded",
  },
  {
    name: "groupBy and toObject with costly lambdas",
    make: () => ({
      template: symbolic(
        outputs(
          64,
          (at) =>
            `[groupBy(${range}, lambda('a', string(mod(lambdaVariables('a'), ${at + 1}))), lambda('b', toObject(range(0, 9), lambda('c', string(lambdaVariables('c'))))))]`,
        ),
      ),
    }),
    refused: "LimitExceeded",
  },
  {
    name: "10,000 copies of a large body",
    make: () => ({
      template: symbolic(
        loop(
          10_000,
          members(100, (at) => `[format('{0}-${at}', copyIndex())]`),
        ),
      ),
    }),
    refused: "LimitExceeded",
  },
  {
    name: "10,000 copies of an ordinary body",
    make: () => ({
      template: symbolic(
        loop(
          10_000,
          members(20, (at) => `[format('{0}-${at}', copyIndex())]`),
        ),
      ),
    }),
  },
  {
    name: "10,000 copies with a long text that they share",
    make: () => ({ template: symbolic(loop(10_000, { note: `[string(${range})]` })) }),
  },
  {
    name: "a property of 10,000 rounds in a resource of 100 copies",
    make: () => ({
      template: symbolic(
        loop(100, { copy: [{ name: "p", count: 10_000, input: { n: "[copyIndex('p')]", m: "[copyIndex('a')]" } }] }),
      ),
    }),
    refused: "LimitExceeded",
  },
  {
    name: "512 variables, each mapping the one before",
    make: () => ({
      template: symbolic({
        variables: {
          m0: `[${range}]`,
          ...Object.fromEntries(
            many(511, (at) => [`m${at + 1}`, `[map(variables('m${at}'), lambda('n', add(lambdaVariables('n'), 1)))]`]),
          ),
        },
        ...outputs(64, (at) => `[createObject('n', length(variables('m${at * 8}')))]`),
      }),
    }),
    refused: "LimitExceeded",
  },
  {
    name: "a parameter of 4 MB of numbers",
    make: () => ({
      template: symbolic({
        parameters: { p: { type: "array" } },
        outputs: { n: { type: "int", value: "[length(parameters('p'))]" } },
      }),
      parameters: { p: { value: many(2_000_000, () => 1) } },
    }),
    refused: "SizeExceeded",
  },
  {
    name: "a parameter of many typed items",
    make: () => ({
      template: symbolic({
        languageVersion: "2.0",
        parameters: {
          p: { type: "array", items: { type: "object", properties: { a: { type: "int", minValue: 1 } } } },
        },
      }),
      parameters: { p: { value: many(150_000, () => ({ a: 1 })) } },
    }),
    refused: "LimitExceeded",
  },
  {
    name: "a parameter of 4 MB of text",
    make: () => ({
      template: symbolic({
        parameters: { p: { type: "string" } },
        ...outputs(64, (at) => `[createObject('n', indexOf(parameters('p'), 'y${at}'))]`),
      }),
      parameters: { p: { value: "x".repeat(4_000_000) } },
    }),
    refused: "LimitExceeded",
  },
  {
    name: "a template of 4 MB of numbers",
    make: () => ({ template: symbolic({ variables: { v: many(700_000, () => 1) } }) }),
  },
  {
    name: "an object of very many members",
    make: () => ({ template: symbolic({ variables: { v: members(250_000, () => 1) } }) }),
    refused: "LimitExceeded",
  },
  {
    name: "a resource of very many members",
    make: () => ({
      template: classic({ resources: [{ type: "A.B/c", apiVersion: "1", name: "x", ...members(90_000, () => 1) }] }),
    }),
  },
  {
    name: "400,000 resources in one template",
    make: () => ({ template: classic({ resources: many(400_000, () => ({})) }) }),
    refused: "LimitExceeded",
  },
  {
    name: "very many small expressions",
    make: () => ({ template: symbolic(outputs(64, () => ({ all: many(4_000, () => "[add(1,2)]") }))) }),
  },
  {
    name: "long expressions",
    make: () => ({
      template: symbolic(
        outputs(64, () => `[createObject('n', concat(${many(1_500, (at) => `'text ${at}'`).join(",")}))]`),
      ),
    }),
  },
  {
    name: "very many types",
    make: () => ({
      template: symbolic({
        definitions: members(60, () => ({
          type: "object",
          properties: members(1_000, () => ({ type: "string", nullable: true })),
        })),
      }),
    }),
  },
  {
    name: "10,000 resources that depend on 1,000 others each",
    make: () => ({
      template: symbolic({
        resources: {
          ...Object.fromEntries(many(1_000, (at) => [`b${at}`, thing(`b${at}`)])),
          ...(loop(9_000, {}, { dependsOn: many(1_000, (at) => `b${at}`) })["resources"] as JsonObject),
        },
      }),
    }),
    refused: "LimitExceeded",
  },
  {
    name: "1,000 resources that depend on 1,000 others each",
    make: () => ({
      template: symbolic({
        resources: {
          ...Object.fromEntries(many(1_000, (at) => [`b${at}`, thing(`b${at}`)])),
          ...(loop(1_000, {}, { dependsOn: many(1_000, (at) => `b${at}`) })["resources"] as JsonObject),
        },
      }),
    }),
  },
  {
    name: "templates nested 50 deep around 3 MB",
    make: () => ({
      template: deep(49, classic({ variables: { v: many(90_000, (at) => `[concat('text', '${at}')]`) } })),
    }),
  },
  {
    name: "equality of large values",
    make: () => ({
      template: symbolic({
        variables: {
          a: `[map(${range}, lambda('n', createObject('a', lambdaVariables('n'))))]`,
          b: `[map(${range}, lambda('n', createObject('a', lambdaVariables('n'))))]`,
        },
        ...outputs(64, () => "[createObject('is', equals(variables('a'), variables('b')))]"),
      }),
    }),
  },
  {
    name: "a secure parameter that reaches everything",
    make: () => ({
      template: symbolic({
        parameters: { s: { type: "secureString" } },
        variables: { v: `[map(range(0, 2000), lambda('n', concat(parameters('s'), lambdaVariables('n'))))]` },
        ...loop(1_000, { all: "[variables('v')]", one: "[concat(parameters('s'), copyIndex())]" }),
      }),
      parameters: { s: { value: "hunter2-hunter2" } },
    }),
    refused: "LimitExceeded",
  },
  {
    name: "secure parameters of very many texts",
    make: () => ({
      template: symbolic({ parameters: { s: { type: "secureObject" } } }),
      parameters: { s: { value: members(90_000, (at) => `secret ${at}`) } },
    }),
    refused: "LimitExceeded",
  },
];
