import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";

/** A schema's own references start at its root, which is somewhere else in this document. */
export function relocateReferences(value: JsonObject, root: string): JsonObject {
  const relocate = (reference: string): string => (reference.startsWith("#") ? root + reference.slice(1) : reference);
  const move = (item: JsonValue, key: string): JsonValue => {
    if (typeof item === "string") {
      return key === "$ref" ? relocate(item) : item;
    }
    if (Array.isArray(item)) {
      return item.map((entry) => move(entry, ""));
    }
    if (!isJsonObject(item)) {
      return item;
    }
    const { mapping } = item;
    return key === "discriminator" && isJsonObject(mapping)
      ? {
          ...item,
          mapping: Object.fromEntries(
            Object.entries(mapping).map(([name, to]) => [name, typeof to === "string" ? relocate(to) : to]),
          ),
        }
      : relocateReferences(item, root);
  };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, move(item, key)]));
}
