import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core/json";

/** The log of the last run of a resource's recipe, without secrets. */
export interface RecipeLog {
  readonly runId: string;
  readonly text: string;
}

/** Something that a recipe has made, or may have made, and that no resource accounts for. */
export interface RecipeOrphan {
  /** `resource` and `state`: recorded, and the resource is gone. `creation`: begun by a run that died, and in no state. */
  readonly kind: string;
  /** Of the resource that the recipe ran for. */
  readonly resourceId: string;
  /** An id, the name of a state, or an address in the module. */
  readonly what: string;
  /** Why it is listed, and what to do. */
  readonly reason: string;
  /** As the control plane says it. */
  readonly document: JsonObject;
}

/** Where a control plane keeps what it knows of the runs of recipes. */
export const recipePaths = {
  log: (resourceId: string) => `/recipes/logs${resourceId}`,
  orphans: "/recipes/orphans",
};

export function toRecipeLog(body: JsonValue | undefined): RecipeLog {
  const { runId, text } = isJsonObject(body) ? body : {};
  return { runId: textOf(runId), text: textOf(text) };
}

export function toRecipeOrphans(body: JsonValue | undefined): RecipeOrphan[] {
  const { value } = isJsonObject(body) ? body : {};
  return (Array.isArray(value) ? value : []).filter(isJsonObject).map((document) => {
    const { kind, resourceId, what, reason } = document;
    return {
      kind: textOf(kind),
      resourceId: textOf(resourceId),
      what: textOf(what),
      reason: textOf(reason),
      document,
    };
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
