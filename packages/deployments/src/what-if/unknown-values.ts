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
  return replaceUnknown(stored, body, {}, (text) => text) as JsonObject;
}

/**
 * Puts what was there into the stored form of such a body wherever a value is not known, also where that was nothing:
 * a difference that is left does not rest on what is not known.
 */
export function withFormerValues(stored: JsonObject, before: JsonObject, body: JsonObject): JsonObject {
  return replaceUnknown(stored, body, before, (_text, former) => former) as JsonObject;
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

/** Whether the value at this pointer is not known, or a part of one that is not. */
export function isUnknownAt(pointer: string, unknown: readonly string[]): boolean {
  return unknown.some((at) => `${pointer}/`.startsWith(`${at}/`));
}

type Choice<T> = (text: JsonValue, former: JsonValue | undefined) => T;

function replaceUnknown(
  value: JsonValue,
  sent: JsonValue | undefined,
  former: JsonValue | undefined,
  choose: Choice<JsonValue | undefined>,
): JsonValue | undefined {
  if (sent !== undefined && isUnknown(sent)) {
    return choose(sent, former);
  }
  if (isJsonObject(value) && isJsonObject(sent)) {
    const old = isJsonObject(former) ? former : {};
    const members = Object.entries(value).map(([name, item]) => {
      return [name, replaceUnknown(item, member(sent, name), member(old, name), choose)] as const;
    });
    return Object.fromEntries(members.flatMap(([name, item]) => (item === undefined ? [] : [[name, item]])));
  }
  if (Array.isArray(value) && Array.isArray(sent) && value.length === sent.length) {
    const old = Array.isArray(former) ? former : [];
    return value.map((item, index) => {
      const replaced = replaceUnknown(item, sent[index], old[index], choose);
      return replaced === undefined ? item : replaced; // there will be something in its place
    });
  }
  return value;
}

function mergeObject(body: JsonObject, current: JsonObject, choose: Choice<JsonValue>): JsonObject {
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

/** A member whose name is not known may be any member, so that nothing can be said of such an object. */
function isUnknown(value: JsonValue): boolean {
  if (isJsonObject(value)) {
    return Object.keys(value).some(isExpressionText);
  }
  return typeof value === "string" && isExpressionText(value);
}

function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
