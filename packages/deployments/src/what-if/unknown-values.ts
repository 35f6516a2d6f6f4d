import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import { isExpressionText } from "@rad/templates";

/*
 * A body that is evaluated ahead of time has the text of an expression wherever a value is not known yet. Only bodies of
 * which the evaluation says so come here: elsewhere a text in brackets is a text in brackets.
 */

/** Fills in what is there now, so that what is known can be compared and checked by itself. */
export function withCurrentValues(body: JsonObject, current: JsonObject): JsonObject {
  return mergeObject(body, current, (text, now) => (now === undefined || now === null ? text : now));
}

/** Puts the texts back into the stored form of such a body. */
export function withUnknownTexts(stored: JsonObject, body: JsonObject): JsonObject {
  const put = (value: JsonValue, sent: JsonValue | undefined): JsonValue => {
    if (isUnknown(sent)) {
      return sent;
    }
    if (isJsonObject(value) && isJsonObject(sent)) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, put(item, member(sent, name))]));
    }
    if (Array.isArray(value) && Array.isArray(sent) && value.length === sent.length) {
      return value.map((item, index) => put(item, sent[index]));
    }
    return value;
  };
  return put(stored, body) as JsonObject;
}

/** Leaves out what is not known, so that whoever asks for it learns that. */
export function withoutUnknown(body: JsonObject): JsonObject {
  const clean = (value: JsonValue): JsonValue | undefined => {
    if (isUnknown(value)) {
      return undefined;
    }
    if (isJsonObject(value)) {
      return withoutUnknown(value);
    }
    if (!Array.isArray(value)) {
      return value;
    }
    // An array without one of its items would have another length, and others in its place.
    const items = value.map(clean);
    return items.every((item) => item !== undefined) ? items : undefined;
  };
  const members = Object.entries(body).map(([name, value]) => [name, clean(value)] as const);
  return Object.fromEntries(members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** JSON pointers of what is not known. */
export function unknownPointers(value: JsonValue, at = ""): string[] {
  if (isUnknown(value)) {
    return [at];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => unknownPointers(item, `${at}/${index}`));
  }
  if (!isJsonObject(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([name, item]) => unknownPointers(item, `${at}/${escaped(name)}`));
}

function mergeObject(
  body: JsonObject,
  current: JsonObject,
  choose: (text: string, now: JsonValue | undefined) => JsonValue,
): JsonObject {
  const merge = (value: JsonValue, now: JsonValue | undefined): JsonValue => {
    if (isUnknown(value)) {
      return choose(value, now);
    }
    if (isJsonObject(value)) {
      return mergeObject(value, isJsonObject(now) ? now : {}, choose);
    }
    return Array.isArray(value)
      ? value.map((item, index) => merge(item, Array.isArray(now) ? now[index] : undefined))
      : value;
  };
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, merge(value, member(current, name))]));
}

function isUnknown(value: JsonValue | undefined): value is string {
  return typeof value === "string" && isExpressionText(value);
}

function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
