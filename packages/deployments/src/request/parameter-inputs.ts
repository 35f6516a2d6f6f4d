import { ApiError, isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import type { ParameterInput } from "@rad/templates";
import { asObject, wrongShape } from "./request-shape.ts";

/** Far more than any template declares; planning says exactly how many. */
const maxParameters = 10_000;

/** What a request or a parameters file gives: name → `{value}`, `{reference}` or `{expression}`. */
export function readParameterInputs(
  parameters: JsonValue | undefined,
  path: string,
): Readonly<Record<string, ParameterInput>> {
  if (parameters === undefined) {
    return {};
  }
  const given = Object.entries(asObject(parameters, path));
  if (given.length > maxParameters) {
    throw new ApiError("InvalidRequestContent", `"${path}" has more than ${maxParameters} members.`, { target: path });
  }
  // A name may be anything, also `__proto__`, so members are defined and not assigned.
  return Object.fromEntries(given.map(([name, entry]) => [name, readOne(entry, `${path}.${name}`)]));
}

const forms = ["value", "reference", "expression"];

function readOne(entry: JsonValue, path: string): ParameterInput {
  const given = isJsonObject(entry) ? forms.filter((name) => valueIn(entry, name) !== undefined) : [];
  const [kind, second] = given;
  if (!isJsonObject(entry) || kind === undefined || second !== undefined) {
    const message = `"${path}" must be an object with one of "value", "reference" and "expression".`;
    throw new ApiError("InvalidRequestContent", message, { target: path });
  }
  const value = valueIn(entry, kind) ?? null;
  if (kind === "expression") {
    if (typeof value !== "string") {
      throw wrongShape(`${path}.expression`, "a string", value);
    }
    return { expression: value };
  }
  return kind === "reference" ? { reference: asObject(value, `${path}.reference`) } : { value };
}

/** Unlike elsewhere in a request, `null` is a value here. */
function valueIn(entry: JsonObject, name: string): JsonValue | undefined {
  const spelling = Object.keys(entry).find((key) => key.toLowerCase() === name);
  return spelling === undefined ? undefined : entry[spelling];
}
