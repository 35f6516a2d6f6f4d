import { moduleResource, radiusResource, radiusTemplate } from "@rad/control-plane/testing";
import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import type { Dice } from "./dice.ts";
import { doubtfulTerm, type Kind, kinds, type Names, oddTerm, soundTerm } from "./expressions.ts";

export interface AnyTemplate {
  readonly template: JsonObject;
  /** It can be deployed. */
  readonly isSound: boolean;
}

/** Templates by the grammar of the language: more than half can be deployed, the others are broken in a place or two. */
export function anyTemplate(dice: Dice): AnyTemplate {
  const isSound = dice.chance(0.6);
  const template = soundTemplate(dice, { depth: 2, prefix: "", secureText: isSound ? canary : "open" });
  if (isSound) {
    return { template, isSound };
  }
  const broken = breakOnce(dice, dice.chance(0.5) ? breakOnce(dice, template) : template);
  return { template: isJsonObject(broken) ? broken : {}, isSound };
}

/** The secure parameter of sound templates, which no answer shows. */
export const canary = "hidden-canary";

interface Nesting {
  /** How many modules may be inside each other. */
  readonly depth: number;
  /** Before the names of resources and modules, so that no two have the same. */
  readonly prefix: string;
  /** The value of secure parameters. A template that is broken may show it. */
  readonly secureText: string;
}

const secret = "parameters('z')";
/** What expressions may name from the beginning. */
const known: Names = { string: ["parameters('p')", "variables('v')"], int: ["parameters('q')", "variables('w')"] };

function soundTemplate(dice: Dice, nesting: Nesting): JsonObject {
  const parameters = {
    p: { type: "string", defaultValue: dice.pick(["a", "b-c", "é"]) },
    z: { type: "securestring", defaultValue: nesting.secureText },
    q: { type: "int", defaultValue: dice.number(20), minValue: 0, maxValue: 20 },
  };
  const loop = { copy: [{ name: "loop", count: dice.number(5), input: value(dice, "string", {}) }] };
  const variables = { v: "text", w: 7, u: value(dice, "array", {}), ...(dice.chance(0.3) ? loop : {}) };
  const double = {
    parameters: [{ name: "x", type: "int" }],
    output: { type: "int", value: "[mul(parameters('x'), 2)]" },
  };
  const { resources, later } = soundResources(dice, nesting);
  const outputs = Object.fromEntries(
    dice.times(3, (index) => {
      const kind = dice.pick(kinds);
      const isLoop = dice.chance(0.2);
      const copied = { type: "array", copy: { count: dice.number(4), input: value(dice, kind, later) } };
      return [`o${index}`, isLoop ? copied : { type: kind, value: value(dice, kind, later) }];
    }),
  );
  const always = { type: "string", value: "a" };
  const hidden = { type: "securestring", value: value(dice, "string", withSecret(later)) };
  return {
    ...radiusTemplate({ resources, parameters, variables, outputs: { ...outputs, always, hidden } }),
    functions: [{ namespace: "f", members: { double } }],
  };
}

interface SoundResources {
  readonly resources: JsonObject;
  /** What is known while the deployment runs. */
  readonly later: Names;
}

function soundResources(dice: Dice, nesting: Nesting): SoundResources {
  const { depth, prefix } = nesting;
  const resources: JsonObject = {};
  const texts = [...(known.string ?? [])];
  const later = { ...known, string: texts };
  for (const name of ["r", "s", "t", "u"].slice(0, dice.number(5))) {
    const before = Object.keys(resources);
    const condition = dice.chance(0.15) ? value(dice, "bool", known) : undefined;
    const around = {
      ...(before.length > 0 && dice.chance(0.3) ? { dependsOn: [dice.pick(before)] } : {}),
      ...(condition === undefined ? {} : { condition }),
    };
    if (depth > 0 && dice.chance(0.2)) {
      const inner = soundTemplate(dice, { ...nesting, depth: depth - 1, prefix: `${prefix}${name}` });
      const parameters: JsonObject = dice.chance(0.5) ? { p: { value: value(dice, "string", later) } } : {};
      resources[name] = { ...moduleResource(`m-${prefix}${name}`, inner, { parameters }), ...around };
      texts.push(...(condition === undefined ? [`reference('${name}').outputs.always.value`] : []));
      continue;
    }
    const isLoop = dice.chance(0.15);
    const type = dice.pick(["things", "things", "secrets"]);
    const kind = type === "secrets" ? "string" : dice.pick(kinds);
    const x = dice.chance(0.1) ? `[${secret}]` : value(dice, kind, withSecret(later));
    const resource = radiusResource(
      `Radius.Fuzz/${type}@2025-01-01`,
      isLoop ? `[format('${prefix}${name}-{0}', copyIndex())]` : `${prefix}${name}-x`,
      { properties: { x } },
    );
    resources[name] = { ...resource, ...around, ...(isLoop ? { copy: { name, count: dice.number(4) } } : {}) };
    const isShown = type === "things" && !JSON.stringify(x).includes(secret);
    if (isShown && kind === "string" && condition === undefined && !isLoop) {
      texts.push(`reference('${name}').properties.x`);
    }
  }
  return { resources, later };
}

function withSecret(names: Names): Names {
  return { ...names, string: [...(names.string ?? []), secret] };
}

/** An expression, or a list or object with expressions in it where the kind is one. */
function value(dice: Dice, kind: Kind, names: Names): JsonValue {
  const expression = (of: Kind): string => `[${soundTerm(dice, 4, of, names)}]`;
  if (kind === "object" && dice.chance(0.5)) {
    return { a: expression(dice.pick(kinds)), b: [expression("int")], "c d": "[[no expression]" };
  }
  return kind === "array" && dice.chance(0.5) ? dice.times(3, () => expression(dice.pick(kinds))) : expression(kind);
}

/** The same but for one place. */
function breakOnce(dice: Dice, whole: JsonValue): JsonValue {
  if (typeof whole === "string") {
    return dice.pick<() => JsonValue>([
      () => `[${oddTerm(dice, 4)}]`,
      () => `[${doubtfulTerm(dice, 4)}]`,
      () => `[${doubtfulTerm(dice, 2)}]`,
      () => dice.damage(Buffer.from(whole)).toString("utf8"),
      () => anyValue(dice, 2),
    ])();
  }
  const isList = Array.isArray(whole);
  if (!isList && !isJsonObject(whole)) {
    return anyValue(dice, 2);
  }
  const members = Object.entries(whole);
  if (members.length === 0 || dice.chance(0.05)) {
    return anyValue(dice, 3);
  }
  // Of three places that with the most in it: the resources rather than the version of the schema.
  const places = Array.from({ length: 3 }, () => dice.number(members.length));
  const at = places.toSorted((a, b) => sizeOf(members[b]) - sizeOf(members[a]))[0] ?? 0;
  const [key, member] = members[at] ?? ["", null];
  const changed = dice.chance(0.85)
    ? members.with(at, [key, breakOnce(dice, member)])
    : dice.pick<() => [string, JsonValue][]>([
        () => members.toSpliced(at, 1),
        () => members.with(at, [dice.key(), member]),
        () => [...members, [dice.key(), member]],
        () => [...members, [dice.key(), anyValue(dice, 2)]],
      ])();
  return isList ? changed.map(([, item]) => item) : Object.fromEntries(changed);
}

function sizeOf(value: JsonValue | undefined): number {
  return JSON.stringify(value)?.length ?? 0;
}

function anyValue(dice: Dice, depth: number): JsonValue {
  return dice.grow<JsonValue>(
    depth,
    [() => `[${oddTerm(dice, depth + 2)}]`, () => dice.json(1), () => dice.text(), () => dice.number(10)],
    [
      () => dice.times(3, () => anyValue(dice, depth - 1)),
      () => Object.fromEntries(dice.times(3, () => [dice.key(), anyValue(dice, depth - 1)])),
      () => `[${oddTerm(dice, depth + 2)}]`,
    ],
  );
}
