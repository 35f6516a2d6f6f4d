import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import type { ResourcePreview } from "@rad/resources";

/** The same preview with nothing at these JSON pointers but whether it changes, as it is with sensitive members. */
export function withValuesHidden(preview: ResourcePreview, pointers: readonly string[]): ResourcePreview {
  const { before, after } = preview;
  const hidden = comparableParts(preview, pointers);
  const changedSecrets = [...preview.changedSecrets];
  for (const pointer of hidden) {
    const old = valueAt(before, segmentsOf(pointer));
    const fresh = valueAt(after, segmentsOf(pointer));
    if (!isDeepStrictEqual(old, fresh)) {
      changedSecrets.push({
        pointer,
        change: old === undefined ? "create" : fresh === undefined ? "delete" : "modify",
      });
    }
  }
  return { ...preview, before: before && hide(before, hidden), after: hide(after, hidden), changedSecrets };
}

/** The same preview without what was at these JSON pointers; what will be there is shown. */
export function withFormerValuesHidden(preview: ResourcePreview, pointers: readonly string[]): ResourcePreview {
  const { before } = preview;
  return { ...preview, before: before && hide(before, comparableParts(preview, pointers)) };
}

/** The same preview, of whose nested changes only the kind and the id are left. */
export function withNestedHidden(preview: ResourcePreview): ResourcePreview {
  const { nested } = preview;
  const bare = nested?.map(({ id, change }) => ({
    id,
    change,
    before: undefined,
    after: undefined,
    changedSecrets: [],
  }));
  return bare === undefined ? preview : { ...preview, nested: bare };
}

/** Pointers of everything there is. */
export function allMembers({ before, after }: ResourcePreview): string[] {
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after)])].map((name) => `/${escaped(name)}`);
}

function comparableParts(preview: ResourcePreview, pointers: readonly string[]): ReadonlySet<string> {
  const { before, after } = preview;
  // A body is shown member by member: there is nothing to put in the place of all of it.
  const within = pointers.includes("") ? allMembers(preview) : pointers;
  return new Set(within.map((pointer) => comparablePart(segmentsOf(pointer), before, after)));
}

/** Where arrays differ in length, what is at one position may be at another one in the other: then all of it counts. */
function comparablePart(segments: readonly string[], before: JsonValue | undefined, after: JsonValue): string {
  let [old, fresh]: [JsonValue | undefined, JsonValue | undefined] = [before, after];
  let pointer = "";
  for (const segment of segments) {
    const isUneven = Array.isArray(old) && Array.isArray(fresh) && old.length !== fresh.length;
    if (isUneven) {
      break;
    }
    pointer += `/${escaped(segment)}`;
    [old, fresh] = [child(old, segment), child(fresh, segment)];
  }
  return pointer;
}

function valueAt(value: JsonValue | undefined, segments: readonly string[]): JsonValue | undefined {
  return segments.reduce<JsonValue | undefined>(child, value);
}

/** Pointers as a tree, so that a body is gone through once, however many there are of them. */
interface Place {
  isHidden: boolean;
  readonly members: Map<string, Place>;
}

function hide(body: JsonObject, pointers: ReadonlySet<string>): JsonObject {
  const root: Place = { isHidden: false, members: new Map() };
  for (const pointer of pointers) {
    let place = root;
    for (const segment of segmentsOf(pointer)) {
      const inner = place.members.get(segment) ?? { isHidden: false, members: new Map() };
      place.members.set(segment, inner);
      place = inner;
    }
    place.isHidden = true;
  }
  return without(body, root) as JsonObject;
}

function without(value: JsonValue, place: Place | undefined): JsonValue {
  if (place === undefined) {
    return value;
  }
  if (place.isHidden) {
    return null;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => without(item, place.members.get(String(index))));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members = Object.entries(value).map(([name, member]) => [name, without(member, place.members.get(name))]);
  return Object.fromEntries(members) as JsonObject;
}

function child(value: JsonValue | undefined, segment: string): JsonValue | undefined {
  return typeof value === "object" && value !== null && Object.hasOwn(value, segment)
    ? (value as JsonObject)[segment]
    : undefined;
}

function segmentsOf(pointer: string): string[] {
  const segments = pointer.split("/").slice(1);
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
