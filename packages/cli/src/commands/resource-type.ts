import type { Manifest } from "@rad/resource-types";
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Column } from "../output/table-layout.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import type { KnownType } from "../resources/type-lookup.ts";
import { createTypeLookup } from "../resources/type-lookup.ts";

interface CreateOptions {
  readonly fromFile: string;
  readonly icon?: string;
}

const columns: readonly Column<KnownType>[] = [
  { heading: "TYPE", value: (type) => type.fullName },
  { heading: "NAMESPACE", value: (type) => type.namespace },
  { heading: "APIVERSION", value: (type) => JSON.stringify(Object.keys(type.summary.apiVersions).sort()) },
];

export function defineResourceType(command: Command, context: ContextOf): void {
  command
    .command("create")
    .description("Register the resource types of a manifest")
    .argument("[type]", "only this type of the manifest, such as queues")
    .requiredOption("-f, --from-file <path>", "manifest in YAML or JSON; - reads it from stdin")
    .option("--icon <path>", "SVG icon of the type; needs a single type")
    .addHelpText(
      "after",
      examples(
        "rad resource-type create -f types.yaml",
        "rad resource-type create queues -f types.yaml --icon queue.svg",
      ),
    )
    .action((type: string | undefined, options: CreateOptions) => create(context(), type, options));
  command
    .command("list")
    .description("List the resource types")
    .addHelpText("after", examples("rad resource-type list", "rad resource-type list -o json"))
    .action(() => list(context()));
  command
    .command("show")
    .description("Show a resource type with its properties")
    .argument("<type>", "type, such as Contoso.Data/queues")
    .addHelpText("after", examples("rad resource-type show Contoso.Data/queues"))
    .action((type: string) => show(context(), type));
  command
    .command("delete")
    .description("Delete a resource type that has no resources")
    .argument("<type>", "type, such as Contoso.Data/queues")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("rad resource-type delete Contoso.Data/queues --yes"))
    .action((type: string, options: { yes?: boolean }) => remove(context(), type, options.yes === true));
}

async function create(context: CommandContext, only: string | undefined, options: CreateOptions): Promise<void> {
  const { registerManifest } = await import("@rad/client");
  const { readManifest } = await import("../resources/read-manifest.ts");
  const manifest = await withIcon(context, choose(await readManifest(context.host, options.fromFile), only), options);
  const client = await context.client();
  const created: string[] = [];
  await registerManifest(client, manifest, {
    signal: context.host.signal,
    onProgress: (step) => {
      if (step.kind === "type") {
        const name = `${step.namespace}/${step.type}`;
        created.push(name);
        if (context.output.format === "table") {
          context.output.result(`${name} created`);
        }
      }
    },
  });
  const { refreshTypeCache } = await import("../registered-types/registered-types.ts");
  await refreshTypeCache(context, client);
  if (context.output.format === "json") {
    const types = await createTypeLookup(client).all();
    context.output.json(types.filter((type) => created.includes(type.fullName)).map(toJson));
  }
}

async function list(context: CommandContext): Promise<void> {
  const types = await createTypeLookup(await context.client()).all();
  if (context.output.format === "json") {
    context.output.json(
      types.map((type) => ({ ...toJson(type), APIVersionList: Object.keys(type.summary.apiVersions).sort() })),
    );
  } else {
    await context.output.table(columns, types);
  }
}

async function show(context: CommandContext, name: string): Promise<void> {
  const type = await createTypeLookup(await context.client()).find(name);
  if (context.output.format === "json") {
    context.output.json(toJson(type));
  } else {
    const { showResourceType } = await import("../resources/show-resource-type.ts");
    await showResourceType(context.output, type);
  }
}

async function remove(context: CommandContext, name: string, yes: boolean): Promise<void> {
  const client = await context.client();
  const type = await createTypeLookup(client).find(name);
  const { confirm } = await import("../prompts.ts");
  if (!(await confirm(context, { text: `Delete the resource type "${type.fullName}"?`, assumeYes: yes }))) {
    return;
  }
  await client.providers.deleteType(type.namespace, type.name);
  const { refreshTypeCache } = await import("../registered-types/registered-types.ts");
  await refreshTypeCache(context, client);
  context.output.done(`${type.fullName} deleted`, { name: type.fullName, status: "deleted" });
}

function choose(manifest: Manifest, only: string | undefined): Manifest {
  if (only === undefined) {
    return manifest;
  }
  const types = manifest.types.filter((type) => type.name.toLowerCase() === only.toLowerCase());
  if (types.length === 0) {
    const names = manifest.types.map((type) => type.name).join(", ");
    throw new CliError("ResourceTypeNotFound", `The manifest has no type "${only}". It has: ${names}.`);
  }
  return { ...manifest, types };
}

async function withIcon(context: CommandContext, manifest: Manifest, options: CreateOptions): Promise<Manifest> {
  if (options.icon === undefined) {
    return manifest;
  }
  const [type, ...others] = manifest.types;
  if (type === undefined || others.length > 0) {
    throw new CliError("InvalidUsage", "`--icon` is for one type: name it, as in `rad resource-type create <type>`.");
  }
  const { readInput } = await import("../read-input.ts");
  const icon = await readInput(context.host, options.icon);
  const { checkIcon } = await import("@rad/resource-types");
  const problem = checkIcon(icon);
  if (problem !== undefined) {
    throw new CliError("InvalidIcon", `${options.icon} cannot be an icon: ${problem}`);
  }
  return { ...manifest, types: [{ ...type, icon }] };
}

/** Upstream's key names, which scripts read. */
function toJson(type: KnownType): object {
  const { description } = type.summary;
  return {
    Name: type.fullName,
    Description: typeof description === "string" ? description : "",
    ResourceProviderNamespace: type.namespace,
    APIVersions: Object.fromEntries(
      Object.entries(type.summary.apiVersions).map(([name, version]) => [name, { Schema: version["schema"] ?? null }]),
    ),
  };
}
