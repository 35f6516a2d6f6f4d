import type { CommandContext } from "../command-context.ts";
import { updateConfig } from "../config/config-file.ts";
import { readTokenFile, saveToken } from "../config/tokens.ts";
import type { Workspace } from "../config/workspace.ts";
import { checkWorkspaceName, serverConnection } from "../config/workspace.ts";
import { CliError } from "../cli-error.ts";
import { groupId } from "../scope.ts";
import type { ReadyServer } from "./start-server.ts";

const defaultWorkspace = "local";
const defaultGroup = "default";

/** Makes a server on this machine usable at once: a workspace with its URL and token, and a group to work in. */
export async function setUpWorkspace(context: CommandContext, server: ReadyServer): Promise<void> {
  const name = checkWorkspaceName(context.workspaceFlag ?? defaultWorkspace);
  const previous = (await context.config()).workspaces.get(name);
  const previousUrl = previous?.connection.overrides?.ucp;
  if (previous !== undefined && !isOnThisMachine(previousUrl)) {
    throw new CliError(
      "WorkspaceExists",
      `The control plane runs, but the workspace "${name}" leads elsewhere and was left as it is. Use \`-w <name>\` for another name.`,
    );
  }
  const { tokenFile } = server;
  const token = tokenFile === undefined ? undefined : await readTokenFile(tokenFile);
  const workspace: Workspace = {
    scope: groupId(defaultGroup),
    ...previous,
    name,
    connection: serverConnection(server.url),
  };
  const client = await context.client(workspace, token === undefined ? { useTokenFile: false } : { token });
  if (workspace.scope === groupId(defaultGroup)) {
    await client.groups.put(defaultGroup);
  }
  if (token !== undefined) {
    await saveToken(context.configPath, name, token);
  }
  const isNew = previous === undefined;
  await updateConfig(context.configPath, (edit) => {
    edit.put(workspace);
    edit.setCurrent(name);
  });
  if (context.output.format === "table") {
    context.output.result(isNew ? `Local workspace ${name} created (current)` : `Local workspace ${name} is current`);
  }
}

function isOnThisMachine(url: string | undefined): boolean {
  const hostname = url === undefined ? "" : (URL.parse(url)?.hostname ?? "");
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}
