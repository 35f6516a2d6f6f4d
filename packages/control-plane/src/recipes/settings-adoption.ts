import { type Clock, isJsonObject, type JsonObject, type Metrics, objectMember } from "@rad/core";
import { environmentTypes, families } from "@rad/radius-types/families";
import { listAll, type Store } from "@rad/store";

const uses = ["settings", "recipeConfig", "both", "none"] as const;
type Use = (typeof uses)[number];

/** Two counts are at least that far apart, however often the metrics are read. */
const minIntervalMs = 1_000;

/**
 * How far the move from `recipeConfig` to settings has come: a gauge of environments by family and by what they use.
 * Counted when the metrics are read and an environment was written since the last count, in one pass over the environments.
 */
export function observeSettingsAdoption({
  store,
  clock,
  metrics,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly metrics: Metrics;
}): Disposable {
  let counted: { readonly at: number; readonly counts: Promise<Counts> } | undefined;
  let isOutdated = true;
  const names: ReadonlySet<string> = new Set(["*", ...environmentTypes]);
  const subscription = store.subscribe((event) => {
    isOutdated ||= event.kind === "document" && names.has(event.type);
  });
  const description = "Environments by family and by what configures their recipes.";
  metrics.gauge("radius.environments", { description }, async () => {
    const now = clock.monotonicMs();
    if (counted === undefined || (isOutdated && now - counted.at >= minIntervalMs)) {
      isOutdated = false;
      counted = { at: now, counts: countEnvironments(store) };
      counted.counts.catch(() => {
        counted = undefined;
      });
    }
    return [...(await counted.counts)].map(([key, value]) => {
      const [family = "", configuredBy = ""] = key.split(" ");
      return { value, labels: { family, configured_by: configuredBy } };
    });
  });
  return subscription;
}

/** By family and use, with a space between them. */
type Counts = ReadonlyMap<string, number>;

async function countEnvironments(store: Pick<Store, "list">): Promise<Counts> {
  const counts = new Map<string, number>();
  for (const { namespace: family } of families) {
    const type = `${family}/environments`;
    for (const use of uses) {
      counts.set(`${family} ${use}`, 0); // a use that nobody has is a number, too
    }
    for await (const document of listAll((page) => store.list(page), { type, under: "/planes/radius" })) {
      const key = `${family} ${useOf(objectMember(await document.parsed(), "properties"))}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

/** An empty `recipeConfig` configures nothing. */
function useOf({ terraformSettings, bicepSettings, recipeConfig }: JsonObject): Use {
  const usesSettings = [terraformSettings, bicepSettings].some((id) => typeof id === "string" && id !== "");
  const usesRecipeConfig = isJsonObject(recipeConfig) && Object.keys(recipeConfig).length > 0;
  if (usesSettings) {
    return usesRecipeConfig ? "both" : "settings";
  }
  return usesRecipeConfig ? "recipeConfig" : "none";
}
