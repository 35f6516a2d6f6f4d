import type { JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core";
import { DeployingError } from "../deploying-error.ts";
import { parseExactJson } from "../exact-json.ts";
import type { DeclaredParameter } from "./declared-parameters.ts";

const maxShownLength = 60;

/** A text as a value of the type that the template declares. @throws DeployingError without secure values */
export function textValue(parameter: DeclaredParameter, text: string): JsonValue {
  if (parameter.nullable && parameter.type !== "string" && parameter.type !== "any" && text.trim() === "null") {
    return null;
  }
  switch (parameter.type) {
    case "string":
    case "any":
      return text;
    case "int":
      return integer(parameter, text.trim());
    case "bool":
      return boolean(parameter, text.trim());
    case "array": {
      const value = json(parameter, text);
      return Array.isArray(value) ? value : refuse(parameter, text, "an array, as JSON");
    }
    case "object": {
      const value = json(parameter, text);
      return isJsonObject(value) ? value : refuse(parameter, text, "an object, as JSON");
    }
    default:
      return parameter.type satisfies never;
  }
}

function integer(parameter: DeclaredParameter, text: string): number {
  if (!/^[+-]?\d+$/.test(text)) {
    return refuse(parameter, text, "an integer");
  }
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    return refuse(parameter, text, "an integer of at most 53 bits");
  }
  return value === 0 ? 0 : value; // no -0
}

function boolean(parameter: DeclaredParameter, text: string): boolean {
  const folded = text.toLowerCase();
  return folded === "true" || (folded === "false" ? false : refuse(parameter, text, "true or false"));
}

function json({ name }: DeclaredParameter, text: string): JsonValue | undefined {
  try {
    return parseExactJson(text, `The parameter "${name}"`) as JsonValue;
  } catch (error) {
    if (error instanceof DeployingError) {
      throw error;
    }
    return undefined;
  }
}

function refuse(parameter: DeclaredParameter, text: string, expected: string): never {
  const shown = text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
  const actual = parameter.secure ? "the value given is not" : `"${shown}" is not`;
  throw new DeployingError("InvalidParameterValue", `The parameter "${parameter.name}" takes ${expected}; ${actual}.`, {
    parameters: [parameter.name],
  });
}
