import type { JsonObject, JsonValue } from "@rad/core";
import type { PlannedChange } from "@rad/resources";
import type { PlannedRecipe } from "./plan-recipes.ts";

/** More than that nobody reads. */
const maxChanges = 1_000;

/** What the API tells of a plan: names and actions, never a value. */
export function planAsJson(planned: PlannedRecipe): JsonObject {
  if (planned.kind === "failed") {
    return { status: "Failed", error: planned.error as unknown as JsonValue };
  }
  const { isKnown, changes, unknown, notes } = planned.plan;
  const shown = changes.slice(0, maxChanges).map(changeAsJson);
  return {
    status: isKnown ? "Succeeded" : "Unknown",
    summary: countsOf(changes),
    changes: shown,
    ...(changes.length > maxChanges ? { omittedChanges: changes.length - maxChanges } : {}),
    ...(unknown.length === 0 ? {} : { unknown: unknown.map((value) => ({ ...value })) }),
    ...(notes.length === 0 ? {} : { notes: [...notes] }),
  };
}

/** The same, where there are so many secrets that the addresses cannot be searched for all of them. */
export function withoutChanges(plan: JsonObject): JsonObject {
  const { changes, status = "", summary = {} } = plan;
  return { status, summary, changes: [], omittedChanges: Array.isArray(changes) ? changes.length : 0 };
}

function changeAsJson({ address, type, action, attributes }: PlannedChange): JsonObject {
  return {
    address,
    type,
    action,
    ...(attributes === undefined ? {} : { attributes: attributes.map((attribute) => ({ ...attribute })) }),
  };
}

function countsOf(changes: readonly PlannedChange[]): JsonObject {
  const counts = Map.groupBy(changes, ({ action }) => action);
  return Object.fromEntries([...counts].map(([action, members]) => [action, members.length]));
}
