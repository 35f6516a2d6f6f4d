import { objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";

const methods = ["networkMirror", "direct"];

/** Warnings for providers that every way to install providers excludes, so that no recipe can use them. */
export function neverInstalled(properties: JsonObject): readonly string[] {
  const installation = objectMember(objectMember(properties, "terraformrc"), "providerInstallation");
  const used = methods.filter((method) => Object.hasOwn(installation, method));
  const selections = used.map((method) => {
    const { include, exclude } = objectMember(installation, method);
    return { include: patterns(include), exclude: patterns(exclude) };
  });
  const excluded = new Map(selections.flatMap(({ exclude }) => exclude.map((pattern) => [pattern.key, pattern])));
  return [...excluded.values()]
    .filter((provider) => selections.every((selection) => !installs(selection, provider)))
    .map(
      ({ text }) =>
        `No recipe can use the provider '${text}': properties.terraformrc.providerInstallation excludes it from ${used.join(" and ")}.`,
    );
}

interface Pattern {
  readonly text: string;
  readonly parts: readonly string[];
  readonly key: string;
}

interface Selection {
  readonly include: readonly Pattern[];
  readonly exclude: readonly Pattern[];
}

/** Some of what the pattern stands for: excluding beats including, and without `include` everything is included. */
function installs({ include, exclude }: Selection, provider: Pattern): boolean {
  const isIncluded = include.length === 0 || include.some((pattern) => overlap(pattern, provider));
  return isIncluded && !exclude.some((pattern) => covers(pattern, provider));
}

function covers(pattern: Pattern, provider: Pattern): boolean {
  return pattern.parts.every((part, index) => part === "*" || part === provider.parts[index]);
}

function overlap(one: Pattern, other: Pattern): boolean {
  return one.parts.every((part, index) => part === "*" || other.parts[index] === "*" || part === other.parts[index]);
}

/** A lone `*` is every provider of every registry; two segments are providers of Terraform's own registry. */
function patterns(value: JsonValue | undefined): readonly Pattern[] {
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  return texts.map((text) => {
    const given = text === "*" ? ["*", "*", "*"] : text.toLowerCase().split("/");
    const parts = given.length === 2 ? ["registry.terraform.io", ...given] : given;
    return { text, parts, key: parts.join("/") };
  });
}
