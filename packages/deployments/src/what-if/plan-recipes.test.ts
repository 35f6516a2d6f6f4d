import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { ApiError } from "@rad/core";
import type { RecipePlan } from "@rad/resources";
import type { Foreseen } from "./foresee-deployment.ts";
import { planAsJson } from "./plan-as-json.ts";
import { planRecipes, type RecipeProgress } from "./plan-recipes.ts";

const empty: RecipePlan = { isKnown: true, changes: [], unknown: [], notes: [] };

function resource(id: string, plan?: (signal: AbortSignal) => Promise<RecipePlan>): Foreseen {
  const recipe = { name: "default", kind: "terraform", source: "s", action: "run", reasons: [] } as const;
  const preview = {
    before: undefined,
    after: {},
    changedSecrets: [],
    warnings: [],
    recipe: plan === undefined ? recipe : { ...recipe, plan },
  };
  return { node: { id } as Foreseen["node"], deploymentId: "/d", outcome: { kind: "create", preview }, unknown: [] };
}

it("plans some recipes at a time, and one that fails keeps no other from it", async () => {
  let running = 0;
  let most = 0;
  const plan = async (): Promise<RecipePlan> => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    running -= 1;
    return empty;
  };
  const failing = resource("/failing", () => Promise.reject(new ApiError("RecipeDownloadFailed", "no module")));
  const resources = [
    failing,
    resource("/without"),
    ...Array.from({ length: 9 }, (_, index) => resource(`/${index}`, plan)),
  ];
  const heard: RecipeProgress[] = [];

  const { signal } = new AbortController();
  const plans = await planRecipes(resources, { signal, onProgress: (progress) => heard.push(progress) });

  assert.equal(most, 4);
  assert.equal(plans.size, 10);
  const failure = plans.get(failing);
  assert.ok(failure?.kind === "failed");
  assert.deepEqual(planAsJson(failure), {
    status: "Failed",
    error: { code: "RecipeDownloadFailed", message: "no module" },
  });
  assert.deepEqual(
    heard.filter(({ resourceId }) => resourceId === "/failing").map(({ state }) => state),
    ["Running", "Failed"],
  );
  assert.equal(heard.length, 20);
});

it("ends when the caller leaves, and begins no further plan", async () => {
  const leave = new AbortController();
  const begun: string[] = [];
  const plan = (id: string) => async (signal: AbortSignal) => {
    begun.push(id);
    leave.abort(new Error("left"));
    signal.throwIfAborted();
    return empty;
  };
  const resources = Array.from({ length: 6 }, (_, index) => resource(`/${index}`, plan(`/${index}`)));

  await assert.rejects(planRecipes(resources, { signal: leave.signal, onProgress: () => {} }), { message: "left" });
  await turn();

  assert.deepEqual(begun, ["/0"]);
});

it("tells a thousand changes, and how many more there are", () => {
  const changes = Array.from({ length: 1_003 }, (_, index) => ({
    address: `x.a[${index}]`,
    type: "x",
    action: index === 0 ? ("delete" as const) : ("create" as const),
  }));

  const json = planAsJson({ kind: "planned", plan: { ...empty, isKnown: false, changes } });

  assert.equal(json["status"], "Unknown");
  assert.deepEqual(json["summary"], { delete: 1, create: 1_002 });
  assert.equal((json["changes"] as unknown[]).length, 1_000);
  assert.equal(json["omittedChanges"], 3);
});
