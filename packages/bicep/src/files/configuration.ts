import type { Value } from "@rad/templates";
import { defaultFormatOptions } from "../format/index.ts";
import type { FormatOptions } from "../format/index.ts";
import type { Features, ReferenceProblem } from "../semantics/index.ts";
import { linterRuleNames } from "../lint/index.ts";
import { suggestSpelling } from "../types/index.ts";
import { asArray, asBoolean, asNumber, asObject, asString, member } from "./json-document.ts";
import { problems } from "./problems.ts";

/** What a `bicepconfig.json`, merged over the defaults, says about the files of a folder. */
export interface Configuration {
  /** The file it was read from; none for the defaults. */
  readonly path: string | undefined;
  /** Name to `builtin:`, `br:…` or a path relative to `folder`. */
  readonly extensions: ReadonlyMap<string, ExtensionSetting>;
  readonly implicitExtensions: readonly string[];
  readonly registryAliases: ReadonlyMap<string, RegistryAlias>;
  readonly templateSpecAliases: ReadonlyMap<string, TemplateSpecAlias>;
  readonly analyzers: AnalyzerSettings;
  readonly features: Features;
  readonly formatting: FormatOptions;
  /** A folder for restored artifacts, absolute or relative to the file's folder. */
  readonly cacheRootDirectory: string | undefined;
  /** What is wrong with the file, reported on every file that it applies to. */
  readonly problems: readonly ReferenceProblem[];
}

interface ExtensionSetting {
  readonly value: string;
  /** The folder of the configuration that has the entry: what a relative path starts from. */
  readonly folder: string;
}

interface RegistryAlias {
  readonly registry: string | undefined;
  readonly modulePath: string | undefined;
}

interface TemplateSpecAlias {
  readonly subscription: string | undefined;
  readonly resourceGroup: string | undefined;
}

/** Which linter rules run, how loud they are, and their options. */
interface AnalyzerSettings {
  readonly enabled: boolean;
  readonly rules: ReadonlyMap<string, RuleSettings>;
}

interface RuleSettings {
  readonly level: RuleLevel | undefined;
  /** The whole entry, options included. */
  readonly options: ReadonlyMap<string, Value>;
}

type RuleLevel = "off" | "info" | "warning" | "error";

/** One file of a chain of configurations. */
export interface ConfigurationLayer {
  readonly path: string;
  readonly folder: string;
  readonly document: ReadonlyMap<string, Value>;
}

/** What holds without any file. `radius` and `aws` are built in here, so that they need no registry. */
const defaultExtensions: ReadonlyMap<string, ExtensionSetting> = new Map(
  ["az", "kubernetes", "radius", "aws"].map((name) => [name, { value: "builtin:", folder: "/" }]),
);

export const defaultConfiguration: Configuration = buildConfiguration([], []);

/** Merges layers, the most general one first, over the defaults. `found` is what went wrong on the way. */
export function buildConfiguration(
  layers: readonly ConfigurationLayer[],
  found: readonly ReferenceProblem[],
): Configuration {
  const merged: ReadonlyMap<string, Value> = layers.reduce<ReadonlyMap<string, Value>>(
    (under, layer) => mergeObjects(under, layer.document),
    new Map(),
  );
  const extensions = new Map(defaultExtensions);
  for (const { document, folder } of layers) {
    for (const [name, value] of asObject(document.get("extensions")) ?? []) {
      if (typeof value === "string") {
        extensions.set(name, { value, folder });
      }
    }
  }
  const path = layers.at(-1)?.path;
  const implicitExtensions = strings(merged.get("implicitExtensions")) ?? ["az"];
  const missing = implicitExtensions.filter((name) => !extensions.has(name));
  const invalid = layers.flatMap((layer) => checkLayer(layer));
  return {
    path,
    extensions,
    implicitExtensions,
    registryAliases: registryAliases(member(merged.get("moduleAliases"), "br")),
    templateSpecAliases: templateSpecAliases(member(merged.get("moduleAliases"), "ts")),
    analyzers: analyzers(member(merged.get("analyzers"), "core")),
    features: features(merged.get("experimentalFeaturesEnabled")),
    formatting: formatting(merged.get("formatting")),
    cacheRootDirectory: asString(merged.get("cacheRootDirectory")),
    problems: [
      ...found,
      ...invalid,
      ...missing.map((name) => problems.implicitExtensionMissing(name, path ?? "bicepconfig.json")),
    ],
  };
}

/** Members of `over` win; objects that both have are merged in turn, arrays are replaced. */
function mergeObjects(under: ReadonlyMap<string, Value>, over: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
  const merged = new Map(under);
  for (const [name, value] of over) {
    const below = asObject(merged.get(name));
    const above = asObject(value);
    merged.set(name, below !== undefined && above !== undefined ? mergeObjects(below, above) : value);
  }
  return merged;
}

const objectSections = [
  "extensions",
  "moduleAliases",
  "analyzers",
  "experimentalFeaturesEnabled",
  "formatting",
  "cloud",
];

function checkLayer({ path, document }: ConfigurationLayer): ReferenceProblem[] {
  const found: ReferenceProblem[] = [];
  const expect = (isFine: boolean, what: string) => {
    if (!isFine) {
      found.push(problems.configurationInvalid(path, what));
    }
  };
  for (const name of objectSections) {
    const value = document.get(name);
    expect(value === undefined || asObject(value) !== undefined, `"${name}" must be an object.`);
  }
  for (const [name, value] of asObject(document.get("extensions")) ?? []) {
    expect(typeof value === "string", `The extension "${name}" must be a string.`);
  }
  const implicit = document.get("implicitExtensions");
  expect(implicit === undefined || strings(implicit) !== undefined, `"implicitExtensions" must be a list of strings.`);
  for (const [name, value] of asObject(document.get("experimentalFeaturesEnabled")) ?? []) {
    expect(typeof value === "boolean", `The feature "${name}" must be true or false.`);
  }
  for (const [name, value] of asObject(member(member(document.get("analyzers"), "core"), "rules")) ?? []) {
    const level = member(value, "level");
    expect(asObject(value) !== undefined, `The rule "${name}" must be an object.`);
    expect(level === undefined || ruleLevel(level) !== undefined, `The level of "${name}" is not valid.`);
    if (!linterRuleNames.includes(name)) {
      found.push(problems.linterRuleUnknown(path, name, suggestSpelling(name, linterRuleNames)));
    }
  }
  return found;
}

function registryAliases(value: Value | undefined): ReadonlyMap<string, RegistryAlias> {
  const aliases = new Map<string, RegistryAlias>([["public", { registry: "mcr.microsoft.com", modulePath: "bicep" }]]);
  for (const [name, alias] of asObject(value) ?? []) {
    aliases.set(name, {
      registry: asString(member(alias, "registry")),
      modulePath: asString(member(alias, "modulePath")),
    });
  }
  return aliases;
}

function templateSpecAliases(value: Value | undefined): ReadonlyMap<string, TemplateSpecAlias> {
  const aliases = new Map<string, TemplateSpecAlias>();
  for (const [name, alias] of asObject(value) ?? []) {
    aliases.set(name, {
      subscription: asString(member(alias, "subscription")),
      resourceGroup: asString(member(alias, "resourceGroup")),
    });
  }
  return aliases;
}

function analyzers(value: Value | undefined): AnalyzerSettings {
  const rules = new Map<string, RuleSettings>();
  for (const [name, rule] of asObject(member(value, "rules")) ?? []) {
    const options = asObject(rule) ?? new Map<string, Value>();
    rules.set(name, { level: ruleLevel(options.get("level")), options });
  }
  return { enabled: asBoolean(member(value, "enabled")) ?? true, rules };
}

function ruleLevel(value: Value | undefined): RuleLevel | undefined {
  const level = asString(value)?.toLowerCase();
  return level === "off" || level === "info" || level === "warning" || level === "error" ? level : undefined;
}

function features(value: Value | undefined): Features {
  const enabled: Record<string, boolean> = {};
  for (const [name, isOn] of asObject(value) ?? []) {
    if (typeof isOn === "boolean") {
      enabled[name] = isOn;
    }
  }
  return enabled;
}

function formatting(value: Value | undefined): FormatOptions {
  const indentKind = asString(member(value, "indentKind"));
  const newlineKind = asString(member(value, "newlineKind"));
  return {
    indentKind: oneOf(indentKind, ["Space", "Tab"]) ?? defaultFormatOptions.indentKind,
    newlineKind: oneOf(newlineKind, ["LF", "CRLF", "CR"]) ?? defaultFormatOptions.newlineKind,
    insertFinalNewline: asBoolean(member(value, "insertFinalNewline")) ?? defaultFormatOptions.insertFinalNewline,
    indentSize: asNumber(member(value, "indentSize")) ?? defaultFormatOptions.indentSize,
    width: asNumber(member(value, "width")) ?? defaultFormatOptions.width,
  };
}

/** The choice that a text names, letter case aside. */
function oneOf<T extends string>(text: string | undefined, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice.toLowerCase() === text?.toLowerCase());
}

function strings(value: Value | undefined): readonly string[] | undefined {
  const items = asArray(value);
  return items?.every((item) => typeof item === "string") === true ? items : undefined;
}
