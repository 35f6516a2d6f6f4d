import { moduleResource, radiusResource, radiusTemplate } from "@rad/control-plane/testing";
import type { JsonObject, JsonValue } from "@rad/core";
import { type HeavyRequest, heavyGroup } from "./heavy-request.ts";
import { heavyVersion } from "./heavy-types.ts";

const noted = { note: "[concat('note ', copyIndex())]" };
const largeNote = { note: "[string(range(0, 10000))]" };
const costly =
  "[length(map(range(0, reference('o').properties.x), lambda('a', length(map(range(0, 900), lambda('b', add(lambdaVariables('a'), lambdaVariables('b'))))))))]";

/** Templates that ask for much in few words. */
const templates: Readonly<Record<string, () => JsonObject>> = {
  "user functions that call the one before twice": () => ({
    functions: [
      {
        namespace: "f",
        members: Object.fromEntries(
          numbered(30, (i) => [
            `f${i}`,
            {
              parameters: [{ name: "x", type: "int" }],
              output: {
                type: "int",
                value:
                  i === 0
                    ? "[add(parameters('x'), 1)]"
                    : `[add(f.f${i - 1}(parameters('x')), f.f${i - 1}(parameters('x')))]`,
              },
            },
          ]),
        ),
      },
    ],
    outputs: { a: { type: "int", value: "[f.f29(1)]" } },
  }),
  "64 outputs of nested lambdas": () => ({
    outputs: Object.fromEntries(
      numbered(64, (i) => [
        `o${i}`,
        {
          type: "int",
          value:
            "[length(map(range(0, 1000), lambda('a', length(filter(range(0, 500), lambda('b', equals(lambdaVariables('a'), lambdaVariables('b'))))))))]",
        },
      ]),
    ),
  }),
  "map of map of map": () => output(`[length(${nestedMaps(3, 200)})]`),
  "flatten that grows": () => ({
    ...doubling(16, "[flatten(createArray(variables('v{0}'), variables('v{0}')))]"),
    outputs: { a: { type: "int", value: "[length(variables('v15'))]" } },
  }),
  "texts that grow": () => doubling(26, "[concat(variables('v{0}'), variables('v{0}'))]", "abcdefgh"),
  "base64 that grows": () => doubling(40, "[base64(concat(variables('v{0}'), variables('v{0}')))]", "abcdefgh"),
  "json of what is large": () => ({
    variables: { a: "[string(range(0, 10000))]", b: "[map(range(0, 300), lambda('i', json(variables('a'))))]" },
    outputs: { a: { type: "int", value: "[length(variables('b'))]" } },
  }),
  "objects of objects": () =>
    output(
      "[length(toObject(range(0, 10000), lambda('i', string(lambdaVariables('i'))), lambda('i', toObject(range(0, 100), lambda('j', string(lambdaVariables('j')))))))]",
    ),
  "sort with a costly order": () =>
    output("[length(sort(range(0, 10000), lambda('a', 'b', less(length(range(0, 100)), lambdaVariables('a')))))]"),
  "replace everywhere": () =>
    output("[length(replace(concat(string(range(0, 10000)), string(range(0, 10000))), '1', string(range(0, 2000))))]"),
  "split into letters": () => output("[length(map(range(0, 200), lambda('i', split(string(range(0, 10000)), '1'))))]"),
  "unions of large objects": () => ({
    variables: { a: "[toObject(range(0, 5000), lambda('i', string(lambdaVariables('i'))))]" },
    outputs: {
      a: {
        type: "int",
        value:
          "[length(map(range(0, 500), lambda('i', union(variables('a'), createObject('x', lambdaVariables('i'))))))]",
      },
    },
  }),
  "comparisons of what is alike": () => ({
    variables: { a: "[range(0, 10000)]", b: "[range(0, 10000)]" },
    outputs: {
      a: {
        type: "int",
        value: "[length(filter(range(0, 2000), lambda('i', equals(variables('a'), variables('b')))))]",
      },
    },
  }),
  "reduce that collects": () =>
    output(
      "[length(reduce(range(0, 5000), createArray(), lambda('all', 'i', concat(lambdaVariables('all'), createArray(lambdaVariables('i'))))))]",
    ),
  intersections: () =>
    output("[length(map(range(0, 300), lambda('i', intersection(range(0, 10000), range(5000, 10000)))))]"),
  "many unique texts": () =>
    output(
      "[length(map(range(0, 10000), lambda('i', uniqueString(string(range(0, 500)), string(lambdaVariables('i'))))))]",
    ),
  "formats of formats": () => ({ ...doubling(20, "[format('{0}{0}{0}{0}', variables('v{0}'))]", "abcdefgh") }),
  "variables that map the one before": () => ({
    variables: Object.fromEntries(
      numbered(256, (i) => [
        `v${i}`,
        i === 0 ? "[range(0, 10000)]" : `[map(variables('v${i - 1}'), lambda('x', add(lambdaVariables('x'), 1)))]`,
      ]),
    ),
    outputs: { a: { type: "int", value: "[first(variables('v255'))]" } },
  }),
  "loops of variables": () => ({
    outputs: Object.fromEntries(
      numbered(32, (i) => [`o${i}`, { type: "array", copy: { count: 10_000, input: "[copyIndex()]" } }]),
    ),
  }),
  "ten thousand resources": () => ({
    resources: { all: { ...thing("[concat('thing-', copyIndex())]", noted), copy: { name: "all", count: 10_000 } } },
  }),
  "ten thousand resources with large bodies": () => ({
    resources: {
      all: { ...thing("[concat('thing-', copyIndex())]", largeNote), copy: { name: "all", count: 10_000 } },
    },
  }),
  "hundreds of resources with large bodies": () => ({
    resources: {
      all: { ...thing("[concat('large-', copyIndex())]", largeNote), copy: { name: "all", count: 500 } },
    },
  }),
  "hundreds of resources that wait for all before": () => ({
    resources: Object.fromEntries(
      numbered(600, (i) => [`r${i}`, { ...thing(`thing-${i}`), dependsOn: numbered(i, (before) => `r${before}`) }]),
    ),
  }),
  "templates within templates": () => nested(40),
  "a long expression": () => output(`[length(createArray(${numbered(4_000, (i) => `${i}`).join(", ")}))]`),
  "very many expressions": () => ({
    resources: Object.fromEntries(
      numbered(400, (i) => [
        `r${i}`,
        thing(
          `thing-${i}`,
          numbered(100, (j) => `[concat('a', string(add(${i}, ${j})), toLower('B'))]`),
        ),
      ]),
    ),
  }),
  "a parameter of four million bytes": () => ({
    parameters: { p: { type: "array", defaultValue: numbered(1_000_000, (i) => i % 10) } },
    outputs: {
      a: { type: "int", value: "[length(filter(parameters('p'), lambda('x', equals(lambdaVariables('x'), 3))))]" },
    },
  }),
  "secrets that are almost in a text, everywhere": () => ({
    parameters: {
      p: {
        type: "secureobject",
        defaultValue: Object.fromEntries(numbered(400, (i) => [`k${i}`, `aaaa${i}b${"a".repeat(3_000)}`])),
      },
      shown: { type: "string", defaultValue: "a".repeat(40_000) },
    },
    resources: { r: thing("almost", "[parameters('shown')]") },
  }),
  "a secret that goes everywhere": () => ({
    parameters: { p: { type: "securestring", defaultValue: "canary" } },
    resources: {
      all: {
        ...thing(
          "[concat('thing-', copyIndex())]",
          "[map(range(0, 50), lambda('i', concat(parameters('p'), string(lambdaVariables('i')))))]",
        ),
        copy: { name: "all", count: 3_000 },
      },
    },
  }),
};

/** Half a gigabyte, which the disk takes longer for than a test should. */
const notDeployed = "ten thousand resources with large bodies";

/** Every template is checked, previewed and deployed. */
export const heavyTemplates: readonly HeavyRequest[] = Object.entries(templates).flatMap(([name, content]) => {
  const id = `${heavyGroup}/providers/Microsoft.Resources/deployments/${name.replaceAll(/\W+/g, "-")}`;
  const query = "?api-version=2020-10-01";
  const body = (): string =>
    JSON.stringify({ properties: { mode: "Incremental", template: radiusTemplate(content()) } });
  const requests = [
    { name: `validate: ${name}`, method: "POST", path: `${id}/validate${query}`, body },
    { name: `what-if: ${name}`, method: "POST", path: `${id}/whatIf${query}`, body },
    { name: `deploy: ${name}`, method: "PUT", path: `${id}${query}`, body, untilEnded: true },
  ];
  return name === notDeployed ? requests.slice(0, 2) : requests;
});

/** Twenty resources that become ready at the same moment, each with much to evaluate. */
export const manyReadyAtOnce: HeavyRequest = {
  name: "deploy: twenty costly resources that become ready at once",
  method: "PUT",
  path: `${heavyGroup}/providers/Microsoft.Resources/deployments/ready-at-once?api-version=2020-10-01`,
  body: () =>
    JSON.stringify({
      properties: {
        mode: "Incremental",
        template: radiusTemplate({
          resources: {
            o: thing("o", 900),
            ...Object.fromEntries(numbered(20, (i) => [`r${i}`, thing(`r${i}`, costly)])),
          },
        }),
      },
    }),
  untilEnded: true,
};

function thing(name: string, x: JsonValue = 1): JsonObject {
  return radiusResource(`Radius.Heavy/open@${heavyVersion}`, name, { properties: { x } });
}

function output(value: string): JsonObject {
  return { outputs: { a: { type: "int", value } } };
}

/** Variables each of which is made of the one before. */
function doubling(count: number, expression: string, start: JsonValue = "[range(0, 100)]"): JsonObject {
  return {
    variables: Object.fromEntries(
      numbered(count, (i) => [`v${i}`, i === 0 ? start : expression.replaceAll("v{0}", `v${i - 1}`)]),
    ),
    outputs: { a: { type: "int", value: `[length(variables('v${count - 1}'))]` } },
  };
}

function nestedMaps(depth: number, width: number): string {
  const inner = depth === 1 ? "1" : nestedMaps(depth - 1, width);
  return `map(range(0, ${width}), lambda('x${depth}', ${inner}))`;
}

function nested(depth: number): JsonObject {
  const inner = depth === 0 ? { resources: { deepest: thing("deepest") } } : nested(depth - 1);
  return { resources: { [`level${depth}`]: moduleResource(`level-${depth}`, radiusTemplate(inner)) } };
}

function numbered<Item>(count: number, item: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => item(index));
}
