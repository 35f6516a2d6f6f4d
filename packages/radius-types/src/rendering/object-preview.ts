import { isJsonObject, jsonPointer, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { authoredMembers, idOfObject, nameOf, objectOfId, withoutCopies } from "@rad/kubernetes";
import type { CallOptions, KubernetesObject, ObjectTarget } from "@rad/kubernetes";
import type { NestedChange } from "@rad/resources";
import type { OutputResource } from "./output-resources.ts";

/** What applying the object would change, by server-side dry run; nothing when it stays as it is. */
export async function appliedChange(
  target: ObjectTarget,
  object: KubernetesObject,
  options: CallOptions,
): Promise<NestedChange | undefined> {
  const { change, before, after } = await target.preview(object, options);
  const kind = { created: "create", changed: "modify", unchanged: undefined } as const;
  const kindOfChange = kind[change];
  return kindOfChange === undefined
    ? undefined
    : nestedChange(idOfObject(nameOf(object)), kindOfChange, { before, after });
}

/** What deleting an object that is no longer rendered would change; nothing when it is gone already. */
export async function removedChange(
  target: ObjectTarget,
  { id, radiusManaged }: OutputResource,
  options: CallOptions,
): Promise<NestedChange | undefined> {
  const name = radiusManaged ? objectOfId(id) : undefined;
  const before = name === undefined ? undefined : await target.read(name, options);
  return before === undefined ? undefined : nestedChange(id, "delete", { before, after: undefined });
}

interface Sides {
  readonly before: KubernetesObject | undefined;
  readonly after: KubernetesObject | undefined;
}

function nestedChange(id: string, change: NestedChange["change"], { before, after }: Sides): NestedChange {
  const [old, fresh] = [secretMembers(before), secretMembers(after)];
  const pointers = [...new Set([...old.keys(), ...fresh.keys()])].toSorted();
  return {
    id,
    change,
    before: before && shown(withoutCopies(before)),
    after: after && shown(withoutCopies(after)),
    changedSecrets: pointers
      .filter((pointer) => old.get(pointer) !== fresh.get(pointer))
      .map((pointer) => ({
        pointer,
        change: !old.has(pointer) ? "create" : fresh.has(pointer) ? "modify" : "delete",
      })),
  };
}

const hashPlace = ["spec", "template", "metadata", "annotations"] as const;
const hashName = "radapp.io/secret-hash";

/** The secret members of an object by JSON pointer: values of Secrets, and the hash that is made of them. */
function secretMembers(object: KubernetesObject | undefined): Map<string, unknown> {
  if (object === undefined) {
    return new Map();
  }
  const hash = at(object, hashPlace)[hashName];
  const values = object.kind === "Secret" ? Object.entries(objectMember(object, "data")) : [];
  return new Map<string, unknown>([
    ...values.map(([key, value]) => [jsonPointer.of(["data", key]), value] as const),
    ...(hash === undefined ? [] : [[jsonPointer.of([...hashPlace, hashName]), hash] as const]),
  ]);
}

/** Without what the API server adds, and without secret values. */
function shown(object: KubernetesObject): JsonObject {
  const visible = authoredMembers(object);
  if (visible["kind"] === "Secret" && isJsonObject(visible["data"])) {
    visible["data"] = Object.fromEntries(Object.keys(visible["data"]).map((key) => [key, null]));
  }
  return at(visible, hashPlace)[hashName] === undefined ? visible : withHiddenHash(visible, hashPlace);
}

function withHiddenHash(value: JsonObject, [name, ...rest]: readonly string[]): JsonObject {
  return name === undefined
    ? { ...value, [hashName]: null }
    : { ...value, [name]: withHiddenHash(objectMember(value, name), rest) };
}

function at(value: JsonObject, names: readonly string[]): JsonObject {
  return names.reduce<JsonObject>(objectMember, value);
}
