import { pureFunctions } from "@rad/templates";
import { moduleResource, radiusResource, radiusTemplate } from "@rad/control-plane/testing";
import type { JsonObject, JsonValue } from "@rad/core";
import type { Dice } from "./dice.ts";

const contextFunctions = [
  "reference",
  "resourceGroup",
  "subscription",
  "deployment",
  "environment",
  "resourceId",
  "list",
  "listSecrets",
  "utcNow",
  "newGuid",
  "copyIndex",
  "parameters",
  "variables",
  "resourceInfo",
  "references",
  "dateTimeFromEpoch",
  "f.double",
  "nothing",
];

/** Templates by the grammar of the language: most can be deployed, what they mean is left to chance. */
export function anyTemplate(dice: Dice, depth = 2): JsonObject {
  const odd = dice.chance(0.3);
  const value = (kind: Kind): JsonValue => (odd && dice.chance(0.2) ? anyValue(dice, 3) : `[${term(dice, 4, kind)}]`);
  const parameters = {
    p: { type: dice.pick(["string", "securestring"]), defaultValue: dice.pick(["a", "b-c", "é"]) },
    q: { type: "int", defaultValue: dice.number(20) },
    ...(odd ? { s: { type: dice.pick(["object", "array", "x"]), defaultValue: anyValue(dice, 2) } } : {}),
  };
  const loop = { copy: [{ name: "loop", count: dice.number(20), input: value("string") }] };
  const variables = { v: "text", w: 7, u: value("array"), ...(dice.chance(0.2) ? loop : {}) };
  const outputs = Object.fromEntries(
    dice.times(3, (index) => {
      const kind = dice.pick(kinds);
      return [`o${index}`, { type: kind, value: value(kind), ...(odd ? dice.object(1) : {}) }];
    }),
  );
  const double = {
    parameters: [{ name: "x", type: "int" }],
    output: { type: "int", value: "[mul(parameters('x'), 2)]" },
  };
  const template = radiusTemplate({ resources: resources(dice, depth, odd), parameters, variables, outputs });
  return {
    ...template,
    ...(dice.chance(0.3) ? { functions: [{ namespace: "f", members: { double } }] } : {}),
    ...(odd && dice.chance(0.2) ? dice.object(2) : {}),
  };
}

function resources(dice: Dice, depth: number, odd: boolean): JsonObject {
  const names = ["r", "s", "t"].slice(0, dice.number(4));
  return Object.fromEntries(
    names.map((name, index) => {
      const inner = (): JsonObject => moduleResource(`m-${name}`, anyTemplate(dice, depth - 1));
      const type = odd && dice.chance(0.1) ? "none" : dice.pick(["things", "things", "secrets"]);
      const x: JsonValue = type === "secrets" ? `[${term(dice, 3, "string")}]` : anyValue(dice, 2);
      const resource = (): JsonObject =>
        radiusResource(`Radius.Fuzz/${type}@2025-01-01`, odd && dice.chance(0.1) ? expression(dice, 1) : `${name}-x`, {
          properties: { x },
        });
      const before = names.slice(0, odd && dice.chance(0.1) ? 3 : index);
      return [
        name,
        {
          ...(depth > 0 && dice.chance(0.2) ? inner() : resource()),
          ...(before.length > 0 && dice.chance(0.3) ? { dependsOn: [dice.pick(before)] } : {}),
          ...(dice.chance(0.15) ? { condition: dice.chance(0.5) ? true : `[${term(dice, 2, "bool")}]` } : {}),
          ...(odd && dice.chance(0.1) ? { copy: { name, count: dice.pick<JsonValue>([3, 0, -1, 30]) } } : {}),
        },
      ];
    }),
  );
}

function anyValue(dice: Dice, depth: number): JsonValue {
  return dice.grow<JsonValue>(
    depth,
    [() => expression(dice, depth), () => dice.json(1), () => dice.text(), () => dice.number(10)],
    [
      () => dice.times(3, () => anyValue(dice, depth - 1)),
      () => Object.fromEntries(dice.times(3, () => [dice.key(), anyValue(dice, depth - 1)])),
      () => expression(dice, depth),
    ],
  );
}

function expression(dice: Dice, depth: number): string {
  const text = `[${term(dice, depth + 2)}]`;
  return dice.chance(0.05) ? dice.damage(Buffer.from(text)).toString("utf8") : text;
}

type Kind = "string" | "int" | "bool" | "array" | "object";
const kinds: readonly Kind[] = ["string", "int", "bool", "array", "object"];

/** Functions by what they give and what they take, so that most expressions have a value. */
const signatures: Readonly<Record<Kind, readonly (readonly [string, ...Kind[]])[]>> = {
  string: [
    ["concat", "string", "string"],
    ["toLower", "string"],
    ["toUpper", "string"],
    ["trim", "string"],
    ["base64", "string"],
    ["uniqueString", "string"],
    ["guid", "string", "string"],
    ["replace", "string", "string", "string"],
    ["substring", "string", "int", "int"],
    ["padLeft", "string", "int"],
    ["string", "object"],
    ["string", "array"],
    ["format", "string", "int"],
    ["join", "array", "string"],
    ["uriComponent", "string"],
    ["resourceId", "string", "string"],
    ["if", "bool", "string", "string"],
    ["take", "string", "int"],
  ],
  int: [
    ["add", "int", "int"],
    ["mul", "int", "int"],
    ["sub", "int", "int"],
    ["mod", "int", "int"],
    ["length", "array"],
    ["length", "string"],
    ["length", "object"],
    ["indexOf", "string", "string"],
    ["max", "int", "int"],
    ["int", "string"],
    ["if", "bool", "int", "int"],
  ],
  bool: [
    ["equals", "int", "int"],
    ["equals", "array", "array"],
    ["less", "int", "int"],
    ["not", "bool"],
    ["and", "bool", "bool"],
    ["or", "bool", "bool"],
    ["contains", "array", "int"],
    ["startsWith", "string", "string"],
    ["empty", "array"],
  ],
  array: [
    ["range", "int", "int"],
    ["createArray", "int", "string"],
    ["concat", "array", "array"],
    ["split", "string", "string"],
    ["union", "array", "array"],
    ["intersection", "array", "array"],
    ["skip", "array", "int"],
    ["take", "array", "int"],
    ["items", "object"],
    ["objectKeys", "object"],
    ["flatten", "array"],
    ["createArray", "array"],
  ],
  object: [
    ["createObject", "string", "int"],
    ["union", "object", "object"],
    ["resourceGroup"],
    ["deployment"],
    ["environment"],
    ["shallowMerge", "array"],
  ],
};

function term(dice: Dice, depth: number, kind: Kind = dice.pick(kinds)): string {
  return dice.grow(
    depth,
    [() => leaf(dice, kind)],
    [
      () => typedCall(dice, depth, kind),
      () => typedCall(dice, depth, kind),
      () => typedCall(dice, depth, kind),
      () => (dice.chance(0.1) ? oddTerm(dice, depth) : leaf(dice, kind)),
      () => lambdaCall(dice, depth, kind),
    ],
  );
}

function leaf(dice: Dice, kind: Kind): string {
  const text = (): string => `'${dice.text().replaceAll("'", "''").replaceAll("[", "")}'`;
  const leaves: Readonly<Record<Kind, readonly string[]>> = {
    string: [text(), text(), "parameters('p')", "variables('v')"],
    int: [`${dice.number(100)}`, `${dice.number(5) - 2}`, "parameters('q')", "variables('w')"],
    bool: ["true()", "false()"],
    array: ["range(0, 50)", "createArray(1, 2, 3)", "createArray()"],
    object: ["createObject('a', 1)", "createObject()", "resourceGroup()"],
  };
  return dice.pick(leaves[kind]);
}

function typedCall(dice: Dice, depth: number, kind: Kind): string {
  const [name, ...args] = dice.pick(signatures[kind]);
  return `${name}(${args.map((arg) => term(dice, depth - 1, arg)).join(", ")})`;
}

function lambdaCall(dice: Dice, depth: number, kind: Kind): string {
  if (kind === "array") {
    return `${dice.pick(["map", "filter"])}(${term(dice, depth - 1, "array")}, lambda('x', ${term(dice, depth - 1, "bool")}))`;
  }
  if (kind === "object") {
    return `toObject(${term(dice, depth - 1, "array")}, lambda('x', string(lambdaVariables('x'))), lambda('x', ${term(dice, depth - 1)}))`;
  }
  return `reduce(${term(dice, depth - 1, "array")}, ${leaf(dice, kind)}, lambda('x', 'y', ${term(dice, depth - 1, kind)}))`;
}

/** Anything that the grammar allows, whether or not it means something. */
function oddTerm(dice: Dice, depth: number): string {
  return dice.pick<() => string>([
    () => call(dice, depth),
    () => `${term(dice, depth - 1)}.${dice.pick(["a", "name", "properties", "id"])}`,
    () => `${term(dice, depth - 1)}[${term(dice, depth - 1)}]`,
    () => `reference('${dice.pick(["r", "s", "t"])}')`,
    () => "null()",
  ])();
}

const pure = [...pureFunctions.keys()];

function call(dice: Dice, depth: number): string {
  const name = dice.chance(0.85) ? dice.pick(pure) : dice.pick(contextFunctions);
  return `${name}(${dice.times(3, () => term(dice, depth - 1)).join(", ")})`;
}
