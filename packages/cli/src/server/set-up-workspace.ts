import { ClientError } from "@rad/client";
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
export async function setUpWorkspace(context: CommandContext, server: ReadyServer): Promise<Workspace> {
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
  const token = tokenFile === undefined ? undefined : await readTokenFile(tokenFile, { optional: true });
  const workspace: Workspace = {
    scope: groupId(defaultGroup),
    ...previous,
    name,
    connection: serverConnection(server.url, previous?.connection.context ?? ""),
  };
  // A token that was kept for another place must not be tried at this one.
  const useTokenFile = previousUrl === server.url;
  const client = await context.client(workspace, token === undefined ? { useTokenFile } : { token });
  try {
    await (workspace.scope === groupId(defaultGroup) ? client.groups.put(defaultGroup) : client.planes.list());
  } catch (error) {
    throw explainRefusal(error, server, name);
  }
  if (token !== undefined) {
    await saveToken(context.configPath, name, token);
  }
  const isNew = previous === undefined;
  const before = await updateConfig(context.configPath, (edit) => {
    const { current } = edit.config;
    edit.put(workspace);
    edit.setCurrent(name);
    return current;
  });
  if (before !== "" && before !== name) {
    context.output.note(`The current workspace was ${before}; \`rad workspace switch ${before}\` goes back to it`);
  }
  if (context.output.format === "table") {
    context.output.result(isNew ? `Local workspace ${name} created (current)` : `Local workspace ${name} is current`);
  }
  return workspace;
}

/** The server runs, and nobody has told `rad` a token that it accepts, or who signed its certificate. */
function explainRefusal(error: unknown, { url, tokenFile }: ReadyServer, name: string): unknown {
  if (error instanceof ClientError && error.code === "CertificateRefused") {
    return new CliError(
      "CertificateRefused",
      `The control plane runs at ${url}, but the workspace was not created, because \`rad\` refuses its certificate. With that of the ` +
        `authority that signed it, run \`rad workspace create server ${name} --url ${url} --ca-file <file> --token-file ${tokenFile ?? "<file>"}\`.`,
      { cause: error },
    );
  }
  if (!(error instanceof ClientError) || error.status !== 401) {
    return error;
  }
  const why =
    tokenFile === undefined
      ? "it makes no token of its own with this configuration"
      : `its token is not in ${tokenFile}; where it is lost, \`rad server token --renew\` makes a new one`;
  return new CliError(
    "NoToken",
    `The control plane runs at ${url}, but the workspace was not created: ${why}. ` +
      `With a token that it accepts, run \`rad workspace create server <name> --url ${url} --token-file <file>\`.`,
  );
}

function isOnThisMachine(url: string | undefined): boolean {
  const hostname = url === undefined ? "" : (URL.parse(url)?.hostname ?? "");
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}
