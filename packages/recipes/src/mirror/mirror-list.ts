import { ApiError, type ErrorDetail, Limiter } from "@rad/core";
import { allRecipes, type LoadedSecret, type RecipeDefinition, type ScopeResource } from "@rad/radius-types";
import type { HandlerContext, ResourceAccess } from "@rad/resources";
import type { ModuleDependency, ProviderDependency, RunDependencies } from "@rad/terraform";
import { loadConfiguration } from "../configuration/load-configuration.ts";
import type { DriverWork } from "../driver.ts";

export interface MirrorListDeps {
  /** What a Terraform recipe needs. @throws RecipeError */
  dependenciesOf(work: DriverWork, platforms: readonly string[]): Promise<RunDependencies>;
  loadSecret(
    context: Pick<HandlerContext, "requester" | "signal"> & { readonly resources: Pick<ResourceAccess, "asServer"> },
    id: string,
  ): Promise<LoadedSecret>;
}

export interface MirrorListRequest extends Pick<HandlerContext, "requester" | "signal" | "log"> {
  readonly environment: ScopeResource;
  readonly resources: Pick<ResourceAccess, "asServer">;
  /** `linux_amd64` */
  readonly platforms: readonly string[];
  readonly onRecipe: (progress: MirrorListProgress) => void;
}

export interface MirrorListProgress {
  /** Of the type that the recipe is for. */
  readonly resourceId: string;
  readonly state: "Running" | "Succeeded" | "Failed";
}

/** What the recipes of an environment need from elsewhere, each thing once, with those that need it. */
export interface MirrorList {
  readonly modules: readonly (ModuleDependency & NeededBy)[];
  readonly providers: readonly (ProviderDependency & NeededBy)[];
  /** Recipes that cannot be told, and why. */
  readonly errors: readonly (ErrorDetail & NeededBy)[];
}

interface NeededBy {
  /** `Radius.Data/redisCaches/default` */
  readonly recipes: readonly string[];
}

const atOnce = 4;

/** Gets modules and providers of all Terraform recipes of an environment. Nothing is applied or stored. */
export async function mirrorList(deps: MirrorListDeps, request: MirrorListRequest): Promise<MirrorList> {
  const { environment, resources, signal } = request;
  const all = await allRecipes(environment, resources.asServer);
  const bySource = Map.groupBy(
    all.filter(({ definition: { kind } }) => kind === "terraform"),
    ({ definition: { source, version, userInfo, secretQuery } }) =>
      JSON.stringify([source, version, userInfo, secretQuery]),
  );
  const limiter = new Limiter(atOnce);
  const found = await Promise.all(
    [...bySource.values()].map((users) =>
      limiter.run(async () => {
        signal.throwIfAborted();
        const recipes = users.map(({ type, definition: { name } }) => `${type}/${name}`);
        const [first] = users;
        const outcome = first && (await dependenciesOf(deps, request, first.definition, recipes[0] ?? ""));
        return { recipes, outcome };
      }),
    ),
  );
  return {
    modules: merged(
      found.flatMap(({ recipes, outcome }) => withUsers(outcome?.found?.modules ?? [], recipes)),
      ({ source, version, commit }) => [source, version, commit],
    ),
    providers: merged(
      found.flatMap(({ recipes, outcome }) => withUsers(outcome?.found?.providers ?? [], recipes)),
      ({ address, version, packages }) => [address, version, packages],
    ),
    errors: found.flatMap(({ recipes, outcome }) =>
      outcome?.error === undefined ? [] : [{ ...outcome.error, recipes }],
    ),
  };
}

async function dependenciesOf(
  deps: MirrorListDeps,
  { environment, resources, requester, signal, log, platforms, onRecipe }: MirrorListRequest,
  definition: RecipeDefinition,
  recipe: string,
): Promise<{ readonly found?: RunDependencies; readonly error?: ErrorDetail }> {
  onRecipe({ resourceId: recipe, state: "Running" });
  try {
    const found = await deps.dependenciesOf(
      {
        definition,
        configuration: await loadConfiguration(resources, environment, undefined),
        environmentId: environment.id,
        readSecret: (id) => deps.loadSecret({ resources, requester, signal }, id),
        resources: resources.asServer,
        log: log.child({ recipe: definition.name, environment: environment.id.toString() }),
        signal,
        hide: (values) => requester.hide(values),
      },
      platforms,
    );
    onRecipe({ resourceId: recipe, state: "Succeeded" });
    return { found };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError)) {
      throw error;
    }
    onRecipe({ resourceId: recipe, state: "Failed" });
    return { error: error.toDetail() };
  }
}

function withUsers<T>(items: readonly T[], recipes: readonly string[]): (T & NeededBy)[] {
  return items.map((item) => ({ ...item, recipes }));
}

function merged<T extends NeededBy>(items: readonly T[], identity: (item: T) => unknown): T[] {
  const groups = Map.groupBy(items, (item) => JSON.stringify(identity(item)));
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) =>
      first === undefined
        ? []
        : [{ ...first, recipes: [...new Set([first, ...others].flatMap(({ recipes }) => recipes))].toSorted() }],
    );
}
