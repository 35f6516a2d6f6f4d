import { isJsonObject, Pace, pauseAfter, setMember } from "@rad/core";
import type { JsonObject, JsonValue, Sliced } from "@rad/core";
import { memberNode } from "./schema-node.ts";
import type { SchemaNode, Shape } from "./schema-node.ts";
import { shapeFor } from "./variants.ts";

/** Secret values by the JSON pointer (RFC 6901) of the place they were taken from. */
export type Secrets = Record<string, JsonValue>;

export interface SplitSecrets {
  /** What may be stored and shown: every secret is `null` in it. */
  readonly visible: JsonObject;
  readonly secrets: Secrets;
}

export function* splitSecrets(shape: Shape, properties: JsonObject, pace: Pace): Sliced<SplitSecrets> {
  const secrets: Secrets = {};
  return { visible: yield* splitObject(shape, properties, { pointer: root, secrets, pace }), secrets };
}

/**
 * Takes out more than the schema asks for: what is at these JSON pointers, which begin with `/properties`. A pointer
 * that leads nowhere, to `null`, or into a secret changes nothing.
 * @param properties as they were split
 */
export function splitMoreSecrets(
  split: SplitSecrets,
  properties: JsonObject,
  pointers: readonly string[],
): SplitSecrets {
  const more = pointers.flatMap((pointer) => (pointer === root ? Object.keys(properties).map(below(root)) : [pointer]));
  if (more.length === 0) {
    return split;
  }
  const taken: Secrets = {};
  const visible = takeAt(split.visible, properties, more.map(segmentsOf), { at: root, taken });
  const kept = Object.entries(split.secrets).filter(([pointer]) => !isWithin(pointer, taken));
  return { visible: isJsonObject(visible) ? visible : {}, secrets: { ...Object.fromEntries(kept), ...taken } };
}

/** Every text inside the secrets, for redaction. */
export function* secretStrings(secrets: Readonly<Secrets>): Sliced<string[]> {
  const texts = new Set<string>();
  const pace = new Pace();
  const waiting: JsonValue[] = yield* pauseAfter(() => Object.values(secrets));
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    const pause = pace.spend();
    if (pause !== undefined) {
      yield pause;
    }
    if (typeof value === "string") {
      texts.add(value);
    } else if (typeof value === "number") {
      texts.add(String(value));
    } else if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) {
        waiting.push(member);
      }
    }
  }
  return [...texts];
}

interface Visit {
  readonly pointer: string;
  readonly secrets: Secrets;
  readonly pace: Pace;
}

function* split(node: SchemaNode | undefined, value: JsonValue, visit: Visit): Sliced<JsonValue> {
  const pause = visit.pace.spend();
  if (pause !== undefined) {
    yield pause;
  }
  if (value === null || node === undefined) {
    return value;
  }
  const { pointer, secrets } = visit;
  if (node.sensitive) {
    secrets[pointer] = value;
    return null;
  }
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const [index, item] of value.entries()) {
      items.push(yield* split(node.shape.items, item, { ...visit, pointer: `${pointer}/${index}` }));
    }
    return items;
  }
  return isJsonObject(value) ? yield* splitObject(node.shape, value, visit) : value;
}

function* splitObject(shape: Shape, value: JsonObject, visit: Visit): Sliced<JsonObject> {
  const chosen = shapeFor(shape, value);
  const shown: JsonObject = {};
  for (const name of Object.keys(value)) {
    const node = memberNode(chosen, name);
    const member = value[name] ?? null;
    if (node?.sensitive !== true && typeof member !== "object") {
      setMember(shown, name, member);
      continue;
    }
    const inner = { ...visit, pointer: `${visit.pointer}/${escape(name)}` };
    setMember(shown, name, yield* split(node, member, inner));
  }
  return shown;
}

/** Goes through each part once, however many pointers lead into it. `null` on the way is absent, or a secret already. */
function takeAt(
  visible: JsonValue,
  value: JsonValue,
  paths: readonly (readonly string[])[],
  { at, taken }: { readonly at: string; readonly taken: Secrets },
): JsonValue {
  if (visible === null) {
    return null;
  }
  if (paths.some((path) => path.length === 0)) {
    taken[at] = value;
    return null;
  }
  const byName = Map.groupBy(paths, ([first = ""]) => first);
  const take = (name: string, part: JsonValue, of: JsonValue): JsonValue => {
    const inner = byName.get(name)?.map((path) => path.slice(1));
    return inner === undefined ? part : takeAt(part, of, inner, { at: below(at)(name), taken });
  };
  if (Array.isArray(visible) && Array.isArray(value)) {
    return visible.map((item, index) => take(String(index), item, value[index] ?? null));
  }
  if (!isJsonObject(visible) || !isJsonObject(value)) {
    return visible;
  }
  return Object.fromEntries(
    Object.entries(visible).map(([name, member]) => [name, take(name, member ?? null, value[name] ?? null)]),
  );
}

function isWithin(pointer: string, taken: Readonly<Secrets>): boolean {
  for (let end = pointer.lastIndexOf("/"); end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    if (Object.hasOwn(taken, pointer.slice(0, end))) {
      return true;
    }
  }
  return false;
}

const root = "/properties";

function below(pointer: string): (name: string) => string {
  return (name) => `${pointer}/${escape(name)}`;
}

/** Below the properties. */
function segmentsOf(pointer: string): string[] {
  const segments = pointer.split("/").slice(2);
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function escape(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
