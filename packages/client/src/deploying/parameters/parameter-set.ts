import { type JsonObject, type JsonValue, nearestName } from "@rad/core";
import { DeployingError } from "../deploying-error.ts";
import type { DeclaredParameter, DeclaredParameters } from "./declared-parameters.ts";
import { textValue } from "./text-value.ts";

/** Parameters by name, in whatever form they come. */
export type ParameterSource =
  /** Texts that become values of the declared types. */
  | { readonly kind: "texts"; readonly texts: Readonly<Record<string, string>> }
  | { readonly kind: "values"; readonly values: Readonly<Record<string, JsonValue>> }
  /** Entries of a parameters file, kept as they are: `{value}`, `{reference}` … */
  | { readonly kind: "entries"; readonly entries: JsonObject };

/** The `parameters` of a deployment request, by declared name. */
export type ParameterSet = Readonly<Record<string, JsonValue>>;

/**
 * Puts sources together: a later one overrides an earlier one, a whole value at a time. Names get the template's
 * spelling. @throws DeployingError naming every parameter that the template does not have, or the first wrong value.
 */
export function mergeParameters(declared: DeclaredParameters, sources: readonly ParameterSource[]): ParameterSet {
  const merged = new Map<string, JsonValue>();
  const unknown = new Set<string>();
  const merge = <T>(
    given: Readonly<Record<string, T>>,
    entry: (value: T, parameter: DeclaredParameter) => JsonValue,
  ) => {
    for (const [name, value] of Object.entries(given)) {
      const parameter = declared.get(name.toLowerCase());
      if (parameter === undefined) {
        unknown.add(name);
      } else {
        merged.set(parameter.name, entry(value, parameter));
      }
    }
  };
  for (const source of sources) {
    switch (source.kind) {
      case "texts":
        merge(source.texts, (text, parameter) => ({ value: textValue(parameter, text) }));
        break;
      case "values":
        merge(source.values, (value) => ({ value }));
        break;
      case "entries":
        merge(source.entries, (entry) => entry);
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

/** What a deployment itself can fill in, by the name of the parameter. */
export interface AutomaticValues {
  readonly environment: string | undefined;
  readonly application: string | undefined;
}

/** Adds what the template asks for and nobody has set; that goes before a default value. */
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

/** @throws DeployingError that names everything which is missing, at once. */
export function checkNothingMissing(declared: DeclaredParameters, given: ParameterSet): void {
  const missing = [...declared.values()]
    .filter((parameter) => parameter.required && !Object.hasOwn(given, parameter.name))
    .map((parameter) => parameter.name)
    .sort();
  if (missing.length > 0) {
    throw new DeployingError(
      "MissingParameters",
      `The template has parameters without a value and without a default: ${missing.join(", ")}.`,
      { parameters: missing },
    );
  }
}

/** Looking for the name that was meant takes a look at all the names there are, for each that is not known. */
const maxHints = 20;

function unknownParameters(declared: DeclaredParameters, names: readonly string[]): DeployingError {
  const known = [...declared.values()].map((parameter) => parameter.name);
  const hints = names.map((name, index) => {
    const nearest = index < maxHints ? nearestName(name, known) : undefined;
    return `"${name}"${nearest === undefined ? "" : ` (did you mean "${nearest}"?)`}`;
  });
  const what = names.length === 1 ? "no parameter" : "no parameters";
  const there = known.length === 0 ? "It has none." : `It has: ${known.join(", ")}.`;
  return new DeployingError("UnknownParameter", `The template has ${what} ${hints.join(", ")}. ${there}`, {
    parameters: names,
  });
}
