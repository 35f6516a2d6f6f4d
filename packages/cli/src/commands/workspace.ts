import { ResourceId } from "@rad/core/resource-id";
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { removeAuthority } from "../config/authorities.ts";
import { updateConfig } from "../config/config-file.ts";
import { removeToken } from "../config/tokens.ts";
import type { Workspace } from "../config/workspace.ts";
import { addFamilyFlags } from "../families/choose-families.ts";
import { oneName } from "../names.ts";
import type { Column } from "../output/table-layout.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import { confirm } from "../prompts.ts";
import { groupOf } from "../scope.ts";
import type { CreateOptions } from "../workspaces/create-workspace.ts";

/** Upstream's columns, then ours. The file calls every connection `kubernetes`, also one that goes straight to a URL. */
function columns(current: string): readonly Column<Workspace>[] {
  return [
    { heading: "WORKSPACE", value: ({ name }) => name },
    { heading: "KIND", value: ({ connection }) => (connection.overrides === undefined ? connection.kind : "server") },
    { heading: "KUBECONTEXT", value: ({ connection }) => connection.context },
    { heading: "GROUP", value: ({ scope }) => groupOf(scope) },
    { heading: "ENVIRONMENT", value: ({ environment = "" }) => ResourceId.tryParse(environment)?.name },
    { heading: "CURRENT", value: ({ name }) => (name === current ? "*" : "") },
    { heading: "URL", value: ({ connection }) => connection.overrides?.ucp },
  ];
}

export function defineWorkspace(command: Command, context: ContextOf): void {
  addFamilyFlags(command.command("create"))
    .description("Create a workspace and make it the current one")
    .argument("<type>", "server: a control plane at a URL")
    .argument("[name]", "name of the workspace")
    .option("--url <url>", "where the control plane listens, such as http://127.0.0.1:9000")
    .option("--token-file <path>", "file with the token to use, readable by you only; - reads it from stdin")
    .option("--ca-file <path>", "certificate of a private authority that signs the control plane's, in PEM")
    .option("-g, --group <name>", "default resource group; it must exist")
    .option("-e, --environment <name>", "default environment, a name or a full id; it must exist")
    .option("-c, --context <name>", "kube context of the cluster it deploys to, for logs and ports; it must exist")
    .option("-f, --force", "replace a workspace of that name")
    .addHelpText(
      "after",
      examples(
        "rad workspace create server local --url http://127.0.0.1:9000 --token-file token",
        "rad workspace create server local --url http://127.0.0.1:9000 --context kind-dev --force",
        "rad workspace create server ci --url https://radius.example.com --group dev",
        "rad workspace create server lab --url https://radius.lab.example --ca-file lab-ca.pem --token-file -",
      ),
    )
    .action(async (type: string, name: string | undefined, options: CreateOptions) => {
      const { createWorkspace } = await import("../workspaces/create-workspace.ts");
      const current = context();
      await createWorkspace(current, type, oneName("workspace", name, current.workspaceFlag), options);
    });
  command
    .command("list")
    .description("List the workspaces")
    .addHelpText("after", examples("rad workspace list", "rad workspace list -o json"))
    .action(() => list(context()));
  command
    .command("show")
    .description("Show a workspace; by default the current one")
    .argument("[name]", "name of the workspace")
    .addHelpText("after", examples("rad workspace show", "rad workspace show local -o json"))
    .action((name?: string) => show(context(), name));
  command
    .command("switch")
    .description("Make a workspace the current one")
    .argument("[name]", "name of the workspace")
    .addHelpText("after", examples("rad workspace switch local"))
    .action((name?: string) => switchTo(context(), name));
  command
    .command("delete")
    .description("Delete a workspace and its token from this machine; the control plane stays as it is")
    .argument("[name]", "name of the workspace; by default the current one")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("rad workspace delete local --yes"))
    .action((name: string | undefined, options: { yes?: boolean }) => remove(context(), name, options.yes === true));
}

async function list(context: CommandContext): Promise<void> {
  const config = await context.config();
  const workspaces = [...config.workspaces.values()];
  if (context.output.format === "json") {
    context.output.json(workspaces.map((workspace) => toJson(workspace, config.current)));
  } else {
    await context.output.table(columns(config.current), workspaces);
  }
}

async function show(context: CommandContext, positional: string | undefined): Promise<void> {
  const config = await context.config();
  const name = oneName("workspace", positional, context.workspaceFlag) ?? config.current;
  if (name === "") {
    context.output.note(
      "There is no current workspace. Run `rad server start` or `rad workspace create server <name> --url <url>`.",
    );
    if (context.output.format === "json") {
      context.output.json(null);
    }
    return;
  }
  const workspace = await context.workspace(name);
  if (context.output.format === "json") {
    context.output.json(toJson(workspace, config.current));
  } else {
    await context.output.table(columns(config.current), [workspace]);
  }
}

async function switchTo(context: CommandContext, positional: string | undefined): Promise<void> {
  const given = oneName("workspace", positional, context.workspaceFlag);
  if (given === undefined) {
    throw new CliError("InvalidUsage", "Give the name of the workspace: `rad workspace switch <name>`.");
  }
  const { name } = await context.workspace(given);
  const previous = await updateConfig(context.configPath, (edit) => {
    const { current } = edit.config;
    edit.setCurrent(name);
    return current;
  });
  const line =
    previous === name
      ? `Workspace "${name}" is already the current one`
      : previous === ""
        ? `Switched to workspace "${name}"`
        : `Switched from workspace "${previous}" to "${name}"`;
  context.output.done(line, { from: previous, to: name });
}

async function remove(context: CommandContext, positional: string | undefined, yes: boolean): Promise<void> {
  const { name } = await context.workspace(oneName("workspace", positional, context.workspaceFlag));
  const text = `Delete the local workspace "${name}"? The control plane and what it holds stay as they are.`;
  if (!(await confirm(context, { text, assumeYes: yes }))) {
    return;
  }
  await removeToken(context.configPath, name);
  removeAuthority(context.configPath, name);
  await updateConfig(context.configPath, (edit) => {
    if (edit.config.current === name) {
      edit.setCurrent("");
    }
    edit.remove(name);
  });
  context.output.done(`Local workspace ${name} deleted`, { name, status: "deleted" });
}

function toJson(workspace: Workspace, current: string): object {
  const { name, ...rest } = workspace;
  return { name, default: name === current, ...rest };
}
