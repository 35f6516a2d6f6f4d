export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member `name` when it is an object of its own; an absent or mistyped member counts as empty. */
export function objectMember(value: JsonObject, name: string): JsonObject {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return isJsonObject(member) ? member : {};
}

/** Sets a member, whatever its name: an assignment to `__proto__` would change the object's prototype instead. */
export function setMember(object: JsonObject, name: string, value: JsonValue): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}

/** Whether there are more than `limit` values in a value, itself included. Stops as soon as that is certain. */
export function hasMoreValues(value: JsonValue, limit: number): boolean {
  const waiting: JsonValue[] = [value];
  let known = 1;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const members = typeof next === "object" && next !== null ? Object.values(next) : [];
    known += members.length;
    if (known > limit) {
      return true;
    }
    waiting.push(...members);
  }
  return false;
}
