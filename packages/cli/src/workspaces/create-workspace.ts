import { resolve } from "node:path";
import type { Client } from "@rad/client";
import { ClientError } from "@rad/client";
import { ResourceId } from "@rad/core";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { readAuthority, removeAuthority, saveAuthority } from "../config/authorities.ts";
import { updateConfig } from "../config/config-file.ts";
import { readTokenFile, removeToken, saveToken } from "../config/tokens.ts";
import type { Workspace } from "../config/workspace.ts";
import { checkWorkspaceName, serverConnection } from "../config/workspace.ts";
import type { Family, FamilyOptions } from "../families/choose-families.ts";
import { chosenFamilies } from "../families/choose-families.ts";
import { readAll } from "../read-input.ts";
import { createTypeLookup } from "../resources/type-lookup.ts";
import { checkGroupName, groupId, groupOf } from "../scope.ts";

export interface CreateOptions extends FamilyOptions {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly caFile?: string;
  readonly group?: string;
  readonly environment?: string;
  readonly context?: string;
  readonly force?: boolean;
}

/** Checks that everything named exists before anything is written. */
export async function createWorkspace(
  context: CommandContext,
  type: string,
  givenName: string | undefined,
  options: CreateOptions,
): Promise<void> {
  checkType(type);
  if (givenName === undefined || options.url === undefined) {
    throw new CliError("InvalidUsage", "Give a name and a URL: `rad workspace create server <name> --url <url>`.");
  }
  const name = checkWorkspaceName(givenName);
  const previous = (await context.config()).workspaces.get(name);
  if (previous !== undefined && options.force !== true) {
    throw new CliError("WorkspaceExists", `The workspace "${name}" exists already. Use \`--force\` to replace it.`);
  }
  const url = options.url.replace(/\/+$/, "");
  const token = await givenToken(context, options);
  // A token that was kept for another place must not be tried at this one, and its cluster may be another one.
  const isSamePlace = previous?.connection.overrides?.ucp === url;
  const kubeContext = options.context ?? (isSamePlace ? previous.connection.context : "");
  if (options.context !== undefined && options.context !== "") {
    const { findContext } = await import("../cluster/workspace-cluster.ts");
    await findContext(context.host, options.context);
  }
  const base: Workspace = { name, connection: serverConnection(url, kubeContext) };
  const ca = await givenAuthority(context, url, options);
  const client = await context.client(base, {
    ...(token === undefined && !isSamePlace ? { useTokenFile: false } : { token }),
    ca: ca ?? (isSamePlace ? undefined : null),
  });
  warnAboutPlainHttp(context, url);
  await client.planes.list();
  const workspace = { ...base, ...(await defaults(client, options, previous, chosenFamilies(context, options))) };

  if (token !== undefined) {
    await saveToken(context.configPath, name, token);
  } else if (!isSamePlace) {
    await removeToken(context.configPath, name);
  }
  if (ca !== undefined) {
    await saveAuthority(context.configPath, name, ca);
  } else if (!isSamePlace) {
    removeAuthority(context.configPath, name);
  }
  await updateConfig(context.configPath, (edit) => {
    edit.put(workspace);
    edit.setCurrent(name);
  });
  context.output.done(`Local workspace ${name} created (current)`, { ...workspace, default: true });
}

function checkType(type: string): void {
  if (type.toLowerCase() === "kubernetes") {
    throw new CliError(
      "KubernetesNotSupported",
      "This version of rad does not go through kube contexts. Use `rad workspace create server <name> --url <url>`.",
    );
  }
  if (type.toLowerCase() !== "server") {
    throw new CliError("InvalidUsage", `"${type}" is not a type of workspace. There is one: server.`);
  }
}

async function givenAuthority(
  context: CommandContext,
  url: string,
  { caFile }: CreateOptions,
): Promise<string | undefined> {
  if (caFile === undefined) {
    return undefined;
  }
  if (!url.startsWith("https:")) {
    throw new CliError("InvalidUsage", `--ca-file is for URLs that begin with https:, which ${url} does not.`);
  }
  return readAuthority(resolve(context.host.cwd, caFile));
}

async function givenToken(context: CommandContext, options: CreateOptions): Promise<string | undefined> {
  if (options.tokenFile === undefined) {
    return undefined;
  }
  if (options.tokenFile !== "-") {
    return readTokenFile(options.tokenFile);
  }
  const token = (await readAll(context.host.stdin)).trim();
  if (token === "") {
    throw new CliError("InvalidToken", "There was no token on stdin.");
  }
  return token;
}

async function defaults(
  client: Client,
  options: CreateOptions,
  previous: Workspace | undefined,
  families: readonly Family[],
): Promise<Pick<Workspace, "scope" | "environment">> {
  const group = options.group === undefined ? groupOf(previous?.scope) : await checkGroupName(options.group);
  if (group === undefined) {
    if (options.environment !== undefined) {
      throw new CliError("NoGroup", "An environment needs a group: add `--group <name>`.");
    }
    return {};
  }
  if (options.group !== undefined) {
    await mustExist(client.groups.get(group), "GroupNotFound", `The resource group "${group}" does not exist.`);
  }
  const kept = previous?.environment;
  if (options.environment === undefined) {
    if (kept !== undefined && groupOf(kept)?.toLowerCase() !== group.toLowerCase()) {
      throw new CliError(
        "EnvironmentElsewhere",
        `The workspace's environment ${kept} is not in the group "${group}". Name another one with \`--environment\`.`,
      );
    }
    return { scope: groupId(group), ...(kept === undefined ? {} : { environment: kept }) };
  }
  return { scope: groupId(group), environment: await findEnvironment(client, group, options.environment, families) };
}

async function findEnvironment(
  client: Client,
  group: string,
  given: string,
  families: readonly Family[],
): Promise<string> {
  const isId = ResourceId.tryParse(given)?.kind === "resource";
  const candidates = isId
    ? [given]
    : families.toReversed().map(({ namespace }) => `${groupId(group)}/providers/${namespace}/environments/${given}`);
  const types = createTypeLookup(client);
  for (const id of candidates) {
    try {
      const { apiVersion } = await types.find(ResourceId.parse(id).type);
      return (await client.resources.get(id, { apiVersion })).id;
    } catch (error) {
      const isAbsent =
        (error instanceof ClientError && error.isNotFound) ||
        (error instanceof CliError && error.code === "ResourceTypeNotFound");
      if (!isAbsent) {
        throw error;
      }
    }
  }
  throw new CliError("EnvironmentNotFound", `The environment "${given}" does not exist in the group "${group}".`);
}

async function mustExist<T>(lookup: Promise<T>, code: string, message: string): Promise<T> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof ClientError && error.isNotFound) {
      throw new CliError(code, message);
    }
    throw error;
  }
}

function warnAboutPlainHttp(context: CommandContext, url: string): void {
  const { protocol, hostname } = new URL(url);
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  if (protocol === "http:" && !isLoopback) {
    context.output.note(`Warning: ${url} is not encrypted, so everybody on the way can read the token.`);
  }
}
