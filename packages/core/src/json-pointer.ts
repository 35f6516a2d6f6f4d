import { isJsonObject, type JsonObject, type JsonValue, setMember } from "./json.ts";
import { Pace } from "./main-thread.ts";
import { atOnce, type Sliced } from "./sliced.ts";

/** JSON pointers (RFC 6901): `/properties/hosts/0/name`. */
export const jsonPointer = { of, parts: partsOf, get, set, setAll };

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
  return atOnce(setAll(root, [[pointer, value]]));
}

/** The same for many values: what is on the way to them is copied once. */
function* setAll(root: JsonObject, entries: Iterable<readonly [pointer: string, JsonValue]>): Sliced<JsonObject> {
  const pace = new Pace();
  const copies = new Set<JsonValue>();
  const copyOf = (value: JsonValue | undefined): JsonValue[] | JsonObject => {
    if (value !== undefined && copies.has(value)) {
      return value as JsonValue[] | JsonObject;
    }
    const copy = Array.isArray(value) ? [...value] : isJsonObject(value) ? { ...value } : {};
    copies.add(copy);
    return copy;
  };
  let result = root;
  for (const [pointer, value] of entries) {
    const parts = partsOf(pointer);
    const last = parts.pop();
    if (last === undefined) {
      continue;
    }
    result = copyOf(result) as JsonObject;
    let container: JsonValue[] | JsonObject = result;
    for (const part of parts) {
      const inner: JsonValue[] | JsonObject = copyOf(memberOf(container, part));
      put(container, part, inner);
      container = inner;
    }
    put(container, last, value);
    const pause = pace.spend(1 + parts.length);
    if (pause !== undefined) {
      yield pause;
    }
  }
  return result;
}

/** Items of arrays are replaced only. */
function put(container: JsonValue[] | JsonObject, part: string, value: JsonValue): void {
  if (!Array.isArray(container)) {
    setMember(container, part, value);
  } else if (memberOf(container, part) !== undefined) {
    container[Number(part)] = value;
  }
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
