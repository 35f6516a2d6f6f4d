import { ApiError, isJsonObject, type JsonObject, type JsonValue } from "@rad/core";

/** The member of this name, in any letter case. `null` counts as absent: clients send it for what they leave out. */
export function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  if (Object.hasOwn(object, name)) {
    return object[name] ?? undefined;
  }
  const wanted = name.toLowerCase();
  const spelling = Object.keys(object).find((key) => key.toLowerCase() === wanted);
  return spelling === undefined ? undefined : (object[spelling] ?? undefined);
}

/** @throws ApiError `InvalidRequestContent` when two members have the same name but for its letter case. */
export function refuseTwins(object: JsonObject, path: string): void {
  const seen = new Map<string, string>();
  for (const name of Object.keys(object)) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined) {
      const message = `"${path}" has the member "${name}" twice, also as "${other}".`;
      throw new ApiError("InvalidRequestContent", message, { target: `${path}.${name}` });
    }
    seen.set(name.toLowerCase(), name);
  }
}

/** @throws ApiError `InvalidRequestContent` when there is something else at `path`. */
export function optionalObject(object: JsonObject, name: string, path: string): JsonObject | undefined {
  const value = memberOf(object, name);
  return value === undefined ? undefined : asObject(value, `${path}.${name}`);
}

/** @throws ApiError `InvalidRequestContent` when there is something else at `path`. */
export function optionalText(object: JsonObject, name: string, path: string): string | undefined {
  const value = memberOf(object, name);
  if (value !== undefined && typeof value !== "string") {
    throw wrongShape(`${path}.${name}`, "a string", value);
  }
  return value;
}

export function asObject(value: JsonValue | undefined, path: string): JsonObject {
  if (!isJsonObject(value)) {
    throw wrongShape(path, "an object", value);
  }
  return value;
}

export function wrongShape(path: string, expected: string, actual: JsonValue | undefined): ApiError {
  const message = `"${path}" must be ${expected}, not ${kindOf(actual)}.`;
  return new ApiError("InvalidRequestContent", message, { target: path });
}

export function invalidDeployment(path: string, message: string): ApiError {
  return new ApiError("InvalidDeployment", message, { target: path });
}

function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) {
    return "absent";
  }
  if (value === null) {
    return "null";
  }
  if (Array.isArray(value)) {
    return "an array";
  }
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
