import { ApiError } from "@rad/core";
import type { Part } from "./renderer.ts";

/**
 * The parts in the order in which they are created: by local id, what a part depends on before the part.
 * @throws ApiError for circles and for local ids that no part has.
 */
export function orderParts(parts: readonly Part[]): readonly Part[] {
  const byId = new Map(parts.map((part) => [part.localId, part]));
  const ordered = new Set<Part>();
  const entered = new Set<Part>();
  const visit = (part: Part): void => {
    if (ordered.has(part)) {
      return;
    }
    if (entered.has(part)) {
      throw new ApiError("BadRequest", "a dependency cycle was detected");
    }
    entered.add(part);
    for (const localId of (part.dependsOn ?? []).toSorted()) {
      visit(known(byId, localId));
    }
    ordered.add(part);
  };
  refuseMissing(parts, byId);
  for (const part of [...byId.values()].toSorted(byLocalId)) {
    visit(part);
  }
  return [...ordered];
}

function refuseMissing(parts: readonly Part[], byId: ReadonlyMap<string, Part>): void {
  const missing = new Set(parts.flatMap(({ dependsOn = [] }) => dependsOn.filter((localId) => !byId.has(localId))));
  if (missing.size > 0) {
    const names = [...missing].toSorted().join(", ");
    const message = `the dependency graph has references to the following missing items '${names}'`;
    throw new ApiError("BadRequest", message);
  }
}

function known(byId: ReadonlyMap<string, Part>, localId: string): Part {
  const part = byId.get(localId);
  if (part === undefined) {
    throw new TypeError(`No part has the local id '${localId}'.`);
  }
  return part;
}

function byLocalId(a: Part, b: Part): number {
  return a.localId < b.localId ? -1 : a.localId > b.localId ? 1 : 0;
}
