import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import type { Captures } from "./captures.ts";
import type { ExpectedResponse } from "./recording.ts";

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** `undefined` when there is none. */
  readonly body: JsonValue | undefined;
}

/** How a response differs from what is expected, one line each; nothing when it does not. */
export function compareResponse(expected: ExpectedResponse, received: Received, captures: Captures): string[] {
  const differences: string[] = [];
  if (expected.status !== undefined && expected.status !== received.status) {
    differences.push(`status: expected ${expected.status}, got ${received.status} ${shown(received.body)}`);
  }
  for (const [name, text] of Object.entries(expected.headers ?? {})) {
    const actual = received.headers.get(name);
    const isEqual = text === null || actual === null ? text === actual : captures.matches(text, actual);
    if (!isEqual) {
      differences.push(`header ${name}: expected ${shown(text)}, got ${shown(actual)}`);
    }
  }
  if (expected.body !== undefined) {
    differences.push(...compare("$", expected.body ?? undefined, received.body, { captures, isPart: false }));
  }
  if (expected.includes !== undefined) {
    differences.push(...compare("$", expected.includes, received.body, { captures, isPart: true }));
  }
  return differences;
}

interface How {
  readonly captures: Captures;
  /** Members that are not expected do no harm. */
  readonly isPart: boolean;
}

function compare(path: string, expected: JsonValue | undefined, actual: JsonValue | undefined, how: How): string[] {
  if (typeof expected === "string" && typeof actual === "string") {
    return how.captures.matches(expected, actual) ? [] : [differs(path, expected, actual)];
  }
  if (Array.isArray(expected) && Array.isArray(actual) && how.isPart) {
    return expected.flatMap((item) => compareWithSome(path, item, actual, how));
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return expected.length === actual.length
      ? expected.flatMap((item, index) => compare(`${path}[${index}]`, item, actual[index], how))
      : [`${path}: expected ${expected.length} items, got ${actual.length}: ${shown(actual)}`];
  }
  if (isJsonObject(expected) && isJsonObject(actual)) {
    return compareMembers(path, expected, actual, how);
  }
  return expected === actual ? [] : [differs(path, expected, actual)];
}

/** Many lists come in any order, and hold what others have made too. */
function compareWithSome(path: string, expected: JsonValue, items: readonly JsonValue[], how: How): string[] {
  const index = items.findIndex(
    (item) => compare(path, expected, item, { ...how, captures: how.captures.copy() }).length === 0,
  );
  return index < 0
    ? [`${path}: no item like ${shown(expected)} in ${shown([...items])}`]
    : compare(`${path}[${index}]`, expected, items[index], how);
}

function compareMembers(path: string, expected: JsonObject, actual: JsonObject, how: How): string[] {
  const known = new Set(Object.keys(expected).map((name) => how.captures.fill(name)));
  const differences = Object.entries(expected).flatMap(([name, member]) => {
    const filled = how.captures.fill(name);
    const found = Object.hasOwn(actual, filled) ? actual[filled] : undefined;
    return compare(`${path}.${filled}`, member, found, how);
  });
  const more = how.isPart ? [] : Object.keys(actual).filter((name) => !known.has(name));
  return [...differences, ...more.map((name) => `${path}.${name}: not expected, got ${shown(actual[name])}`)];
}

function differs(path: string, expected: JsonValue | undefined, actual: JsonValue | undefined): string {
  return `${path}: expected ${shown(expected)}, got ${shown(actual)}`;
}

const mostShown = 400;

function shown(value: JsonValue | undefined): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}
