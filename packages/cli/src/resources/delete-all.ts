import type { Client, ResourceBody } from "@rad/client";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { createTypeLookup } from "./type-lookup.ts";

/** Their records are removed together with the group. */
const withGroup = new Set(["microsoft.resources/deployments"]);
/** Others refer to these, so they go last: first the applications, then the environments. */
const order = ["applications", "environments"];

/** Deletes all of `resources`, those that do not depend on each other at once. @throws CliError naming what is left. */
export async function deleteAll(
  context: CommandContext,
  client: Client,
  resources: readonly ResourceBody[],
): Promise<void> {
  const types = createTypeLookup(client);
  const doomed = resources.filter((resource) => !withGroup.has(resource.type.toLowerCase()));
  const rounds = Map.groupBy(doomed, (resource) => order.indexOf(resource.type.split("/").at(-1)?.toLowerCase() ?? ""));
  for (const round of [...rounds.keys()].sort((a, b) => a - b)) {
    const members = rounds.get(round) ?? [];
    const outcomes = await Promise.allSettled(
      members.map(async (resource) => {
        const { apiVersion } = await types.find(resource.type);
        await client.resources.delete(resource.id, { apiVersion });
        context.output.note(`${resource.type}/${resource.name} deleted`);
      }),
    );
    reportFailures(members, outcomes);
  }
}

function reportFailures(members: readonly ResourceBody[], outcomes: readonly PromiseSettledResult<void>[]): void {
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
