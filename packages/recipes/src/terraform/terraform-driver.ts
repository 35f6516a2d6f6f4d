import { inSlices, type JsonObject, type JsonValue, objectMember } from "@rad/core";
import { executionError, RecipeError, type RecipeOutput, setupError } from "@rad/radius-types";
import {
  type Backend,
  backendConfiguration,
  backendOf,
  type ClusterAccess,
  ConfigurationError,
  type ExecutionLease,
  type ExecutionLeases,
  identifiedResources,
  mainConfiguration,
  mergeResourceIds,
  type ModuleContents,
  moduleConfiguration,
  moduleKeyOf,
  parametersOf,
  resourceIdsOf,
  type RunDependencies,
  type RunEvent,
  type RunOrder,
  type TerraformRun,
  terraformrcOf,
  type TerraformRuns,
  type TerraformSettings,
  unsavedCreations,
} from "@rad/terraform";
import type { DriverWork, PlanRun, RecipeDriver, RecipeInput, RecipeRun } from "../driver.ts";
import type { RecipeRecord } from "../records/recipe-record.ts";
import { resolveExpressions } from "../parameters/expressions.ts";
import { checkMapping, hasMapping, resultOf } from "../result/map-outputs.ts";
import { requireDepth } from "../result/require-depth.ts";
import { acquireBinary } from "./acquire-binary.ts";
import { inspectRecipeModule, type InspectModule } from "./inspect-recipe-module.ts";
import { loadInputs, type TerraformInputs } from "./load-inputs.ts";
import { mirrorOf } from "./mirror-of.ts";
import { plannedChanges, printedChanges } from "./planned-changes.ts";
import { RunLog } from "./run-log.ts";
import { RunProgress } from "./run-progress.ts";
import { runVariables } from "./run-variables.ts";
import { asRecipeError, failureText, inRecipe } from "./run-failure.ts";
import { hasResources, outputsOf } from "./state-document.ts";
import { chooseState, type ChosenState, type StatePlaces, statePlaceOf } from "./state-place.ts";

export interface TerraformDriverOptions {
  readonly leases: Pick<ExecutionLeases, "acquire">;
  readonly runs: Pick<TerraformRuns, "open" | "prepare">;
  readonly inspect: InspectModule;
  /** Says that a module is about to be inspected, while it is fetched. */
  readonly prepareInspection: () => void;
  readonly states: StatePlaces;
  /** How Terraform reaches the cluster of the control plane, for the provider `kubernetes`. */
  cluster(): Promise<ClusterAccess | undefined>;
  /** Whether a `Radius.Core` environment without settings is refused. */
  readonly requireSettings: boolean;
  readonly logLevel: string;
  /** Proxies and authorities that the server is configured with, as variables. */
  readonly network: Readonly<Record<string, string>>;
}

/**
 * Runs Terraform modules:
 *
 *     binary ── settings and secrets ── get ── inspect ── init ── record ── apply ── show ── record
 *
 * A module that is not cached is fetched by `init`, which then is not run after the inspection.
 * Nothing is created before the record, so that what fails earlier leaves nothing to destroy.
 */
export function createTerraformDriver(options: TerraformDriverOptions): RecipeDriver {
  return {
    execute: (run) => withModule(options, run, "deploy", (module) => apply(module)),
    delete: (run) => withModule(options, run, "delete", (module) => destroy(options, module)),
    plan: (run) => plan(options, run),
    parameters: (work) => parameters(options, work),
  };
}

/** A recipe whose module is there, and whose set-up is complete. */
interface PreparedModule {
  readonly run: RecipeRun;
  readonly terraform: TerraformRun;
  readonly backend: Backend;
  readonly state: JsonObject;
  readonly progress: RunProgress;
  readonly log: RunLog;
}

async function withModule<T>(
  options: TerraformDriverOptions,
  run: RecipeRun,
  purpose: "deploy" | "delete",
  work: (module: PreparedModule) => Promise<T>,
): Promise<T> {
  options.runs.prepare();
  await using binary = await acquireBinary(options.leases, run.signal);
  const inputs = await loadInputs(options, run);
  const { definition, runId, resourceId } = run;
  const title = `${purpose === "deploy" ? "Run" : "Undo"} the recipe '${definition.name}'`;
  return await run.step(title, async (step) => {
    const progress = new RunProgress(step);
    const log = new RunLog();
    const key = moduleKey(run);
    const module = { key, source: inputs.module.source, version: definition.version };
    const terraform = await opened(run, async () => {
      const { backend } = await stateOf(options, run, inputs, { username: "", password: "" });
      return await openRun(options, run, moduleConfiguration(module, binary.product), {
        runId,
        resourceId: resourceId.toString(),
        state: { backend: backend.type, name: backend.stateName },
        purpose,
        ...commonOrder(options, run, binary, inputs),
        onEvent: (event) => progress.onEvent(event),
        onLine: ({ text }) => log.add(text),
      });
    });
    try {
      await using _run = terraform;
      const chosen = await stateOf(options, run, inputs, terraform.stateAccess);
      const backend = chosen.backend;
      const contents = await progress.during("Get the module", async () => {
        if (!canInitFirst(inputs, backend)) {
          return await gotModule(options, run, terraform, module);
        }
        await terraform.write(
          printed({ ...moduleConfiguration(module, binary.product), ...backendConfiguration(backend, binary.product) }),
        );
        await terraform.extend({ env: backend.env, secrets: backend.secretValues });
        return await gotModule(options, run, terraform, module, "init");
      });
      await progress.during("Set up", async () => {
        await configure(options, run, { terraform, product: binary.product, inputs, contents, backend, key });
        await setUp(run, "init", () => terraform.init());
        await requireState(run, terraform, chosen);
      });
      const state = { ...statePlaceOf(backend), moduleKey: key };
      return await work({ run, terraform, backend, state, progress, log });
    } catch (error) {
      const failure = asRecipeError(run, error);
      if (failure instanceof RecipeError && failure.recipeStatus === "setupError") {
        await run.keepLog(log.text());
      }
      throw failure;
    } finally {
      progress.end();
    }
  });
}

async function apply({ run, terraform, state, progress, log }: PreparedModule): Promise<RecipeOutput> {
  const { definition, configuration } = run;
  const { awsScope } = configuration;
  const onSkipped = (address: string, reason: string): void =>
    run.log.warn("a resource of the recipe has no id", { address, reason });
  await run.record({ state });
  try {
    await progress.during("Apply", () => terraform.apply());
  } catch (error) {
    const left = await terraform.show().catch(() => undefined); // the error of the command says more
    const resources = left === undefined ? undefined : resourceIdsOf(left, { awsScope });
    await run.record({
      ...(resources === undefined ? {} : { resources }),
      unsaved: unsavedIn(terraform, left),
      outcome: "failed",
      log: log.text(),
    });
    await terraform.settle();
    throw executionError("RecipeDeploymentFailed", failureText(run, "apply", error), {
      cause: error,
      ...(resources === undefined ? {} : { resources }),
    });
  }
  const shown = await terraform.show();
  const derived = resourceIdsOf(shown, { awsScope, onSkipped });
  const unsaved = unsavedIn(terraform, shown);
  // What exists is on record before anything is made of the outputs, which may be wrong.
  await run.record({ resources: derived, unsaved, outcome: "succeeded", log: log.text() });
  await terraform.settle();
  const outputs = outputsOf(shown);
  if (outputs === undefined) {
    throw executionError("InvalidRecipeOutputs", failureText(run, "apply", new Error("terraform state is empty")), {
      resources: derived,
    });
  }
  const result = await readOutputs(run, derived, async () => {
    await inSlices(requireDepth(outputs));
    return resultOf(definition, outputs);
  });
  return {
    ...result,
    resources: mergeResourceIds(result.resources, derived),
    status: {
      templateKind: definition.kind,
      templatePath: definition.source,
      ...(definition.version === undefined ? {} : { templateVersion: definition.version }),
    },
  };
}

/** @throws RecipeError that also names the recipe, and what exists */
async function readOutputs<T>(run: RecipeRun, resources: readonly string[], read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RecipeError)) {
      throw error;
    }
    const text = `${inRecipe(run, error.message)} Fix the module, and run 'rad deploy' again.`;
    throw executionError(error.code, text, { cause: error, resources });
  }
}

async function destroy(options: TerraformDriverOptions, module: PreparedModule): Promise<void> {
  const { run, terraform, backend, state, progress, log } = module;
  const { awsScope } = run.configuration;
  await run.record({ state });
  let failure: unknown;
  try {
    await progress.during("Destroy", () => terraform.destroy());
  } catch (error) {
    failure = error;
  }
  const left = await terraform.show().catch((error: unknown) => {
    failure ??= error;
    return undefined;
  });
  const resources = left === undefined ? undefined : resourceIdsOf(left, { awsScope });
  const isGone = left !== undefined && !hasResources(left) && (failure === undefined || madeNothing(run.recorded));
  await run.record({
    ...(resources === undefined ? {} : { resources }),
    unsaved: unsavedIn(terraform, left),
    outcome: isGone ? "succeeded" : "failed",
    log: log.text(),
  });
  await terraform.settle();
  if (!isGone) {
    const addresses = left === undefined ? [] : identifiedResources(left, {}).map(({ address }) => address);
    const error = failure ?? new Error("Terraform ended well, and the state still has resources.");
    throw executionError("RecipeDeletionFailed", failureText(run, "destroy", error), {
      cause: failure,
      details: addresses.map((address) => ({ code: "NotDestroyed", message: `'${address}' is left.` })),
      ...(resources === undefined ? {} : { resources }),
    });
  }
  await options.states.remove(backend);
}

/**
 * Whether the run before ended and left nothing. What kept it from creating anything, such as a parameter of the wrong
 * type, keeps `destroy` from starting too.
 */
function madeNothing(recorded: RecipeRecord | undefined): boolean {
  return recorded?.run.outcome !== undefined && recorded.resources.length === 0 && recorded.unsaved.length === 0;
}

async function parameters(
  options: TerraformDriverOptions,
  work: DriverWork,
): Promise<Readonly<Record<string, JsonObject>>> {
  await using binary = await acquireBinary(options.leases, work.signal);
  const inputs = await loadInputs(options, work);
  const { definition } = work;
  const module = { key: moduleKeyOf(definition.name), source: inputs.module.source, version: definition.version };
  const terraform = await openRun(options, work, moduleConfiguration(module, binary.product), {
    runId: crypto.randomUUID(),
    resourceId: work.environmentId.toString(),
    purpose: "metadata",
    ...commonOrder(options, work, binary, inputs),
    onEvent: () => {},
  });
  await using _run = terraform;
  try {
    await terraform.get(module);
    return parametersOf(await inspectRecipeModule(options.inspect, work, terraform.folder, module.key));
  } catch (error) {
    throw setupError("RecipeGetMetadataFailed", failureText(work, "get", error), { cause: error });
  }
}

/** What a module needs, whatever its parameters are: they are unknown here. Nothing is applied or stored. */
export async function terraformDependencies(
  options: TerraformDriverOptions,
  work: DriverWork,
  platforms: readonly string[],
): Promise<RunDependencies> {
  await using binary = await acquireBinary(options.leases, work.signal);
  const inputs = await loadInputs(options, work);
  const { definition } = work;
  const unknownMark = `unknown-${crypto.randomUUID()}`;
  const input: RecipeInput = {
    ...work,
    runId: crypto.randomUUID(),
    resourceId: work.environmentId,
    applicationId: undefined,
    parameters: {},
    context: {},
    sensitive: [],
    recorded: undefined,
  };
  const module = { key: moduleKeyOf(definition.name), source: inputs.module.source, version: definition.version };
  const terraform = await opened(input, async () =>
    openRun(options, input, moduleConfiguration(module, binary.product), {
      runId: input.runId,
      resourceId: work.environmentId.toString(),
      purpose: "metadata",
      timeoutMs: planTimeoutMs,
      ...commonOrder(options, work, binary, inputs),
      onEvent: () => {},
    }),
  );
  try {
    await using _run = terraform;
    const contents = await gotModule(options, input, terraform, module);
    const required = contents.variables.filter(({ name, required: isRequired }) => isRequired && name !== "context");
    const parameters = Object.fromEntries(required.map(({ name }) => [name, unknownMark]));
    await configure(
      options,
      { ...input, parameters },
      { terraform, product: binary.product, inputs, contents, backend: noBackend, key: module.key, unknownMark },
    );
    await setUp(input, "init", () => terraform.init());
    return await terraform.dependencies(platforms, mirrorOf(inputs.settings?.terraformrc?.providerInstallation));
  } catch (error) {
    throw asRecipeError(input, error);
  }
}

const noBackend: Backend = { type: "local", config: {}, env: {}, secretValues: [], stateName: "", legacyNames: [] };

/** Longer than a person waits, and than any plan that is not stuck takes. */
const planTimeoutMs = 10 * 60_000;

const withoutAttributes =
  "Attributes are not shown: the machine of the control plane has no memory file system for the plan.";

const staleNotes = {
  running: "A run of the recipe is in progress, so its changes may be missing here.",
  unsaved:
    "An earlier run could not save its state; the next run does that first, so it may do less than is shown here.",
};

/** Reads the state without a lock. Nothing is on record, so that nothing has to be cleared up after a crash. */
async function plan(options: TerraformDriverOptions, run: PlanRun): ReturnType<RecipeDriver["plan"]> {
  await using binary = await acquireBinary(options.leases, run.signal);
  const inputs = await loadInputs(options, run);
  const { definition, runId, resourceId, unknownMark, destroys } = run;
  const key = moduleKey(run);
  const module = { key, source: inputs.module.source, version: definition.version };
  const events: RunEvent[] = [];
  const terraform = await opened(run, async () => {
    const { backend } = await stateOf(options, run, inputs, { username: "", password: "" });
    return await openRun(options, run, moduleConfiguration(module, binary.product), {
      runId,
      resourceId: resourceId.toString(),
      reads: { backend: backend.type, name: backend.stateName },
      purpose: "plan",
      timeoutMs: planTimeoutMs,
      ...commonOrder(options, run, binary, inputs),
      onEvent: (event) => events.push(event),
    });
  });
  try {
    await using _run = terraform;
    const chosen = await stateOf(options, run, inputs, terraform.stateAccess);
    const backend = readableBackend(chosen.backend, run);
    const contents = await gotModule(options, run, terraform, module);
    await configure(options, run, { terraform, product: binary.product, inputs, contents, backend, key, unknownMark });
    await setUp(run, "init", () => terraform.init());
    await requireState(run, terraform, chosen);
    const stale = await terraform.staleness();
    const notes = stale === undefined ? [] : [staleNotes[stale]];
    const planned = await terraform.plan({ destroys });
    return planned === undefined
      ? { changes: printedChanges(events), notes: [...notes, withoutAttributes] }
      : { changes: await plannedChanges(planned), notes };
  } catch (error) {
    throw asRecipeError(run, error);
  }
}

/** `init` creates the schema of a state in PostgreSQL. A resource without a state can be planned without one. */
function readableBackend(backend: Backend, { recorded }: PlanRun): Backend {
  return backend.type === "pg" && recorded === undefined ? noBackend : backend;
}

/** @param state undefined when it could not be read: then any of them may be missing in it */
function unsavedIn(terraform: TerraformRun, state: JsonValue | undefined): RecipeRecord["unsaved"] {
  const creations = terraform.begunCreations();
  return (state === undefined ? creations : unsavedCreations(creations, state)).map((creation) => ({ ...creation }));
}

/** What orders of all kinds have in common. */
function commonOrder(
  options: TerraformDriverOptions,
  { signal, log }: DriverWork,
  binary: ExecutionLease,
  inputs: TerraformInputs,
) {
  const { settings, recipeConfig, lookup, secrets } = inputs;
  const { logLevel, network } = options;
  const env = runVariables({ settings, recipeConfig, secrets: lookup, git: inputs.module.git, logLevel, network });
  return { binary, env, secrets, signal, log };
}

/** Opens a run that begins with this root module. */
async function openRun(
  { runs }: TerraformDriverOptions,
  work: DriverWork,
  main: JsonObject,
  order: Omit<RunOrder, "files">,
): Promise<TerraformRun> {
  const installation = installationOf(work);
  const files = { ".terraformrc": terraformrcOf(installation), ...printed(main) };
  return await runs.open({ ...order, files });
}

function installationOf({ configuration: { terraform } }: DriverWork): Parameters<typeof terraformrcOf>[0] {
  const settings = terraform.kind === "settings" ? (terraform.properties as TerraformSettings) : undefined;
  return { providerInstallation: settings?.terraformrc?.providerInstallation };
}

async function stateOf(
  { states }: TerraformDriverOptions,
  run: RecipeInput,
  { settings, lookup, credentials }: TerraformInputs,
  access: TerraformRun["stateAccess"],
): Promise<ChosenState> {
  const backend = backendOf({
    settings: settings?.backend,
    owner: {
      resourceId: run.resourceId.toString(),
      environmentName: run.environmentId.name,
      applicationName: run.applicationId?.name,
    },
    place: await states.place(access),
    secrets: lookup,
    credentials,
    session: sessionOf(run),
  });
  return await chooseState(backend, run.recorded?.state, states);
}

async function gotModule(
  options: TerraformDriverOptions,
  run: RecipeInput,
  terraform: TerraformRun,
  module: { readonly key: string; readonly source: string; readonly version: string | undefined },
  by: "get" | "init" = "get",
): Promise<ModuleContents> {
  await setUp(run, "get", () =>
    by === "get" ? terraform.get(module) : terraform.getByInit(module, options.prepareInspection),
  );
  const contents = await inspectRecipeModule(options.inspect, run, terraform.folder, module.key);
  checkMapping(
    run.definition,
    contents.outputs.map(({ name }) => name),
  );
  return contents;
}

/**
 * Whether `init` does not have to wait for the inspection of the module: it needs the module and the backend alone,
 * where no provider is configured but those that the module requires. The backend `pg` creates something.
 */
function canInitFirst({ recipeConfig }: TerraformInputs, { type }: Backend): boolean {
  return recipeConfig?.terraform?.providers === undefined && type !== "pg";
}

function printed(main: JsonObject): Record<string, string> {
  return { "main.tf.json": JSON.stringify(main, undefined, 2) };
}

interface Configured {
  readonly terraform: TerraformRun;
  readonly product: ExecutionLease["product"];
  readonly inputs: TerraformInputs;
  readonly contents: ModuleContents;
  readonly backend: Backend;
  readonly key: string;
  /** Stands for values that are not known yet. */
  readonly unknownMark?: string;
}

async function configure(
  options: TerraformDriverOptions,
  run: RecipeInput,
  { terraform, product, inputs, contents, backend, key, unknownMark }: Configured,
): Promise<void> {
  const { definition, configuration, context, sensitive } = run;
  const takesContext = contents.variables.some(({ name }) => name === "context");
  const resolved = takesContext
    ? { parameters: run.parameters, sensitive: [] }
    : resolveExpressions(run.parameters, context, sensitive);
  const { outputs = {}, secretOutputs = {} } = definition;
  const mapped = [
    ...Object.values(outputs).map((name) => ({ name, sensitive: false })),
    ...Object.values(secretOutputs).map((name) => ({ name, sensitive: true })),
  ];
  const { file, env, secretValues } = mainConfiguration({
    product,
    module: { key, source: inputs.module.source, version: definition.version },
    contents,
    parameters: resolved.parameters,
    written: run.parameters,
    context,
    sensitive: [...sensitive, ...resolved.sensitive],
    unknownMark,
    secrets: inputs.lookup,
    providers: {
      azureScope: configuration.azureScope,
      awsScope: configuration.awsScope,
      credentials: inputs.credentials,
      cluster: await options.cluster(),
      configured: inputs.recipeConfig?.terraform?.providers,
      session: sessionOf(run),
    },
    backend,
    ...(hasMapping(definition) ? { outputs: mapped } : {}),
  });
  await terraform.write(printed(file));
  await terraform.extend({
    env: { ...env, ...backend.env },
    secrets: [...secretValues, ...backend.secretValues],
  });
}

/** A state that stayed in another backend must not be created a second time, nor forgotten. @throws RecipeError */
async function requireState(run: RecipeInput, terraform: TerraformRun, { moved }: ChosenState): Promise<void> {
  if (moved === undefined || hasResources(await terraform.show())) {
    return;
  }
  throw setupError(
    "RecipeConfigurationFailure",
    failureText(
      run,
      "init",
      new Error(
        `the state of the resource is in another backend (${moved}), and the one that is configured now has none. ` +
          "State is not moved between backends: move it with 'terraform state pull' and 'terraform state push', " +
          "or configure the former backend again",
      ),
    ),
  );
}

async function setUp(run: RecipeInput, command: "get" | "init", work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof ConfigurationError) {
      throw error;
    }
    const code = command === "get" ? "RecipeDownloadFailed" : "RecipeDeploymentFailed";
    throw setupError(code, failureText(run, command, error), { cause: error });
  }
}

async function opened(run: RecipeInput, open: () => Promise<TerraformRun>): Promise<TerraformRun> {
  try {
    return await open();
  } catch (error) {
    throw asRecipeError(run, error);
  }
}

/** Addresses in the state begin with it, so a resource that was deployed keeps the key that it has. */
function moduleKey({ recorded, definition }: RecipeInput): string {
  const { moduleKey: kept } = objectMember({ state: recorded?.state ?? {} }, "state");
  return typeof kept === "string" ? kept : moduleKeyOf(definition.name);
}

function sessionOf({ runId }: RecipeInput): string {
  return `radius-terraform-${runId}`;
}
