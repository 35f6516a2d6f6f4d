import type { Store } from "@rad/store";
import type { BegunCreation, StateSummary, UnsettledRun } from "@rad/terraform";
import type { UnsavedCreation } from "../records/recipe-record.ts";
import type { RecipeRecords } from "../records/recipe-records.ts";

/** Something that a recipe made, or may have made, and that no resource accounts for. */
export interface Orphan {
  /** `resource`: recorded, and its owner is gone. `state`: likewise. `creation`: begun by a run that died, and in no state. */
  readonly kind: "resource" | "state" | "creation";
  /** The resource that the recipe ran for. */
  readonly resourceId: string;
  /** An id, the backend and name of a state, or the address in the module. */
  readonly what: string;
  /** Why it is listed, and what to do. */
  readonly reason: string;
  readonly recipe?: string;
  readonly module?: string;
  readonly runId?: string;
  readonly since?: string;
}

export interface OrphanSources {
  readonly store: Pick<Store, "get">;
  readonly records: Pick<RecipeRecords, "all">;
  /** Runs whose results are not recorded yet, of dead servers among others. */
  readonly unsettled: () => Promise<readonly UnsettledRun[]>;
  /** States that the control plane keeps itself. */
  readonly states: () => AsyncIterable<StateSummary>;
}

/** Everything that nobody owns, each once, in the order of the ids of the resources. */
export async function listOrphans({ store, records, unsettled, states }: OrphanSources): Promise<readonly Orphan[]> {
  const orphans: Orphan[] = [];
  const owners = new Map<string, boolean>();
  const exists = async (owner: string): Promise<boolean> => {
    const key = owner.toLowerCase();
    const known = owners.get(key) ?? (await store.get(owner)) !== undefined;
    owners.set(key, known);
    return known;
  };
  const recordedStates = new Set<string>();
  const seen = new Set<string>();
  for await (const record of records.all()) {
    const { resourceId, definition, resources, unsaved, state, run } = record;
    const common = {
      resourceId,
      recipe: definition.name,
      module: definition.source,
      runId: run.id,
      since: run.startedAt,
    };
    const { backend, name } = state;
    if (typeof name === "string") {
      recordedStates.add(name);
    }
    if (!(await exists(resourceId))) {
      orphans.push(...resources.map((id): Orphan => ({ kind: "resource", ...common, what: id, reason: ownerIsGone })));
      if (typeof name === "string" && (resources.length > 0 || unsaved.length === 0)) {
        orphans.push({
          kind: "state",
          ...common,
          what: typeof backend === "string" ? `${backend} ${name}` : name,
          reason: stateIsLeft,
        });
      }
    }
    for (const creation of unsaved) {
      seen.add(creationKey(resourceId, creation));
      orphans.push({ kind: "creation", ...common, ...creationText(creation) });
    }
  }
  for (const { resourceId, runId, startedAt, isRunning, creations } of await unsettled()) {
    for (const creation of isRunning ? [] : creations) {
      if (!seen.has(creationKey(resourceId, creation))) {
        orphans.push({ kind: "creation", resourceId, runId, since: startedAt, ...creationText(creation) });
      }
    }
  }
  for await (const { name, resourceId, updatedAt } of states()) {
    if (!recordedStates.has(name) && !(await exists(resourceId))) {
      orphans.push({ kind: "state", resourceId, what: `http ${name}`, reason: stateIsLeft, since: updatedAt });
    }
  }
  return orphans.toSorted((one, other) => (one.resourceId.toLowerCase() < other.resourceId.toLowerCase() ? -1 : 1));
}

const ownerIsGone =
  "The resource that it was made for is gone. Create that resource again and delete it, or delete this by hand.";
const stateIsLeft =
  "The resource that it belongs to is gone. Create that resource again and delete it, which destroys what the state has.";

const reached: Readonly<Record<string, string>> = {
  completed: "It was created",
  begun: "Creating it had begun",
  failed: "Creating it failed",
  planned: "It may have been created",
};

function creationText(creation: UnsavedCreation | BegunCreation): Pick<Orphan, "what" | "reason"> {
  const { address, type, state, id } = creation;
  return {
    what: id === undefined ? `${address} (${type})` : `${address} (${type} ${id})`,
    reason: `${reached[state] ?? "It may exist"} when Terraform died, and no state has it. Look for it, and import or delete it.`,
  };
}

function creationKey(owner: string, { address, id = "" }: UnsavedCreation | BegunCreation): string {
  return `${owner.toLowerCase()} ${address} ${id}`;
}
