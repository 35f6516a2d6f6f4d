import assert from "node:assert/strict";
import type { JsonObject } from "@rad/core";
import { clientOf } from "../support/api.ts";
import type { Server } from "../support/api.ts";

export interface Attribute {
  readonly name: string;
  readonly changed: boolean;
  readonly sensitive: boolean;
  readonly unknown: boolean;
}

export interface PlannedRecipe {
  readonly action: string;
  readonly reasons: readonly string[];
  readonly plan?: {
    readonly status: string;
    readonly changes: readonly {
      readonly address: string;
      readonly action: string;
      readonly attributes: readonly Attribute[];
    }[];
    readonly unknown?: readonly { readonly path: string; readonly reason: string }[];
    readonly error?: { readonly code: string; readonly message: string };
  };
}

/** What an answer of what-if says of the recipe behind a resource. */
export function recipeIn(answer: string, resourceId: string): PlannedRecipe {
  const { properties } = JSON.parse(answer) as {
    properties: { changes: readonly JsonObject[]; potentialChanges: readonly JsonObject[] };
  };
  const found = [...properties.changes, ...properties.potentialChanges].find(
    ({ resourceId: id }) => typeof id === "string" && id.toLowerCase() === resourceId.toLowerCase(),
  );
  assert.ok(found?.["recipe"] !== undefined, `${resourceId} has no recipe in ${answer.slice(0, 2_000)}`);
  return found["recipe"] as unknown as PlannedRecipe;
}

/** `create module.default…`, sorted, without what stays as it is. */
export function plannedActions({ plan }: PlannedRecipe): string[] {
  assert.equal(plan?.status, "Succeeded", JSON.stringify(plan));
  return plan.changes
    .filter(({ action }) => action !== "no-op" && action !== "read")
    .map(({ address, action }) => `${action} ${address}`)
    .toSorted();
}

/** The same of what the last run of the resource's recipe did, as Terraform told it. */
export async function appliedActions(server: Server, resourceId: string): Promise<string[]> {
  const { text } = await clientOf(server).recipes.lastLog(resourceId);
  const done = new Map<string, Set<string>>();
  for (const [, address = "", what = ""] of text.matchAll(/^(\S+): (Creation|Modifications|Destruction) complete/gmu)) {
    done.set(address, (done.get(address) ?? new Set()).add(what));
  }
  return [...done].map(([address, what]) => `${actionOf(what)} ${address}`).toSorted();
}

function actionOf(what: ReadonlySet<string>): string {
  if (what.has("Modifications")) {
    return "update";
  }
  return what.has("Creation") ? (what.has("Destruction") ? "replace" : "create") : "delete";
}
