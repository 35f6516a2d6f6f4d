import { pureFunctions } from "@rad/templates";
import type { Dice } from "./dice.ts";

export type Kind = "string" | "int" | "bool" | "array" | "object";
export const kinds: readonly Kind[] = ["string", "int", "bool", "array", "object"];

/** Texts that stand for a value of a kind: what parameters, variables and earlier resources are called. */
export type Names = Readonly<Partial<Record<Kind, readonly string[]>>>;

/** Expressions that have a value whatever stands for `<kind>`, so that templates of them can be deployed. */
const sound: Readonly<Record<Kind, readonly string[]>> = {
  string: [
    "concat(<string>, <string>)",
    "toLower(<string>)",
    "toUpper(<string>)",
    "trim(<string>)",
    "base64(<string>)",
    "base64ToString(base64(<string>))",
    "uniqueString(<string>)",
    "guid(<string>, <string>)",
    "replace(<string>, 'a', <string>)",
    "substring(concat(<string>, 'abc'), 1, 2)",
    "padLeft(<string>, 20)",
    "string(<any>)",
    "format('{0}-{1}', <string>, <int>)",
    "join(map(<array>, lambda('e', string(lambdaVariables('e')))), ',')",
    "uriComponent(<string>)",
    "resourceId('Radius.Fuzz/things', uniqueString(<string>))",
    "if(<bool>, <string>, <string>)",
    "take(<string>, <int>)",
    "skip(<string>, <int>)",
    "first(split(<string>, 'a'))",
    "coalesce(null(), <string>)",
    "reduce(<array>, <string>, lambda('s', 'e', <string>))",
    "resourceGroup().name",
    "deployment().name",
  ],
  int: [
    "add(<int>, <int>)",
    "sub(<int>, <int>)",
    "mod(mul(mod(<int>, 1000), mod(<int>, 1000)), 97)",
    "div(<int>, 7)",
    "length(<array>)",
    "length(<string>)",
    "length(<object>)",
    "indexOf(<string>, 'a')",
    "max(<int>, <int>)",
    "min(createArray(<int>, <int>))",
    "int(string(<int>))",
    "if(<bool>, <int>, <int>)",
    "f.double(<int>)",
    "createArray(<int>, <int>)[1]",
    "createObject('a', <int>).a",
  ],
  bool: [
    "equals(<any>, <any>)",
    "less(<int>, <int>)",
    "greaterOrEquals(<string>, <string>)",
    "not(<bool>)",
    "and(<bool>, <bool>)",
    "or(<bool>, <bool>)",
    "contains(<array>, <int>)",
    "contains(<string>, <string>)",
    "startsWith(<string>, <string>)",
    "empty(<array>)",
    "bool(string(<bool>))",
  ],
  array: [
    "range(<small>, <small>)",
    "createArray(<any>, <any>)",
    "concat(<array>, <array>)",
    "split(<string>, ',')",
    "union(<array>, <array>)",
    "intersection(<array>, <array>)",
    "skip(<array>, <int>)",
    "take(<array>, <int>)",
    "items(<object>)",
    "objectKeys(<object>)",
    "flatten(createArray(<array>, <array>))",
    "map(<array>, lambda('e', <any>))",
    "map(<array>, lambda('e', lambdaVariables('e')))",
    "filter(<array>, lambda('e', <bool>))",
    "sort(range(<small>, <small>), lambda('a', 'b', less(lambdaVariables('b'), lambdaVariables('a'))))",
    "json(string(<array>))",
  ],
  object: [
    "createObject('k', <any>, 'l', <any>)",
    "union(<object>, <object>)",
    "shallowMerge(createArray(<object>, <object>))",
    "json(string(<object>))",
    "toObject(range(<small>, <small>), lambda('e', string(lambdaVariables('e'))), lambda('e', <any>))",
    "if(<bool>, <object>, <object>)",
    "resourceGroup()",
    "environment()",
  ],
};

const leaves: Readonly<Record<Kind, readonly string[]>> = {
  string: ["''", "'a'", "'b-c'"],
  int: ["0", "1", "-2", "77"],
  bool: ["true()", "false()"],
  array: ["createArray()", "createArray(1, 2, 3)", "range(0, 9)"],
  object: ["createObject()", "createObject('a', 1)"],
};

/** An expression that has a value of the kind. */
export function soundTerm(dice: Dice, depth: number, kind: Kind, names: Names): string {
  return dice.grow(
    depth,
    [() => leaf(dice, kind, names)],
    [
      () =>
        dice
          .pick(sound[kind])
          .replaceAll(/<(\w+)>/g, (_, wanted: string) =>
            wanted === "small"
              ? String(dice.number(9))
              : soundTerm(dice, depth - 1, wanted === "any" ? dice.pick(kinds) : (wanted as Kind), names),
          ),
    ],
  );
}

function leaf(dice: Dice, kind: Kind, names: Names): string {
  const named = names[kind] ?? [];
  // Half of a character that takes two units cannot be stored, and `skip` or `substring` would leave it.
  const literal = dice
    .text()
    .replaceAll("'", "''")
    .replaceAll(/[\u{10000}-\u{10FFFF}]/gu, "字");
  const text = kind === "string" && dice.chance(0.4) ? [`'${literal}'`] : [];
  return dice.pick(named.length > 0 && dice.chance(0.5) ? named : [...leaves[kind], ...text]);
}

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

const pure = [...pureFunctions.keys()];

/** What turns out to be of another kind, or not to be there, when the deployment runs. */
const doubtful: Names = Object.fromEntries(
  kinds.map((kind) => [kind, ["r", "s"].map((name) => `reference('${name}').properties.x`)]),
);

/** An expression that fails only when the deployment runs, if at all. */
export function doubtfulTerm(dice: Dice, depth: number): string {
  return soundTerm(dice, depth, dice.pick(kinds), doubtful);
}

/** Anything that the grammar allows, whether or not it means something. */
export function oddTerm(dice: Dice, depth: number): string {
  const part = (): string => (dice.chance(0.6) ? doubtfulTerm(dice, depth - 1) : oddTerm(dice, depth - 1));
  const call = (): string => {
    const name = dice.chance(0.85) ? dice.pick(pure) : dice.pick(contextFunctions);
    return `${name}(${dice.times(3, part).join(", ")})`;
  };
  return dice.grow(
    depth,
    [() => `reference('${dice.pick(["r", "s", "t"])}')`, () => "null()", () => doubtfulTerm(dice, 0)],
    [call, call, call, () => `${part()}.${dice.pick(["a", "name", "properties", "id"])}`, () => `${part()}[${part()}]`],
  );
}
