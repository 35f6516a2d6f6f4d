import type { JsonObject, JsonValue } from "@rad/core";
import fc from "fast-check";
import { module, symbolic, thing } from "./fake-world.ts";

/** What a template is made of; the numbers choose among what is at hand in their place. */
export interface TemplateSketch {
  readonly resources: readonly ResourceSketch[];
  readonly outputs: readonly Reading[];
}

interface ResourceSketch {
  readonly kind: "thing" | "loop" | "module";
  /** What its condition, its name and the length of its loop depend on: `text` is often known only while modules run. */
  readonly condition: "none" | "flag" | "text";
  readonly name: "fixed" | "text";
  readonly rounds: "fixed" | "text";
  readonly literal: number;
  readonly size: "literal" | "parameter" | "none";
  readonly password: "literal" | "read" | "none";
  readonly extra: Reading | undefined;
  readonly values: readonly Reading[];
  readonly inner: TemplateSketch | undefined;
}

/** Which resource is read, and what of it. */
interface Reading {
  readonly source: number;
  readonly form: number;
}

const pick = fc.record({ source: fc.nat(5), form: fc.nat(20) });

function resourceSketch(depth: number): fc.Arbitrary<ResourceSketch> {
  return fc.record({
    kind: depth === 0 ? fc.constantFrom("thing", "loop") : fc.constantFrom("thing", "thing", "loop", "module"),
    condition: fc.constantFrom("none", "none", "flag", "text"),
    name: fc.constantFrom("fixed", "fixed", "text"),
    rounds: fc.constantFrom("fixed", "text"),
    literal: fc.nat(3),
    size: fc.constantFrom("literal", "parameter", "none"),
    password: fc.constantFrom("literal", "read", "none"),
    extra: fc.option(pick, { nil: undefined }),
    values: fc.array(pick, { maxLength: 3 }),
    inner: depth === 0 ? fc.constant(undefined) : fc.option(templateSketch(depth - 1), { nil: undefined }),
  });
}

export function templateSketch(depth = 2): fc.Arbitrary<TemplateSketch> {
  return fc.record({
    resources: fc.array(resourceSketch(depth), { minLength: 1, maxLength: 4 }),
    outputs: fc.array(pick, { minLength: 3, maxLength: 3 }),
  });
}

/** The parameters of every template, nested ones included. */
export const parameterValues: fc.Arbitrary<JsonObject> = fc.record({
  number: fc.nat(2),
  flag: fc.boolean(),
  text: fc.constantFrom("one", "four"),
  secret: fc.constantFrom("canary-1", "canary-2"),
});

const parameters = {
  number: { type: "int" },
  flag: { type: "bool" },
  text: { type: "string" },
  secret: { type: "securestring" },
};

/** Draws the template; `prefix` keeps the names of resources apart. */
export function drawTemplate(sketch: TemplateSketch, prefix = "r"): JsonObject {
  const resources: Record<string, JsonObject> = {};
  const sources: Source[] = [];
  sketch.resources.forEach((resource, index) => {
    const symbol = `${prefix}${index}`;
    resources[symbol] = drawResource(resource, symbol, sources);
    sources.push({ ...resource, symbol });
  });
  const [plain, conditional, nullable] = [0, 1, 2].map((index) => read(sketch.outputs[index], sources));
  return symbolic(resources, {
    parameters,
    outputs: {
      plain: { type: "string", value: `[string(${plain})]` },
      conditional: { type: "string", condition: "[parameters('flag')]", value: `[string(${conditional})]` },
      nullable: {
        type: "string",
        nullable: true,
        value: `[if(equals(${nullable}, null()), null(), string(${nullable}))]`,
      },
      secure: { type: "securestring", value: "[parameters('secret')]" },
    },
  });
}

interface Source extends Pick<ResourceSketch, "kind" | "condition" | "rounds"> {
  readonly symbol: string;
}

const conditions = { flag: "parameters('flag')", text: "equals(mod(length(parameters('text')), 2), 1)" };

function drawResource(sketch: ResourceSketch, symbol: string, sources: readonly Source[]): JsonObject {
  const more = {
    ...(sketch.condition === "none" ? {} : { condition: `[${conditions[sketch.condition]}]` }),
    dependsOn: sources.map((source) => source.symbol),
  };
  if (sketch.kind === "module") {
    const given = { number: "number", flag: "flag", secret: "secret" };
    const passed = Object.entries(given).map(([name, of]) => [name, { value: `[parameters('${of}')]` }]);
    // Every other one gets what only the server can tell, if there is somebody to ask.
    const [value = { source: 0, form: 0 }] = sketch.values;
    const chosen = sketch.literal % 2 === 0 ? value : { ...value, form: serverForm };
    // Names are made of it, and a name that is made of a secret is refused.
    const text = { value: `[string(${read(chosen, sources, isPlain)})]` };
    const inner = sketch.inner ?? { resources: [], outputs: [] };
    const template = drawTemplate(inner, `${symbol}x`);
    return module(symbol, template, { ...Object.fromEntries(passed), text }, more);
  }
  const properties: Record<string, JsonValue> = {
    ...(sketch.size === "none" ? {} : { size: sketch.size === "literal" ? sketch.literal : "[parameters('number')]" }),
    ...(sketch.password === "none"
      ? {}
      : {
          password: sketch.password === "literal" ? `p${sketch.literal}` : `[string(${read(sketch.extra, sources)})]`,
        }),
    ...(sketch.extra === undefined ? {} : { extra: `[${read(sketch.extra, sources)}]` }),
    ...(sketch.password === "none" ? {} : { derived: "[toUpper(parameters('secret'))]" }),
    list: [sketch.literal, ...sketch.values.map((value) => `[${read(value, sources)}]`)],
    deep: { fixed: "[parameters('text')]", inner: `[${read(sketch.values[0], sources)}]` },
  };
  const suffix = sketch.name === "text" ? "uniqueString(parameters('text'))" : "'x'";
  if (sketch.kind === "thing") {
    return thing(`[format('${symbol}-{0}', ${suffix})]`, properties, more);
  }
  const count = sketch.rounds === "text" ? "[mod(length(parameters('text')), 3)]" : 2;
  return thing(`[format('${symbol}-{0}-{1}', copyIndex(), ${suffix})]`, properties, {
    ...more,
    copy: { name: symbol, count },
  });
}

/** An expression that always has a value, at the latest when everything has run. */
function read(
  chosen: Reading | undefined,
  sources: readonly Source[],
  fits: (form: string) => boolean = () => true,
): string {
  const source = chosen === undefined ? undefined : sources[chosen.source % Math.max(sources.length, 1)];
  if (chosen === undefined || source === undefined) {
    return "parameters('text')";
  }
  const forms =
    source.kind === "loop" && source.rounds === "text" ? wholeLoop(source.symbol) : formsOf[source.kind](source.symbol);
  const fitting = forms.filter(fits);
  const form = fitting[chosen.form % fitting.length] ?? "null()";
  return source.condition === "none" ? form : `if(${conditions[source.condition]}, ${form}, 'off')`;
}

const serverForm = 2;

const isPlain = (form: string): boolean => !/list(?:Secrets|Outputs)/.test(form);

const thingForms = (reference: string): string[] => [
  `${reference}.id`,
  `${reference}.properties.size`,
  `${reference}.properties.status.address`,
  `tryGet(${reference}.properties, 'extra')`,
  `coalesce(tryGet(${reference}.properties, 'extra'), 'none')`,
  `contains(${reference}.properties, 'extra')`,
  `empty(tryGet(${reference}.properties, 'nobody'))`,
  `${reference}.properties.list`,
  `${reference}.properties.list[0]`,
  `length(${reference}.properties.list)`,
  `${reference}.properties.deep`,
  `${reference}.properties.deep.inner`,
  `string(${reference}.properties)`,
  `tryGet(${reference}, 'nobody')`,
];

const wholeLoop = (symbol: string): string[] => [
  `map(references('${symbol}'), lambda('r', lambdaVariables('r').properties.size))`,
  `map(references('${symbol}'), lambda('r', tryGet(lambdaVariables('r').properties, 'extra')))`,
  `length(references('${symbol}'))`,
];

const formsOf: Readonly<Record<Source["kind"], (symbol: string) => string[]>> = {
  thing: (symbol) => [
    ...thingForms(`reference('${symbol}')`),
    `length(string(listSecrets('${symbol}', '2025-01-01').password))`,
  ],
  loop: (symbol) => [...thingForms(`reference('${symbol}[1]')`), ...wholeLoop(symbol)],
  module: (symbol) => [
    `reference('${symbol}').outputs.plain.value`,
    `tryGet(tryGet(reference('${symbol}').outputs, 'conditional'), 'value')`,
    `tryGet(tryGet(reference('${symbol}').outputs, 'nullable'), 'value')`,
    `contains(reference('${symbol}').outputs, 'conditional')`,
    `string(reference('${symbol}').outputs)`,
    `length(listOutputsWithSecureValues('${symbol}', '2025-04-01').secure)`,
  ],
};
