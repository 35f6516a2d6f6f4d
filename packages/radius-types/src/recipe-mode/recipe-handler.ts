import { ApiError, isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import type {
  Done,
  HandlerContext,
  HandlerResult,
  NestedPreview,
  Pause,
  PreviewContext,
  RecipePreview,
  ResourceHandler,
} from "@rad/resources";
import { recipeNameOf } from "../recipes/find-recipe.ts";
import type { RecipeDefinition } from "../recipes/recipe-definition.ts";
import type { RecipeEngine, RecipeOutput, RecipeSource } from "../recipes/recipe-engine.ts";
import { RecipeError, type RecipeStatus } from "../recipes/recipe-error.ts";
import { type OutputResource, outputsAsJson, recordedOutputs } from "../rendering/output-resources.ts";
import { referencesOf } from "../rendering/references.ts";
import { wholeProperties } from "../sealed/whole-properties.ts";
import { type ChosenRecipe, chooseRecipe } from "./choose-recipe.ts";
import { doneWith } from "./done-with.ts";
import { keepManagedSecret, removeManagedSecret } from "./managed-secret.ts";
import type { RecipeType } from "./recipe-type.ts";
import { requireIds } from "./require-ids.ts";
import { removalScope } from "./removal-scope.ts";

/** What becomes of a resource that no recipe makes. */
export type WithoutRecipe = Required<Pick<ResourceHandler, "put" | "delete" | "preview">>;

export interface RecipeHandlerOptions {
  readonly type: RecipeType;
  readonly recipes: RecipeEngine;
  readonly otherwise: WithoutRecipe;
  /** Of the properties of the type; `{}` where anything goes. */
  readonly schema: (context: Pick<HandlerContext, "id" | "apiVersion" | "resources">) => Promise<JsonObject>;
}

/**
 * Code behind a type that recipes can make:
 *
 *     choose ── set up ── delete what was rendered ── record ── run ── validate ── keep secrets ── done
 *
 * `status.recipe` is stored before the recipe's first effect, and stays until everything that it made is destroyed. So a
 * resource that changes to another way of being provided, and every DELETE, know that there is something to destroy.
 */
export function recipeHandler(options: RecipeHandlerOptions): WithoutRecipe {
  return {
    put: (context) => put(options, context),
    delete: (context) => remove(options, context),
    preview: (context) => preview(options, context),
  };
}

async function put(options: RecipeHandlerOptions, context: HandlerContext): Promise<HandlerResult> {
  const chosen = await chooseRecipe(options.type, context);
  if (chosen !== undefined) {
    return await runRecipe(options, context, chosen);
  }
  const left = await leaveRecipe(options, context);
  return left.kind === "left" ? await options.otherwise.put(left.context) : left;
}

async function remove(options: RecipeHandlerOptions, context: HandlerContext): Promise<HandlerResult> {
  const left = await leaveRecipe(options, context);
  return left.kind === "left" ? await options.otherwise.delete(left.context) : left;
}

async function preview(options: RecipeHandlerOptions, context: PreviewContext): Promise<NestedPreview> {
  const { recipes, otherwise } = options;
  const { properties, status, unknown } = context;
  if (unknown.some((pointer) => pointer === "/properties/environment" || pointer === "/properties/application")) {
    return { changes: [], warnings: [] };
  }
  const chosen = await chooseRecipe(options.type, context);
  const whole = wholeProperties(properties, await context.secrets());
  if (chosen !== undefined) {
    const { definition, environment, application } = chosen;
    const use = { definition, environment, application, properties: whole };
    return withRecipePreview({ changes: [], warnings: [] }, await recipes.preview(context, use));
  }
  const instead = await otherwise.preview(context);
  if (status["recipe"] === undefined) {
    return instead;
  }
  const use = { ...(await removalScope(context)), definition: undefined, properties: whole };
  return withRecipePreview(instead, await recipes.preview(context, use));
}

function withRecipePreview(preview: NestedPreview, recipe: RecipePreview | undefined): NestedPreview {
  return recipe === undefined ? preview : { ...preview, recipe };
}

async function runRecipe(
  options: RecipeHandlerOptions,
  context: HandlerContext,
  { definition, environment, application }: ChosenRecipe,
): Promise<HandlerResult> {
  const { type, recipes, otherwise } = options;
  const { properties, status } = context;
  const secrets = await context.secrets();
  const rendered = recordedOutputs(status).filter(({ localId }) => localId !== undefined);
  const made = recordedOutputs(status).filter(({ localId, radiusManaged }) => localId === undefined && radiusManaged);
  let stored = status;
  const save = async (next: JsonObject, outcome?: RecipeStatus): Promise<void> => {
    stored = next;
    await context.save(next, {}, outcome === undefined ? {} : shownStatus(type, properties, outcome));
  };
  try {
    const output =
      (await finishedOutput(context)) ??
      (await recipes.execute(context, {
        definition,
        properties: wholeProperties(properties, secrets),
        environment,
        application,
        previous: made.map(({ id }) => id),
        beforeEffects: async () => {
          if (rendered.length > 0) {
            await otherwise.delete({ ...context, status: { ...status, outputResources: outputsAsJson(rendered) } });
          }
          await save(withRecipe(status, sourceOf(definition), made));
        },
      }));
    if (output === "simulated") {
      return { kind: "done", properties: { ...properties, ...shownStatus(type, properties, "success") } };
    }
    if ("kind" in output) {
      return output;
    }
    stored = withRecipe(stored, output.status, managed(output.resources));
    return await finish(options, { ...context, status: stored }, output, secrets);
  } catch (error) {
    if (error instanceof RecipeError) {
      const outputs = error.resources === undefined ? stored : withOutputs(stored, managed(error.resources));
      await save(outputs, error.recipeStatus);
    }
    throw error;
  }
}

/** Everything after the run, which is not repeated once it has succeeded. */
async function finish(
  { type, schema }: RecipeHandlerOptions,
  context: HandlerContext,
  output: RecipeOutput,
  secrets: Awaited<ReturnType<HandlerContext["secrets"]>>,
): Promise<Done | Pause> {
  const { id, properties, requester } = context;
  requester.hide(Object.values(output.secrets).filter((value) => typeof value === "string"));
  requireIds(output.resources);
  const outcome = type.outcome(output, { id, properties, secrets, schema: await schema(context) });
  requester.hide(Object.values(outcome.secretValues));
  const references = referencesOf(properties).map((reference) => ({ id: reference, radiusManaged: false }));
  const outputs = [...managed(output.resources), ...references];
  const kept =
    outcome.managedSecrets === undefined ? undefined : await keepManagedSecret(context, outcome.managedSecrets);
  if (kept !== undefined && "kind" in kept) {
    await context.save(
      { ...context.status, [finishedMember]: null },
      { [`/${finishedMember}`]: outputAsJson(context, output) },
    );
    return kept;
  }
  const { name: _name, ...declared } = objectMember(properties, "secrets");
  const named: JsonObject =
    kept === undefined ? {} : { secrets: kept.name === undefined ? declared : { ...declared, name: kept.name } };
  return doneWith(context, {
    ...outcome,
    properties: { ...outcome.properties, ...named, ...shownStatus(type, properties, "success") },
    outputs,
  });
}

/**
 * Destroys what a recipe made, and removes its secrets. @returns the context without the recipe, or a pause
 * @throws RecipeError, after `status` says what is left
 */
async function leaveRecipe(
  { recipes }: RecipeHandlerOptions,
  context: HandlerContext,
): Promise<{ readonly kind: "left"; readonly context: HandlerContext } | Pause> {
  const { status, properties, log } = context;
  if (status["recipe"] === undefined) {
    return { kind: "left", context };
  }
  const made = recordedOutputs(status).filter(({ localId, radiusManaged }) => localId === undefined && radiusManaged);
  try {
    const scope = await removalScope(context);
    const whole = wholeProperties(properties, await context.secrets());
    const paused = await recipes.delete(context, { ...scope, properties: whole, previous: made.map(({ id }) => id) });
    if (paused !== undefined) {
      return paused;
    }
  } catch (error) {
    if (error instanceof RecipeError && error.resources !== undefined) {
      await context.save(withOutputs(status, managed(error.resources)));
    }
    if (!(context.isForced && error instanceof ApiError && !error.transient)) {
      throw error;
    }
    log.warn("the resource is deleted by force; what its recipe made stays", { error });
    await context.step("Leave behind what the recipe made", (step) =>
      Promise.resolve(step.detail(leftText(made, error))),
    );
  }
  const paused = await removeManagedSecret(context);
  if (paused !== undefined) {
    return paused;
  }
  const { recipe: _recipe, computedValues: _values, [finishedMember]: _output, ...rest } = status;
  const others = recordedOutputs(status).filter(
    ({ localId, radiusManaged }) => localId !== undefined || !radiusManaged,
  );
  const left = withOutputs(rest, others);
  await context.save(left);
  return { kind: "left", context: { ...context, status: left } };
}

function leftText(made: readonly OutputResource[], error: ApiError): string {
  return made.length === 0 ? error.message : made.map(({ id }) => id).join(", ");
}

function managed(ids: readonly string[]): OutputResource[] {
  return ids.map((id) => ({ id, radiusManaged: true }));
}

function sourceOf({ kind, source, version }: RecipeDefinition): RecipeSource {
  return { templateKind: kind, templatePath: source, ...(version === undefined ? {} : { templateVersion: version }) };
}

function withRecipe(status: JsonObject, recipe: RecipeSource, outputs: readonly OutputResource[]): JsonObject {
  return withOutputs({ ...status, recipe: { ...recipe } }, outputs);
}

function withOutputs(status: JsonObject, outputs: readonly OutputResource[]): JsonObject {
  const { outputResources: _outputs, ...rest } = status;
  return outputs.length === 0 ? rest : { ...rest, outputResources: outputsAsJson(outputs) };
}

/** As upstream shows it, beside the name of the recipe. */
function shownStatus({ showsStatus }: RecipeType, properties: JsonObject, recipeStatus: RecipeStatus): JsonObject {
  const recipe = { ...objectMember(properties, "recipe"), name: recipeNameOf(properties), recipeStatus };
  return showsStatus ? { recipe } : {};
}

/** Holds, sealed, the output of a run that succeeded while its secrets are still being stored. */
const finishedMember = "recipeOutput";

/** @returns nothing unless it is of the same operation */
async function finishedOutput(context: HandlerContext): Promise<RecipeOutput | undefined> {
  if (context.status[finishedMember] !== null) {
    return undefined;
  }
  const sealed = (await context.secrets())[`/properties/status/${finishedMember}`];
  const { operation, output } = isJsonObject(sealed) ? sealed : {};
  return operation === context.startedAt.toISOString() ? (output as unknown as RecipeOutput) : undefined;
}

function outputAsJson({ startedAt }: HandlerContext, output: RecipeOutput): JsonValue {
  return { operation: startedAt.toISOString(), output: structuredClone(output) as unknown as JsonValue };
}
