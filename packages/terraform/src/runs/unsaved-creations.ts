import { isJsonObject, type JsonValue } from "@rad/core";
import type { BegunCreation } from "./terraform-run.ts";

/**
 * Creations that a state does not have: Terraform had begun them when it died, and they may exist.
 * @param shown the state in the format of `terraform show -json`
 */
export function unsavedCreations(creations: readonly BegunCreation[], shown: JsonValue): readonly BegunCreation[] {
  const saved = new Map<string, Set<string>>();
  const waiting: JsonValue[] = [
    isJsonObject(shown) && isJsonObject(shown["values"]) ? (shown["values"]["root_module"] ?? null) : null,
  ];
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    if (!isJsonObject(module)) {
      continue;
    }
    waiting.push(...arrayOf(module["child_modules"]));
    for (const resource of arrayOf(module["resources"])) {
      if (isJsonObject(resource) && typeof resource["address"] === "string") {
        const ids = saved.get(resource["address"]) ?? new Set();
        saved.set(resource["address"], ids);
        const id = isJsonObject(resource["values"]) ? resource["values"]["id"] : undefined;
        ids.add(typeof id === "string" ? id : "");
      }
    }
  }
  return creations.filter(({ address, id }) => {
    const ids = saved.get(address);
    // Without ids nobody can tell it from the one in the state, which is then the same most likely.
    return ids === undefined || (id !== undefined && !ids.has(id) && !ids.has(""));
  });
}

function arrayOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
