import { ApiError } from "@rad/core";
import { executionError, RecipeError, setupError } from "@rad/radius-types";
import { ConfigurationError, gitTokensOf, RunError } from "@rad/terraform";
import type { DriverWork, RecipeInput } from "../driver.ts";
import { type GitFailureContext, gitFailureOf } from "./git-failure.ts";

type Command = "get" | "init" | "plan" | "apply" | "destroy";

/** Why a command failed, with the recipe, the address of the module, and what to do next. */
export function failureText(
  work: DriverWork & Partial<Pick<RecipeInput, "recorded" | "resourceId">>,
  command: Command,
  error: unknown,
): string {
  const { source, version } = work.definition;
  const reason = error instanceof Error ? error.message : String(error);
  if (command !== "get") {
    return `${inRecipe(work, `terraform ${command} failure: ${reason}`)} ${nextStep(work, command)}`;
  }
  const git = gitFailureOf(wholeReason(error) ?? reason, gitContext(work));
  const what = `failed to download Terraform module from source "${source}", version "${version ?? ""}": ${git?.cause ?? reason}`;
  return `${inRecipe(work, what)} ${git === undefined ? nextStep(work, command) : `${git.advice}, and ${repeat(work)}.`}`;
}

/** A message may be cut, and git says last what it is about. */
function wholeReason(error: unknown): string | undefined {
  const diagnostics = error instanceof RunError ? error.diagnostics : [];
  return diagnostics.length === 0
    ? undefined
    : diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n");
}

function gitContext({ definition, configuration: { terraform } }: DriverWork): GitFailureContext {
  const { source, userInfo } = definition;
  const tokens = gitTokensOf(
    terraform.kind === "settings" ? terraform.properties : undefined,
    terraform.kind === "recipeConfig" ? terraform.properties : undefined,
  );
  return { source, tokens, userInfo };
}

/** The command that failed, which a deletion and a look at the recipe have others for. */
function repeat({ recorded, resourceId }: Partial<Pick<RecipeInput, "recorded" | "resourceId">>): string {
  if (resourceId === undefined) {
    return "run 'rad recipe show' again";
  }
  return recorded === undefined ? "run 'rad deploy' again" : "deploy or delete the resource again";
}

/** A sentence with the recipe that it is about. */
export function inRecipe(
  { definition: { name, source, version } }: Pick<DriverWork, "definition">,
  what: string,
): string {
  const module = version === undefined ? source : `${source} ${version}`;
  return `${what.replace(/[.\s]+$/, "")} (recipe "${name}", module ${module}).`;
}

function nextStep({ resourceId }: Partial<Pick<RecipeInput, "resourceId">>, command: Command): string {
  if (resourceId === undefined) {
    return "Check the address and the version of the module, and the settings of the environment.";
  }
  const logs = `'rad resource logs ${resourceId.type} ${resourceId.name}'`;
  switch (command) {
    case "get":
      return "Check the address, the version and the credentials of its registry, and run 'rad deploy' again.";
    case "init":
      return "Fix the environment, its settings or the parameters, and run 'rad deploy' again.";
    case "plan":
      return "Fix the module, the parameters or the settings.";
    case "apply":
      return `See ${logs} for the whole log; run 'rad deploy' again to continue, or delete the resource to destroy what was created.`;
    case "destroy":
      return `See ${logs} for the whole log, and delete the resource again.`;
    default:
      return command satisfies never;
  }
}

const shownCommands = ["plan", "apply", "destroy"] as const;

/** Errors of the parts that a run consists of, as the engine reports them. Others, such as a cancellation, stay as they are. */
export function asRecipeError(run: RecipeInput, error: unknown): unknown {
  if (error instanceof RecipeError || error instanceof ApiError || run.signal.aborted) {
    return error;
  }
  if (error instanceof ConfigurationError) {
    // As Terraform itself would fail for parameters that the module does not take.
    const code = error.code === "RecipeValidationFailed" ? "RecipeDeploymentFailed" : error.code;
    return setupError(code, `${inRecipe(run, error.message)} ${nextStep(run, "init")}`, { cause: error });
  }
  if (error instanceof RunError) {
    const command = shownCommands.find((shown) => shown === error.command) ?? "init";
    return executionError("RecipeDeploymentFailed", failureText(run, command, error), { cause: error });
  }
  return error;
}
