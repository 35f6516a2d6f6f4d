import { setupError } from "@rad/radius-types";
import type { ModuleContents } from "@rad/terraform";
import type { DriverWork } from "../driver.ts";
import { inRecipe } from "./run-failure.ts";

const advice = "Fix the module, and run 'rad deploy' again.";

/** Reads the module that `terraform get` has put below the working folder, by the key of its block. */
export type InspectModule = (workingFolder: string, key: string) => Promise<ModuleContents>;

/** @throws RecipeError for a module without configuration, or with one that cannot be read */
export async function inspectRecipeModule(
  inspect: InspectModule,
  work: DriverWork,
  workingFolder: string,
  key: string,
): Promise<ModuleContents> {
  let contents: ModuleContents;
  try {
    contents = await inspect(workingFolder, key);
  } catch (error) {
    const isEmpty = (error as { readonly code?: unknown }).code === "ModuleWithoutConfiguration";
    if (isEmpty) {
      const text = `The Terraform configuration in location ${work.definition.source} is not found.`;
      throw setupError("RecipeDeploymentFailed", `${inRecipe(work, text)} ${advice}`, { cause: error });
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw setupError("RecipeDownloadFailed", `${inRecipe(work, `The module cannot be read: ${reason}`)} ${advice}`, {
      cause: error,
    });
  }
  const [problem] = contents.diagnostics;
  if (problem !== undefined) {
    const text = `The module cannot be read: ${problem.file}: ${problem.message}`;
    throw setupError("RecipeDownloadFailed", `${inRecipe(work, text)} ${advice}`);
  }
  return contents;
}
