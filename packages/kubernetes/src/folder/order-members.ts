import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import type { KubernetesObject } from "../kubernetes-object.ts";

const first = ["apiVersion", "kind", "metadata", "name", "namespace", "labels", "annotations", "type"];
const last = ["status"];

/** The object with its members in the order of every manifest, so that two versions of a file differ in what has changed. */
export function orderMembers(object: KubernetesObject): KubernetesObject {
  return ordered(object) as KubernetesObject;
}

function ordered(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.map(ordered);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const names = Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const members = names.map((name) => [name, ordered(value[name] ?? null)] as const);
  return Object.fromEntries(members) satisfies JsonObject;
}

function rank(name: string): number {
  if (last.includes(name)) {
    return first.length + 1;
  }
  const place = first.indexOf(name);
  return place === -1 ? first.length : place;
}
