import type { Client, DeleteOutcome, ResourceBody } from "@rad/client";
import { ClientError } from "@rad/client";
import { objectMember } from "@rad/core/json";
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { ExposeOptions } from "../cluster/resource-expose.ts";
import type { LogsOptions } from "../cluster/resource-logs.ts";
import { isContainerType } from "../cluster/container-types.ts";
import type { CommandContext } from "../command-context.ts";
import { addFamilyFlags } from "../families/choose-families.ts";
import { resourceColumns } from "../output/resource-columns.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import type { ListOptions } from "../resources/list-resources.ts";
import { createTypeLookup, explainUnknownType, isFullTypeName } from "../resources/type-lookup.ts";
import { explainMissingGroup, groupId, resolveGroup } from "../scope.ts";

interface ResourceOptions {
  readonly group?: string;
  readonly apiVersion?: string;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly fromFile?: string;
}

const containerTypeHelp = "Applications.Core/containers or Radius.Compute/containers; containers alone finds either";
const typeHelp = "type, such as Contoso.Data/queues; queues alone will do when no other namespace has it";

export function defineResource(command: Command, context: ContextOf): void {
  addFamilyFlags(command.command("list"))
    .description("List resources of one type, or of all types")
    .argument("[type]", "type, such as Contoso.Data/queues; queues alone stands for the queues of all namespaces")
    .option("-a, --application <name>", "only those of an application")
    .option("-e, --environment <name>", "only those of an environment, a name or a full id")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option("-A, --all-groups", "in all resource groups")
    .option("--api-version <version>", "API version; by default the type's own choice")
    .addHelpText(
      "after",
      examples("rad resource list", "rad resource list Contoso.Data/queues -o json", "rad resource list queues -A"),
    )
    .action((type: string | undefined, options: ListOptions) => list(context(), type, options));
  command
    .command("show")
    .description("Show a resource")
    .argument("<type>", typeHelp)
    .argument("<name>", "name of the resource")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option("--api-version <version>", "API version; by default the type's own choice")
    .addHelpText("after", examples("rad resource show Contoso.Data/queues orders -o json"))
    .action((type: string, name: string, options: ResourceOptions) => show(context(), type, name, options));
  command
    .command("create")
    .description("Create or update a resource from a file")
    .argument("<type>", typeHelp)
    .argument("<name>", "name of the resource")
    .requiredOption("-f, --from-file <path>", "the resource as JSON or YAML; - reads it from stdin")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option("--api-version <version>", "API version; by default the type's own choice")
    .addHelpText(
      "after",
      examples(
        "rad resource create Contoso.Data/queues orders -f queue.json",
        `echo '{"properties":{"depth":5}}' | rad resource create queues orders -f -`,
      ),
    )
    .action((type: string, name: string, options: ResourceOptions) => create(context(), type, name, options));
  command
    .command("delete")
    .description("Delete a resource")
    .argument("<type>", typeHelp)
    .argument("<name>", "name of the resource")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option("--api-version <version>", "API version; by default the type's own choice")
    .option("-y, --yes", "do not ask")
    .option("--force", "even while another operation is running, and if what its recipe created has to stay")
    .addHelpText("after", examples("rad resource delete Contoso.Data/queues orders --yes"))
    .action((type: string, name: string, options: ResourceOptions) => remove(context(), type, name, options));
  addFamilyFlags(command.command("logs"))
    .description("Print the logs of a container's replicas, or the log of the last run of a resource's recipe")
    .argument("<type>", `${containerTypeHelp}; any other type for its recipe`)
    .argument("<name>", "name of the resource")
    .option("-a, --application <name>", "application that the container belongs to")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option("--container <name>", "container of the pod; by default the one of the resource's name, or the only one")
    .option("-f, --follow", "go on with new lines, until Ctrl+C")
    .option("--replica <pod>", "only this pod")
    .addHelpText(
      "after",
      examples(
        "rad resource logs Applications.Core/containers web -a shop",
        "rad resource logs containers web -a shop --follow",
        "rad resource logs Radius.Data/postgreSqlDatabases orders",
      ),
    )
    .action(async (type: string, name: string, options: LogsOptions) => {
      if (isContainerType(type)) {
        const { showLogs } = await import("../cluster/resource-logs.ts");
        await showLogs(context(), type, name, options);
      } else {
        await showRecipeLog(context(), type, name, options);
      }
    });
  command
    .command("orphans")
    .description("List what recipes have created and no resource owns any more")
    .addHelpText("after", examples("rad resource orphans", "rad resource orphans -o json"))
    .action(async () => {
      const { listOrphans } = await import("../recipes/list-orphans.ts");
      await listOrphans(context());
    });
  addFamilyFlags(command.command("expose"))
    .description("Forward a port of this machine to a replica of a container, until Ctrl+C")
    .argument("[type]", containerTypeHelp)
    .argument("[name]", "name of the container resource")
    .requiredOption("-a, --application <name>", "application that it belongs to")
    .requiredOption("-p, --port <port>", "port of localhost")
    .option("--remote-port <port>", "port of the container; by default the same")
    .option("--replica <pod>", "this pod; by default the newest one that is running")
    .option("-t, --type <type>", "same as the first argument")
    .option("-r, --resource <name>", "same as the second argument")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .addHelpText("after", examples("rad resource expose containers web -a shop -p 8080 --remote-port 3000"))
    .action(async (first: string | undefined, second: string | undefined, options: ExposeFlags) => {
      const { exposeResource } = await import("../cluster/resource-expose.ts");
      const { type, name } = exposedResource([first, second], options);
      await exposeResource(context(), type, name, options);
    });
}

interface ExposeFlags extends ExposeOptions {
  readonly type?: string;
  readonly resource?: string;
}

/** Each value is taken from its flag, else from the next argument. */
function exposedResource(
  args: readonly (string | undefined)[],
  flags: ExposeFlags,
): { readonly type: string; readonly name: string } {
  const given = args.filter((arg) => arg !== undefined);
  const type = flags.type ?? given.shift();
  const name = flags.resource ?? given.shift();
  if (type === undefined || name === undefined || given.length > 0) {
    throw new CliError(
      "InvalidUsage",
      "Give a type and a name, each once: `rad resource expose <type> <name> -a <application> -p <port>`.",
    );
  }
  return { type, name };
}

async function list(context: CommandContext, type: string | undefined, options: ListOptions): Promise<void> {
  const { listResources } = await import("../resources/list-resources.ts");
  const resources = await listResources(context, type, options);
  if (context.output.format === "json") {
    context.output.json(resources);
  } else {
    const { naturalOrder } = await import("../output/natural-order.ts");
    const sorted = resources.toSorted((a, b) => naturalOrder(a.type, b.type) || naturalOrder(a.name, b.name));
    await context.output.table(resourceColumns, sorted);
  }
}

async function show(context: CommandContext, type: string, name: string, options: ResourceOptions): Promise<void> {
  const isKnown = options.apiVersion !== undefined && isFullTypeName(type);
  const target = await resolveTarget(context, type, name, options, isKnown);
  const { client, id, apiVersion } = target;
  const resource = await client.resources.get(id, { apiVersion }).catch(async (error: unknown) => {
    if (isKnown) {
      await explainUnknownType(createTypeLookup(client), type, error);
    }
    throw explainMissing(error, target);
  });
  if (context.output.format === "json") {
    context.output.json(resource);
  } else {
    await context.output.table(resourceColumns, [resource]);
  }
}

/** Prints the log of the last run of a resource's recipe. */
async function showRecipeLog(context: CommandContext, type: string, name: string, options: LogsOptions): Promise<void> {
  const { printRecipeLog, refuseContainerFlags } = await import("../recipes/print-recipe-log.ts");
  refuseContainerFlags(options);
  const target = await resolveTarget(context, type, name, options);
  await printRecipeLog(context, target);
}

function explainMissing(error: unknown, { display, group, workspace, type, id }: Target): unknown {
  const explained = explainMissingGroup(error, group);
  return explained instanceof ClientError && explained.isNotFound
    ? new CliError(
        "NotFound",
        `The resource "${display}" does not exist in the group "${group}" of workspace "${workspace}".`,
        { missing: { kind: "resources", name: id.split("/").at(-1) ?? "", group, type } },
      )
    : explained;
}

async function create(context: CommandContext, type: string, name: string, options: ResourceOptions): Promise<void> {
  const { readResourceBody } = await import("../resources/read-resource-body.ts");
  const { putShown } = await import("../resources/put-shown.ts");
  const body = await readResourceBody(context.host, options.fromFile ?? "");
  const target = await resolveTarget(context, type, name, options);
  const resource = await putShown(
    context,
    target.client,
    { id: target.id, type: target.type, name },
    // Built-in types insist on a location, although there is only the one.
    { location: "global", ...body },
    { apiVersion: target.apiVersion },
  );
  context.output.done(`${target.display} created`, resource);
}

async function remove(context: CommandContext, type: string, name: string, options: ResourceOptions): Promise<void> {
  const target = await resolveTarget(context, type, name, options);
  const resource = await findResource(target);
  if (resource === undefined) {
    context.output.done(`${target.display} not found`, { id: target.id, status: "not found" });
    return;
  }
  const text = `Delete the resource "${target.display}"${belonging(resource)}?`;
  const { confirm } = await import("../prompts.ts");
  if (!(await confirm(context, { text, assumeYes: options.yes === true }))) {
    return;
  }
  const { id, type: fullName } = target;
  const { showOperation } = await import("../resources/show-operation.ts");
  const { watchLeftBehind } = await import("../resources/left-behind.ts");
  const operation = showOperation(context, { id, type: fullName, name });
  const leftBehind = watchLeftBehind(target.display);
  let outcome: DeleteOutcome;
  try {
    outcome = await target.client.resources.delete(id, {
      apiVersion: target.apiVersion,
      force: options.force === true,
      onProgress: (status) => {
        operation.update(status);
        leftBehind.update(status);
      },
    });
  } finally {
    await operation.end();
  }
  if (options.force === true) {
    leftBehind.warn(context.output);
  }
  const status = outcome === "deleted" ? "deleted" : "not found";
  context.output.done(`${target.display} ${status}`, { id: target.id, status });
}

interface Target {
  readonly client: Client;
  /** `Namespace/type`. */
  readonly type: string;
  readonly apiVersion: string | undefined;
  readonly group: string;
  readonly workspace: string;
  readonly id: string;
  /** `Namespace/type/name`. */
  readonly display: string;
}

async function resolveTarget(
  context: CommandContext,
  typeText: string,
  name: string,
  options: ResourceOptions,
  isKnown = false,
): Promise<Target> {
  const workspace = await context.workspace();
  const group = await resolveGroup(context, options.group, workspace);
  if (name === "" || name.includes("/")) {
    throw new CliError("InvalidResourceName", `"${name}" is not a resource name.`);
  }
  const client = await context.client(workspace);
  const type = isKnown ? { fullName: typeText, apiVersion: undefined } : await createTypeLookup(client).find(typeText);
  return {
    client,
    type: type.fullName,
    apiVersion: options.apiVersion ?? type.apiVersion,
    group,
    workspace: workspace.name,
    id: `${groupId(group)}/providers/${type.fullName}/${name}`,
    display: `${type.fullName}/${name}`,
  };
}

async function findResource(target: Target): Promise<ResourceBody | undefined> {
  try {
    return await target.client.resources.get(target.id, { apiVersion: target.apiVersion });
  } catch (error) {
    if (error instanceof ClientError && error.isNotFound) {
      return undefined;
    }
    throw error;
  }
}

function belonging(resource: ResourceBody): string {
  const properties = objectMember(resource, "properties");
  const owners = ["application", "environment"].flatMap((kind) => {
    const id = properties[kind];
    return typeof id === "string" && id !== "" ? [`${kind} "${id.split("/").at(-1)}"`] : [];
  });
  return owners.length === 0 ? "" : ` of ${owners.join(" and ")}`;
}
