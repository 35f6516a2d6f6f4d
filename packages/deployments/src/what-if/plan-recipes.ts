import { ApiError, type ErrorDetail, Limiter } from "@rad/core";
import type { RecipePlan } from "@rad/resources";
import type { Foreseen } from "./foresee-deployment.ts";

/** How far the plan of one resource's recipe is. */
export interface RecipeProgress {
  readonly resourceId: string;
  readonly state: "Running" | "Succeeded" | "Failed";
}

export type PlannedRecipe =
  | { readonly kind: "planned"; readonly plan: RecipePlan }
  | { readonly kind: "failed"; readonly error: ErrorDetail };

/** For one request; the runs of all requests have a limit of their own. */
const plansAtOnce = 4;

/**
 * Asks the recipes of all resources what they would change, some at a time. One that cannot be planned keeps no other
 * from it.
 */
export async function planRecipes(
  resources: readonly Foreseen[],
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: RecipeProgress) => void },
): Promise<ReadonlyMap<Foreseen, PlannedRecipe>> {
  const { signal, onProgress } = options;
  const limiter = new Limiter(plansAtOnce);
  const planned = await Promise.all(
    resources.map(({ outcome, node: { id = "" } }, index) =>
      limiter.run(async (): Promise<readonly [Foreseen, PlannedRecipe][]> => {
        const recipe = "preview" in outcome ? outcome.preview?.recipe : undefined;
        const resource = resources[index];
        if (recipe?.plan === undefined || resource === undefined) {
          return [];
        }
        signal.throwIfAborted();
        onProgress({ resourceId: id, state: "Running" });
        const result = await planOf(() => recipe.plan?.(signal), signal);
        onProgress({ resourceId: id, state: result?.kind === "failed" ? "Failed" : "Succeeded" });
        return result === undefined ? [] : [[resource, result]];
      }),
    ),
  );
  return new Map(planned.flat());
}

async function planOf(
  plan: () => Promise<RecipePlan> | undefined,
  signal: AbortSignal,
): Promise<PlannedRecipe | undefined> {
  try {
    const planned = await plan();
    return planned && { kind: "planned", plan: planned };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError)) {
      throw error;
    }
    return { kind: "failed", error: error.toDetail() };
  }
}
