import type { ProviderSummary } from "@rad/client";
import { ClientError, registerManifest } from "@rad/client";
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Column } from "../output/table-layout.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";

const providerType = "System.Resources/resourceProviders";

/** The last two are upstream's; a summary has nothing to put there. */
const columns: readonly Column<ProviderSummary>[] = [
  { heading: "RESOURCE", value: (provider) => provider.name },
  { heading: "TYPE", value: () => "" },
  { heading: "STATE", value: () => "" },
];

export function defineResourceProvider(command: Command, context: ContextOf): void {
  command
    .command("create")
    .description("Register a manifest: a namespace with all its types")
    .requiredOption("-f, --from-file <path>", "manifest in YAML or JSON; - reads it from stdin")
    .addHelpText("after", examples("rad resource-provider create -f types.yaml"))
    .action((options: { fromFile: string }) => create(context(), options.fromFile));
  command
    .command("list")
    .description("List the resource providers")
    .addHelpText("after", examples("rad resource-provider list -o json"))
    .action(() => list(context()));
  command
    .command("show")
    .description("Show a resource provider")
    .argument("<namespace>", "namespace, such as Contoso.Data")
    .addHelpText("after", examples("rad resource-provider show Contoso.Data -o json"))
    .action((namespace: string) => show(context(), namespace));
  command
    .command("delete")
    .description("Delete a resource provider with its types, when there are no resources of them")
    .argument("<namespace>", "namespace, such as Contoso.Data")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("rad resource-provider delete Contoso.Data --yes"))
    .action((namespace: string, options: { yes?: boolean }) => remove(context(), namespace, options.yes === true));
}

async function create(context: CommandContext, file: string): Promise<void> {
  const { readManifest } = await import("../resources/read-manifest.ts");
  const manifest = await readManifest(context.host, file);
  const client = await context.client();
  await registerManifest(client, manifest, {
    signal: context.host.signal,
    onProgress: (step) => {
      if (step.kind === "type") {
        context.output.note(`${step.namespace}/${step.type} created`);
      }
    },
  });
  const { refreshTypeCache } = await import("../registered-types/registered-types.ts");
  await refreshTypeCache(context, client);
  const provider = await client.providers.get(manifest.namespace);
  context.output.done(`${providerType}/${manifest.namespace} created`, provider);
}

async function list(context: CommandContext): Promise<void> {
  const providers = await (await context.client()).providers.summaries();
  if (context.output.format === "json") {
    context.output.json(providers);
  } else {
    await context.output.table(columns, providers);
  }
}

async function show(context: CommandContext, namespace: string): Promise<void> {
  const client = await context.client();
  const provider = await client.providers.summary(namespace).catch((error: unknown) => {
    if (error instanceof ClientError && error.isNotFound) {
      throw new CliError(
        "ResourceProviderNotFound",
        `The resource provider "${namespace}" does not exist. Run \`rad resource-provider list\` to see those there are.`,
      );
    }
    throw error;
  });
  if (context.output.format === "json") {
    context.output.json(provider);
  } else {
    await context.output.table(columns, [provider]);
  }
}

async function remove(context: CommandContext, namespace: string, yes: boolean): Promise<void> {
  const client = await context.client();
  const text = `Delete the resource provider "${namespace}" and its types?`;
  const { confirm } = await import("../prompts.ts");
  if (!(await confirm(context, { text, assumeYes: yes }))) {
    return;
  }
  const outcome = await client.providers.delete(namespace);
  const { refreshTypeCache } = await import("../registered-types/registered-types.ts");
  await refreshTypeCache(context, client);
  const status = outcome === "deleted" ? "deleted" : "not found";
  context.output.done(`${providerType}/${namespace} ${status}`, { name: namespace, status });
}
