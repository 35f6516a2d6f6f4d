import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import type { ResourcePreview } from "@rad/resources";

/** One difference, as the API shows it. Paths are dotted; below an array they begin with a position. */
export interface PropertyChange {
  readonly path: string;
  readonly propertyChangeType: "Create" | "Delete" | "Modify" | "Array" | "NoEffect";
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  readonly children?: readonly PropertyChange[];
}

/** Deeper differences are shown as one. */
const maxDepth = 50;

/** An array counts as so many levels: at each, all that is below is compared once more. */
const arrayDepth = 10;

/** What differs between the two sides. Sensitive members differ where the preview says so; their values are not shown. */
export function propertyChanges({ before, after, changedSecrets }: ResourcePreview): PropertyChange[] {
  const secrets = secretChanges(changedSecrets);
  const secretPaths = new Set(secrets.map(({ path }) => path));
  const changes = compareObjects(before ?? {}, after, "", 0).filter(({ path }) => !secretPaths.has(path));
  return [...changes, ...secrets];
}

/** Only a secret is null on both sides of a change: that tells it from a member that is null. */
export function secretChanges(changedSecrets: ResourcePreview["changedSecrets"]): PropertyChange[] {
  const changes = new Map(changedSecrets.map(({ pointer, change }) => [dotted(pointer), change]));
  return [...changes].map(([path, change]) => ({
    path,
    propertyChangeType: secretChange[change],
    before: null,
    after: null,
  }));
}

const secretChange = { create: "Create", modify: "Modify", delete: "Delete" } as const;

function compareObjects(before: JsonObject, after: JsonObject, prefix: string, depth: number): PropertyChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => compare(member(before, name), member(after, name), `${prefix}${name}`, depth));
}

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
  depth: number,
): PropertyChange[] {
  if (before === undefined) {
    return after === undefined ? [] : [{ path, propertyChangeType: "Create", after }];
  }
  if (after === undefined) {
    return [{ path, propertyChangeType: "Delete", before }];
  }
  if (depth < maxDepth && isJsonObject(before) && isJsonObject(after)) {
    return compareObjects(before, after, `${path}.`, depth + 1);
  }
  if (depth < maxDepth && Array.isArray(before) && Array.isArray(after)) {
    const children = compareItems(before, after, depth + arrayDepth);
    return children.length === 0 ? [] : [{ path, propertyChangeType: "Array", children }];
  }
  return isDeepStrictEqual(before, after) ? [] : [{ path, propertyChangeType: "Modify", before, after }];
}

/**
 * Items at both ends that are equal belong together, so that one more at the front is one change. What is left in
 * between is compared one by one. Positions are those in the new array, except for items that only the old one has.
 */
function compareItems(before: readonly JsonValue[], after: readonly JsonValue[], depth: number): PropertyChange[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isDeepStrictEqual(before[start], after[start])) {
    start += 1;
  }
  let end = 0;
  while (end < shorter - start && isDeepStrictEqual(before.at(-1 - end), after.at(-1 - end))) {
    end += 1;
  }
  const changes: PropertyChange[] = [];
  for (let index = start; index < Math.max(before.length, after.length) - end; index += 1) {
    const old = index < before.length - end ? before[index] : undefined;
    const fresh = index < after.length - end ? after[index] : undefined;
    changes.push(...compareItem(old, fresh, String(index), depth));
  }
  return changes;
}

function compareItem(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
  depth: number,
): PropertyChange[] {
  if (isJsonObject(before) && isJsonObject(after) && depth < maxDepth) {
    const children = compareObjects(before, after, "", depth + 1);
    return children.length === 0 ? [] : [{ path, propertyChangeType: "Modify", children }];
  }
  return compare(before, after, path, depth);
}

function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function dotted(pointer: string): string {
  const segments = pointer.split("/").slice(1);
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
}
