import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core/json";
import { CliError } from "../cli-error.ts";

export interface RequestField {
  /** `properties[size]` is the path `properties`, `size`; `names[]` ends with "", which adds to a list. */
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** `key=value` with the value as text. @throws CliError */
export function rawField(text: string): RequestField {
  const [key, value] = splitField(text);
  return { path: pathOf(key, text), value };
}

/** `key=value` where `true`, `false`, `null` and integers are what they look like, and `@file` is that file's content. */
export async function typedField(text: string, readFile: (name: string) => Promise<string>): Promise<RequestField> {
  const [key, value] = splitField(text);
  const path = pathOf(key, text);
  return { path, value: value.startsWith("@") ? await readFile(value.slice(1)) : typedValue(value) };
}

/** The object that fields come to, in their order. @throws CliError when two of them contradict each other */
export function bodyOf(fields: readonly RequestField[]): JsonObject {
  const body: JsonObject = {};
  for (const { path, value } of fields) {
    place(body, path, value);
  }
  return body;
}

/** Fields of a request without a body are parameters of its query. @throws CliError for those that have no such form */
export function queryOf(fields: readonly RequestField[]): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ path: [name = "", ...rest], value }) => {
      if (rest.length > 0) {
        throw invalid(`${name}[…]`, "a parameter of the query has no members");
      }
      return [name, typeof value === "string" ? value : JSON.stringify(value)];
    }),
  );
}

function splitField(text: string): [string, string] {
  const end = text.indexOf("=");
  if (end < 1) {
    throw invalid(text, "write it as key=value");
  }
  return [text.slice(0, end), text.slice(end + 1)];
}

function pathOf(key: string, text: string): string[] {
  const found = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key);
  if (found === null) {
    throw invalid(text, "write members as key[member]=value, items of a list as key[]=value");
  }
  const [, name = "", members = ""] = found;
  const path = [name, ...[...members.matchAll(/\[([^[\]]*)\]/g)].map(([, member = ""]) => member)];
  if (path.slice(0, -1).includes("")) {
    throw invalid(text, "[] can only come last");
  }
  return path;
}

function typedValue(text: string): JsonValue {
  const isLiteral = /^(?:true|false|null|-?(?:0|[1-9]\d*))$/.test(text);
  const value: JsonValue = isLiteral ? (JSON.parse(text) as JsonValue) : text;
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw invalid(text, "the number is too large to be sent as it is; use --input");
  }
  return value;
}

function place(body: JsonObject, path: readonly string[], value: JsonValue): void {
  const isList = path.at(-1) === "";
  const keys = isList ? path.slice(0, -1) : path;
  let parent = body;
  for (const key of keys.slice(0, -1)) {
    const child = own(parent, key) ?? {};
    if (!isJsonObject(child)) {
      throw contradiction(path);
    }
    define(parent, key, child);
    parent = child;
  }
  const last = keys.at(-1) ?? "";
  const known = own(parent, last);
  if (isList) {
    if (known !== undefined && !Array.isArray(known)) {
      throw contradiction(path);
    }
    define(parent, last, [...(known ?? []), value]);
  } else {
    if (isJsonObject(known) || Array.isArray(known)) {
      throw contradiction(path);
    }
    define(parent, last, value);
  }
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Also a member that is called `__proto__`. */
function define(object: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function contradiction([name = "", ...members]: readonly string[]): CliError {
  const key = `${name}${members.map((member) => `[${member}]`).join("")}`;
  return invalid(key, "another field makes something else of it");
}

function invalid(field: string, reason: string): CliError {
  return new CliError("InvalidField", `The field "${field.replace(/=.*/s, "=…")}" cannot be used: ${reason}.`);
}
