import { isJsonObject, type JsonObject, objectMember, ResourceId } from "@rad/core";
import type { GraphOutputResource } from "./graph-shape.ts";
import { byText } from "./by-text.ts";

/** What deploying a resource created, as its `status` tells it. Entries that cannot be read are left out. */
export function outputResources(properties: JsonObject): GraphOutputResource[] {
  const { outputResources: entries } = objectMember(properties, "status");
  const found = (Array.isArray(entries) ? entries : []).flatMap((entry) => {
    const text = isJsonObject(entry) ? entry["id"] : undefined;
    const id = typeof text === "string" ? ResourceId.tryParse(text) : undefined;
    return id === undefined ? [] : [{ id: id.toString(), type: id.type, name: id.name }];
  });
  return found.sort((a, b) => byText(a.type, b.type) || byText(a.name, b.name) || byText(a.id, b.id));
}
