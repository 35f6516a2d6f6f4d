import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";

/** Members that upstream takes for secrets wherever they stand, in lower case. */
const secretNames: ReadonlySet<string> = new Set([
  "password",
  "connectionstring",
  "apikey",
  "secret",
  "token",
  "privatekey",
  "sastoken",
]);

/** The value with `null` in place of secrets. @param pointers JSON pointers of values that are made of something secure */
export function withoutSecrets(value: JsonObject, pointers: readonly string[]): JsonObject {
  return cleanObject(value, "", new Set(pointers));
}

function cleanObject(value: JsonObject, at: string, pointers: ReadonlySet<string>): JsonObject {
  const members = Object.entries(value).map(([name, member]) => {
    const pointer = `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return [name, secretNames.has(name.toLowerCase()) ? null : cleanValue(member, pointer, pointers)] as const;
  });
  return Object.fromEntries(members);
}

function cleanValue(value: JsonValue, at: string, pointers: ReadonlySet<string>): JsonValue {
  if (pointers.has(at)) {
    return null;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => cleanValue(item, `${at}/${index}`, pointers));
  }
  return isJsonObject(value) ? cleanObject(value, at, pointers) : value;
}
