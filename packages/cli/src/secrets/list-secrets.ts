import { radiusPlane } from "@rad/client";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Column } from "../output/table-layout.ts";
import { explainMissingGroup } from "../scope.ts";
import type { SecretOptions, SecretScope, SecretSummary } from "./secret-scope.ts";
import { secretsApiVersion, secretScope, secretType, summaryOf } from "./secret-scope.ts";

export interface ListSecretsOptions extends SecretOptions {
  readonly allGroups?: boolean;
}

const columns: readonly Column<SecretSummary>[] = [
  { heading: "SECRET", value: ({ name }) => name },
  { heading: "GROUP", value: ({ group }) => group },
  { heading: "KIND", value: ({ kind }) => kind },
  { heading: "KEYS", value: ({ keys }) => keys.join(", ") },
];

/** Secrets with their keys. Values cannot be read back. */
export async function listSecrets(context: CommandContext, options: ListSecretsOptions): Promise<void> {
  const { output } = context;
  if (options.allGroups === true && (options.group !== undefined || options.plane === true)) {
    throw new CliError(
      "InvalidUsage",
      "`--all-groups` lists the secrets of the plane and of every group: use it alone.",
    );
  }
  const found = options.allGroups === true ? await listed(await everywhere(context)) : await inScope(context, options);
  if (output.format === "json") {
    output.json(found);
  } else {
    await output.table(columns, found);
  }
}

async function everywhere(context: CommandContext): Promise<Pick<SecretScope, "client" | "collection">> {
  return { client: await context.client(), collection: `${radiusPlane}/providers/${secretType}` };
}

async function inScope(context: CommandContext, options: SecretOptions): Promise<SecretSummary[]> {
  const scope = await secretScope(context, options);
  const found = await listed(scope).catch((error: unknown) => {
    throw scope.group === undefined ? error : explainMissingGroup(error, scope.group);
  });
  // The collection of the plane has those of all groups, too.
  return scope.group === undefined ? found.filter(({ group }) => group === undefined) : found;
}

async function listed({ client, collection }: Pick<SecretScope, "client" | "collection">): Promise<SecretSummary[]> {
  return (await client.resources.list(collection, { apiVersion: secretsApiVersion })).map(summaryOf);
}
