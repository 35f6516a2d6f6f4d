import { type JsonObject, type JsonValue, nearestName } from "@rad/core";
import { CliError } from "../../cli-error.ts";
import type { DeclaredParameter, DeclaredParameters } from "./declared-parameters.ts";
import { inlineValue } from "./inline-value.ts";

/** What one `-p` brings, in the order of the command line. */
export type ParameterSource =
  | { readonly kind: "inline"; readonly name: string; readonly text: string }
  | { readonly kind: "value"; readonly name: string; readonly value: JsonValue }
  /** Entries of a parameters file, kept as they are: `{value}`, `{reference}` … */
  | { readonly kind: "entries"; readonly entries: JsonObject };

/** The `parameters` of a deployment request, by declared name. */
export type ParameterSet = Readonly<Record<string, JsonValue>>;

/**
 * Puts sources together: a later one overrides an earlier one, a whole value at a time. Names get the template's
 * spelling. @throws CliError naming every parameter that the template does not have, or the first wrong value.
 */
export function mergeParameters(declared: DeclaredParameters, sources: readonly ParameterSource[]): ParameterSet {
  const merged = new Map<string, JsonValue>();
  const unknown = new Set<string>();
  const set = (name: string, entry: (parameter: DeclaredParameter) => JsonValue) => {
    const parameter = declared.get(name.toLowerCase());
    if (parameter === undefined) {
      unknown.add(name);
    } else {
      merged.set(parameter.name, entry(parameter));
    }
  };
  for (const source of sources) {
    switch (source.kind) {
      case "inline":
        set(source.name, (parameter) => ({ value: inlineValue(parameter, source.text) }));
        break;
      case "value":
        set(source.name, () => ({ value: source.value }));
        break;
      case "entries":
        for (const [name, entry] of Object.entries(source.entries)) {
          set(name, () => entry);
        }
        break;
      default:
        source satisfies never;
    }
  }
  if (unknown.size > 0) {
    throw unknownParameters(declared, [...unknown]);
  }
  return Object.fromEntries(merged);
}

/** What `rad` itself can fill in, by the name of the parameter. */
export interface AutomaticValues {
  readonly environment: string | undefined;
  readonly application: string | undefined;
}

/** Adds what the template asks for and the user did not set; that goes before a default value. */
export function addAutomaticParameters(
  declared: DeclaredParameters,
  given: ParameterSet,
  automatic: AutomaticValues,
): ParameterSet {
  const added: Record<string, JsonValue> = {};
  for (const key of ["environment", "application"] as const) {
    const name = declared.get(key)?.name;
    const value = automatic[key];
    if (name !== undefined && value !== undefined && !Object.hasOwn(given, name)) {
      added[name] = { value };
    }
  }
  return { ...given, ...added };
}

/** @throws CliError that names everything which is missing, at once. */
export function checkNothingMissing(declared: DeclaredParameters, given: ParameterSet): void {
  const missing = [...declared.values()]
    .filter((parameter) => parameter.required && !Object.hasOwn(given, parameter.name))
    .map((parameter) => parameter.name)
    .sort();
  if (missing.length === 0) {
    return;
  }
  const bullets = missing.map((name) => `  - ${name}: use \`${flagFor(name)}\``);
  throw new CliError(
    "MissingParameters",
    `The template has parameters without a value and without a default:\n${bullets.join("\n")}`,
  );
}

function flagFor(name: string): string {
  switch (name.toLowerCase()) {
    case "environment":
      return "--environment <name>";
    case "application":
      return "--application <name>";
    default:
      return `--parameters ${name}=<value>`;
  }
}

function unknownParameters(declared: DeclaredParameters, names: readonly string[]): CliError {
  const known = [...declared.values()].map((parameter) => parameter.name);
  const hints = names.map((name) => {
    const nearest = nearestName(name, known);
    return `"${name}"${nearest === undefined ? "" : ` (did you mean "${nearest}"?)`}`;
  });
  const what = names.length === 1 ? "no parameter" : "no parameters";
  const there = known.length === 0 ? "It has none." : `It has: ${known.join(", ")}.`;
  return new CliError("UnknownParameter", `The template has ${what} ${hints.join(", ")}. ${there}`);
}
