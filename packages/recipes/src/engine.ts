import { randomUUID } from "node:crypto";
import type { Clock, JsonObject, Metrics, Redactor, Tracing } from "@rad/core";
import {
  ignoredRecipeConfig,
  type LoadedSecret,
  type RecipeDefinition,
  type RecipeEngine,
  type RecipeOutput,
  type RecipeParametersRequest,
  type RecipeRemoval,
  type RecipeUse,
  setupError,
} from "@rad/radius-types";
import type { HandlerContext, Pause, ResourceAccess } from "@rad/resources";
import type { Store } from "@rad/store";
import type { EnvironmentConfiguration } from "./configuration/environment-configuration.ts";
import { configurationHash, loadConfiguration } from "./configuration/load-configuration.ts";
import type { RecipeDriver, RecipeRun, RecordChange } from "./driver.ts";
import { previewRecipe } from "./preview/preview-recipe.ts";
import { recipeInput } from "./recipe-input.ts";
import { RecipeMetrics } from "./recipe-metrics.ts";
import type { RecipeRecord } from "./records/recipe-record.ts";
import { RecipeRecords } from "./records/recipe-records.ts";

type SecretContext = Pick<HandlerContext, "requester" | "signal"> & {
  readonly resources: Pick<ResourceAccess, "asServer">;
};

export interface RecipeEngineOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Knows the values that those who asked for work have hidden. */
  readonly redactor: Pick<Redactor, "redact">;
  /** By kind of template; loaded when the first recipe of the kind runs. */
  readonly drivers: Readonly<Record<string, () => Promise<RecipeDriver>>>;
  loadSecret(context: SecretContext, id: string): Promise<LoadedSecret>;
}

/** How one run goes about it. */
interface RunOptions {
  readonly kind: "execute" | "delete";
  readonly definition: RecipeDefinition;
  readonly configuration: EnvironmentConfiguration;
  readonly recorded: RecipeRecord | undefined;
  beforeEffects(): Promise<void>;
}

/**
 * Puts together what a recipe needs, gives it to the driver of its kind, and keeps the record of it. Handlers call it inside
 * the operation of their resource, so there is at most one run for a resource at any time. While a driver works, the
 * operation holds no slot.
 */
export function createRecipeEngine(options: RecipeEngineOptions): RecipeEngine {
  const records = new RecipeRecords(options.store);
  const metrics = new RecipeMetrics(options.metrics, options.clock);
  const measured = <T>(
    operation: RunOptions["kind"],
    { name, kind }: Pick<RecipeDefinition, "name" | "kind">,
    work: () => Promise<T>,
  ): Promise<T> =>
    metrics.measure(operation, kind, () =>
      options.tracing.withSpan(
        { name: `recipe ${operation}`, attributes: { "recipe.name": name, "recipe.kind": kind } },
        work,
      ),
    );

  const execute = async (context: HandlerContext, use: RecipeUse): Promise<RecipeOutput | "simulated" | Pause> => {
    const { definition, environment, application } = use;
    const configuration = await loadConfiguration(context.resources, environment, application);
    if (configuration.isSimulated) {
      return "simulated";
    }
    const driver = await driverOf(options, definition);
    const stored = await records.read(context.id.toString());
    if (stored !== undefined && stored.definition.kind !== definition.kind) {
      // Another kind of template knows nothing of what the former one made.
      const paused = await destroy(context, use);
      if (paused !== undefined) {
        return paused;
      }
    }
    const recorded = stored?.definition.kind === definition.kind ? stored.record : undefined;
    const beforeEffects = (): Promise<void> => use.beforeEffects();
    const run = await createRun(context, use, { kind: "execute", definition, configuration, recorded, beforeEffects });
    await warnOfIgnored(run, environment.properties);
    return await context.withoutSlot(() => driver.execute(run));
  };

  const destroy = async (context: HandlerContext, use: RecipeRemoval): Promise<void | Pause> => {
    const stored = await records.read(context.id.toString());
    if (stored === undefined) {
      return; // no run got as far as creating anything
    }
    const { record: recorded, definition } = stored;
    const configuration = await loadConfiguration(context.resources, use.environment, use.application);
    const driver = await driverOf(options, definition);
    const beforeEffects = (): Promise<void> => Promise.resolve();
    const run = await createRun(context, use, { kind: "delete", definition, configuration, recorded, beforeEffects });
    const paused = await context.withoutSlot(() => driver.delete(run));
    if (paused === undefined) {
      await forget(context);
    }
    return paused;
  };

  /** What a dead run may have created is in no state, so the record goes on telling of it. */
  const forget = async (context: HandlerContext): Promise<void> => {
    const left = await records.read(context.id.toString());
    if (left === undefined || left.record.unsaved.length === 0) {
      await context.write({ also: [records.remove(context.id.toString())] });
    }
  };

  const createRun = async (context: HandlerContext, use: RecipeRemoval, how: RunOptions): Promise<RecipeRun> => {
    const { definition } = how;
    const { id } = context;
    const runId = randomUUID();
    const input = await recipeInput(context, use, {
      ...how,
      runId,
      readSecret: (secretId) => options.loadSecret(context, secretId),
    });
    let current: RecipeRecord | undefined;
    const record = async (change: RecordChange): Promise<void> => {
      const { log: text, outcome, ...rest } = change;
      if (current === undefined) {
        await how.beforeEffects();
        const { sensitive } = input;
        current = firstRecord(context, use, { ...how, runId, sensitive, startedAt: options.clock.now() });
      }
      const ended = outcome === undefined ? {} : { outcome, endedAt: options.clock.now().toISOString() };
      current = { ...current, ...rest, run: { ...current.run, ...ended } };
      const changes = [records.put(current, definition)];
      await context.write({
        also: text === undefined ? changes : [...changes, records.putLog(id.toString(), runId, text)],
      });
    };
    return {
      ...input,
      record,
      keepLog: (text) => context.write({ also: [records.putLog(id.toString(), runId, text)] }),
      step: (name, work, stepOptions) => context.step(name, work, stepOptions),
    };
  };

  const parameters = async (request: RecipeParametersRequest): Promise<Readonly<Record<string, JsonObject>>> => {
    const { definition, environment, resources, signal, requester, log } = request;
    const driver = await driverOf(options, definition);
    const configuration = await loadConfiguration(resources, environment, undefined);
    return await driver.parameters({
      definition,
      configuration,
      environmentId: environment.id,
      readSecret: (secretId) => options.loadSecret({ resources, requester, signal }, secretId),
      resources: resources.asServer,
      log: log.child({ recipe: definition.name, environment: environment.id.toString() }),
      signal,
      hide: (values) => requester.hide(values),
    });
  };

  return {
    execute: (context, use) => measured("execute", use.definition, () => execute(context, use)),
    delete: async (context, use) => {
      const stored = await records.read(context.id.toString());
      return stored && (await measured("delete", stored.definition, () => destroy(context, use)));
    },
    preview: (context, use) =>
      previewRecipe(
        {
          records,
          driverOf: (definition) => driverOf(options, definition),
          loadSecret: (reader, id) => options.loadSecret(reader, id),
          redact: (text) => options.redactor.redact(text),
        },
        context,
        use,
      ),
    parameters,
  };
}

/** A step, so that everybody who follows the deployment sees it. */
async function warnOfIgnored(
  { configuration, log, step }: Pick<RecipeRun, "configuration" | "log" | "step">,
  environment: JsonObject,
): Promise<void> {
  const ignored = ignoredRecipeConfig(environment, configuration.family).map(({ path }) => path);
  if (ignored.length > 0) {
    log.warn("members of recipeConfig are ignored", { ignored });
    await step(`Warning: ignored in the environment: ${ignored.join(", ")}`, () => Promise.resolve());
  }
}

/** @throws RecipeError `DriverNotFoundFailure` */
async function driverOf(
  { drivers }: RecipeEngineOptions,
  { name, kind, source }: RecipeDefinition,
): Promise<RecipeDriver> {
  const load = Object.hasOwn(drivers, kind) ? drivers[kind] : undefined;
  if (load === undefined) {
    throw setupError(
      "DriverNotFoundFailure",
      `could not find driver \`${kind}\` for the recipe "${name}" (${source}). This version runs: ${Object.keys(drivers).join(", ")}.`,
    );
  }
  return await load();
}

function firstRecord(
  { id, requester }: HandlerContext,
  { environment, application }: RecipeRemoval,
  {
    definition,
    configuration,
    recorded,
    kind,
    runId,
    sensitive,
    startedAt,
  }: RunOptions & Pick<RecipeRun, "runId" | "sensitive"> & { readonly startedAt: Date },
): RecipeRecord {
  const { parameters: _parameters, userInfo: _userInfo, secretQuery: _secretQuery, ...shown } = definition;
  return {
    resourceId: id.toString(),
    environmentId: environment.id.toString(),
    ...(application === undefined ? {} : { applicationId: application.id.toString() }),
    definition: shown,
    sensitive: sensitive.filter((pointer) => !pointer.startsWith("/context/")),
    settings: configurationHash(configuration),
    state: recorded?.state ?? {},
    resources: recorded?.resources ?? [],
    unsaved: recorded?.unsaved ?? [],
    run: { id: runId, kind, startedAt: startedAt.toISOString(), correlationId: requester.correlationId },
  };
}
