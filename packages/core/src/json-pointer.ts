import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/** JSON pointers (RFC 6901): `/properties/hosts/0/name`. */
export const jsonPointer = { of, parts: partsOf, get, set };

/** The pointer made of these member names and indices. */
function of(parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** `undefined` where the pointer leads to nothing. */
function get(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const part of partsOf(pointer)) {
    value = memberOf(value, part);
  }
  return value;
}

/** A copy of `root` with this value there. Missing members are made, missing items of arrays are not. */
function set(root: JsonObject, pointer: string, value: JsonValue): JsonObject {
  return pointer === "" ? root : (setAt(root, partsOf(pointer), value) as JsonObject);
}

function setAt(container: JsonValue, [part, ...rest]: readonly string[], value: JsonValue): JsonValue {
  if (part === undefined) {
    return value;
  }
  if (Array.isArray(container)) {
    return container.map((item, index) => (String(index) === part ? setAt(item, rest, value) : item));
  }
  const members = isJsonObject(container) ? container : {};
  return { ...members, [part]: setAt(memberOf(members, part) ?? null, rest, value) };
}

function memberOf(value: JsonValue | undefined, part: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    return /^(?:0|[1-9]\d*)$/.test(part) ? value[Number(part)] : undefined;
  }
  return isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
}

/** The member names and indices that the pointer is made of. */
function partsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
