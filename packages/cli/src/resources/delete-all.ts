import type { Client, OperationStatus } from "@rad/client";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { withLimit } from "../with-limit.ts";
import type { ProgressItem } from "../progress/progress-item.ts";
import { itemState } from "../progress/progress-item.ts";
import { createProgressView } from "../progress/progress-view.ts";
import { watchLeftBehind } from "./left-behind.ts";
import { createTypeLookup } from "./type-lookup.ts";

/** A resource to delete. */
interface Doomed {
  readonly id: string;
  readonly type: string;
  readonly name: string;
}

interface DeleteAllOptions {
  /** Also resources on which another operation is running. */
  readonly force?: boolean;
}

/** Their records are removed together with the group. */
const withGroup = new Set(["microsoft.resources/deployments"]);
/** Others refer to these, so they go last: first the applications, then the environments. */
const order = ["applications", "environments"];
const concurrentDeletions = 10;

/**
 * Deletes all of `resources` and shows how it goes, several at a time where they do not depend on each other. What is gone
 * already counts as deleted. @throws CliError naming what is left.
 */
export async function deleteAll(
  context: CommandContext,
  client: Client,
  resources: readonly Doomed[],
  { force = false }: DeleteAllOptions = {},
): Promise<void> {
  const types = createTypeLookup(client);
  const doomed = resources.filter((resource) => !withGroup.has(resource.type.toLowerCase()));
  if (doomed.length === 0) {
    return;
  }
  const view = await createProgressView(context, "Deletion In Progress...");
  const items = new Map<string, ProgressItem>();
  const show = ({ id, type, name }: Doomed, state: ProgressItem["state"], steps: OperationStatus["steps"] = []) => {
    items.set(id, { key: id, id, type, name, depth: 0, state, change: undefined, steps });
    view.update([...items.values()]);
  };
  const remarks: ReturnType<typeof watchLeftBehind>[] = [];
  const deleteOne = async (resource: Doomed): Promise<void> => {
    show(resource, "Running");
    const leftBehind = watchLeftBehind(`${resource.type}/${resource.name}`);
    try {
      const { apiVersion } = await types.find(resource.type);
      await client.resources.delete(resource.id, {
        apiVersion,
        force,
        onProgress: ({ state, steps }) => {
          leftBehind.update({ steps });
          if (itemState(state) === "Running") {
            show(resource, "Running", steps);
          }
        },
      });
    } catch (error) {
      show(resource, context.host.signal.aborted ? "Running" : "Failed");
      throw error;
    }
    show(resource, "Completed");
    remarks.push(leftBehind);
  };
  try {
    const rounds = Map.groupBy(doomed, ({ type }) => order.indexOf(type.split("/").at(-1)?.toLowerCase() ?? ""));
    for (const round of [...rounds.keys()].sort((a, b) => a - b)) {
      const members = rounds.get(round) ?? [];
      reportFailures(members, await withLimit(members, concurrentDeletions, deleteOne));
    }
  } catch (error) {
    await view.end();
    if (context.host.signal.aborted) {
      context.output.note("\nDeletions that have begun go on without this command. Run it again to delete the rest.");
      throw context.host.signal.reason;
    }
    throw error;
  } finally {
    await view.end();
    for (const leftBehind of force ? remarks : []) {
      leftBehind.warn(context.output);
    }
  }
}

function reportFailures(members: readonly Doomed[], outcomes: readonly PromiseSettledResult<void>[]): void {
  const failures = outcomes.flatMap((outcome, index) =>
    outcome.status === "rejected" ? [{ id: members[index]?.id ?? "", reason: outcome.reason as unknown }] : [],
  );
  const [first] = failures;
  if (first === undefined) {
    return;
  }
  const names = failures.map((failure) => failure.id).join(", ");
  throw new CliError("DeleteIncomplete", `${failures.length} resource(s) could not be deleted: ${names}.`, {
    cause: first.reason,
  });
}
