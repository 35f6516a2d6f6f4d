import { join } from "node:path";
import type { JsonObject } from "@rad/core";
import type { ModuleFactory, ModuleParts, RouteRequest } from "@rad/modules";
import type { RecipeEngine, ScopeResource } from "@rad/radius-types";
import type { PreflightReport, TerraformDriverOptions } from "@rad/recipes";
import type { HttpStates, TerraformRuns } from "@rad/terraform";
import type { ServerConfig } from "../config/index.ts";
import { createAuthorizer } from "../identity/index.ts";
import { dataDirectory } from "../open-store.ts";
import type { SharedParts } from "../shared-parts.ts";
import { recipeRoutes } from "./recipe-routes.ts";
import { observeSettingsAdoption } from "./settings-adoption.ts";
import { type PreflightRequester, validateRoute } from "./validate-route.ts";

/** How long a command waits for a state that somebody else has locked. */
const lockTimeoutSeconds = 600;

/** Runs recipes. The engine and its drivers are loaded when the first recipe runs. */
export function recipesModule(config: ServerConfig, shared: SharedParts): ModuleFactory {
  return {
    name: "recipes",
    create: (parts) => {
      let loading: Promise<LoadedRecipes> | undefined;
      const loaded = (): Promise<LoadedRecipes> => (loading ??= load(config, shared, parts));
      shared.recipes.set({
        execute: async (context, use) => await (await loaded()).engine.execute(context, use),
        delete: async (context, use) => await (await loaded()).engine.delete(context, use),
        parameters: async (request) => await (await loaded()).engine.parameters(request),
        preview: async (context, use) => await (await loaded()).engine.preview(context, use),
      });
      const adoption = observeSettingsAdoption(parts);
      return {
        routes: [
          ...recipeRoutes({ ...parts, loaded }),
          validateRoute({ ...parts, permissions: createAuthorizer(config.authorization), loaded }),
        ],
        housekeeping: async () => {
          await (await loaded()).runs.housekeeping();
        },
        [Symbol.asyncDispose]: async () => {
          adoption[Symbol.dispose]();
        },
      };
    },
  };
}

export interface LoadedRecipes {
  readonly engine: RecipeEngine;
  readonly runs: TerraformRuns;
  readonly states: HttpStates;
  preflight(environment: ScopeResource, requester: PreflightRequester): Promise<PreflightReport>;
  /** What an air-gapped environment needs, with the archives of the active Terraform. */
  mirrorList(order: MirrorListOrder): Promise<JsonObject>;
}

export interface MirrorListOrder {
  readonly request: RouteRequest;
  readonly environment: ScopeResource;
  /** That of this machine when there are none. */
  readonly platforms: readonly string[];
  readonly onRecipe: (progress: {
    readonly resourceId: string;
    readonly state: "Running" | "Succeeded" | "Failed";
  }) => void;
}

async function load(config: ServerConfig, shared: SharedParts, parts: ModuleParts): Promise<LoadedRecipes> {
  const [
    { createRecipeEngine, createTerraformDriver, mirrorList, preflight, terraformDependencies },
    { HttpStates, inspectModule, locateModule, machinePlatform, prepareParser, TerraformRuns },
    { loadSecret },
    { serverReader },
    { clusterAccess, statePlaces },
  ] = await Promise.all([
    import("@rad/recipes"),
    import("@rad/terraform"),
    import("@rad/radius-types"),
    import("@rad/resources"),
    import("./state-places.ts"),
  ]);
  const { requireSettings, logLevel, runs: settings } = config.terraform;
  const root = settings.root ?? join(dataDirectory(config), "terraform-runs");
  const target = shared.target.get();
  const states = new HttpStates(parts.store);
  const runs = new TerraformRuns({
    ...parts,
    root: join(root, "runs"),
    cacheRoot: join(root, "cache"),
    maxConcurrent: settings.maxConcurrent,
    graceMs: settings.graceSeconds * 1_000,
    timeoutMs: settings.timeoutMinutes * 60_000,
    leaseMs: config.operations.leaseSeconds * 1_000,
    lockTimeoutSeconds,
    readers: shared.stateReaders.get(),
  });
  const installer = shared.installer.get();
  const options: TerraformDriverOptions = {
    leases: installer.leases,
    runs,
    states: statePlaces({ config, apiUrl: parts.apiUrl ?? "", states, target }),
    inspect: async (workingFolder, key) => {
      const { folder, within } = await locateModule(workingFolder, key);
      return await inspectModule(folder, { within });
    },
    prepareInspection: prepareParser,
    cluster: () => Promise.resolve(clusterAccess(config, process.env)),
    requireSettings,
    logLevel,
    network: networkVariables(process.env),
  };
  const terraform = createTerraformDriver(options);
  const engine = createRecipeEngine({
    ...parts,
    drivers: { terraform: () => Promise.resolve(terraform) },
    loadSecret: (context, id) => loadSecret({ target }, context, { id }),
  });
  return {
    engine,
    runs,
    states,
    preflight: async (environment, { request, signal, redact }) => {
      const resources = serverReader(parts.store, (values) => request.hide(values));
      return await preflight(
        { ...options, clock: parts.clock, ping: () => parts.store.ping() },
        {
          environment,
          resources,
          readSecret: (id, within) =>
            loadSecret({ target }, { requester: request, resources: { asServer: resources }, signal: within }, { id }),
          hide: (values) => request.hide(values),
          redact,
          log: parts.log.child({ environment: environment.id.toString(), correlationId: request.correlationId }),
          signal,
        },
      );
    },
    mirrorList: async ({ request, environment, platforms: given, onRecipe }) => {
      const { os, arch } = machinePlatform();
      const platforms = given.length === 0 ? [`${os}_${arch}`] : given;
      const signal = request.signal();
      const { caller, correlationId, traceparent } = request;
      const requester = {
        caller,
        correlationId,
        traceparent,
        hide: (values: Iterable<string>) => request.hide(values),
      };
      const list = await mirrorList(
        {
          dependenciesOf: (work, wanted) => terraformDependencies(options, work, wanted),
          loadSecret: (context, id) => loadSecret({ target }, context, { id }),
        },
        {
          environment,
          platforms,
          resources: { asServer: serverReader(parts.store, (values) => request.hide(values)) },
          requester,
          signal,
          log: parts.log,
          onRecipe,
        },
      );
      const binaries = await installer.archives(platforms, signal);
      const errors = list.errors.map((error) => ({ ...error, ...parts.redactor.redactError(error) }));
      return {
        environmentId: environment.id.toString(),
        platforms,
        binaries,
        ...list,
        errors,
      } as unknown as JsonObject;
    },
  };
}

/** Of the server's own environment only these reach a run. */
const networkNames = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"];

function networkVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = networkNames.flatMap((name) => [name, name.toLowerCase()]);
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
