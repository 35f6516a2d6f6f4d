import { ClientError } from "@rad/client";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { updateConfig } from "../config/config-file.ts";
import { newFamily } from "../families/choose-families.ts";
import type { FamilyOptions } from "../families/choose-families.ts";
import { familyId, mustFind, nameInFamilies } from "../families/family-resource.ts";
import { printWarnings } from "../output/print-warnings.ts";
import { putShown } from "../resources/put-shown.ts";
import { groupNotFound, resolveGroup } from "../scope.ts";
import { legacyProperties, previewProperties, writableProperties } from "./environment-properties.ts";
import type { SettingFlags } from "./environment-settings.ts";
import { readSettings, refusePreviewOnly } from "./environment-settings.ts";
import type { EnvironmentOptions } from "./find-environment.ts";
import { namedEnvironment } from "./find-environment.ts";
import { findPacks } from "./recipe-packs.ts";

export interface WriteEnvironmentOptions extends SettingFlags, FamilyOptions {
  readonly group?: string;
}

const kind = "environments";

export async function createEnvironment(
  context: CommandContext,
  given: string,
  options: WriteEnvironmentOptions,
): Promise<void> {
  const family = newFamily(context, options);
  const settings = readSettings(options);
  refusePreviewOnly(options, family);
  if (options.namespace !== undefined) {
    context.output.note("Flag --namespace has been deprecated, use --kubernetes-namespace instead");
  }
  const workspace = await context.workspace();
  const group = await resolveGroup(context, options.group, workspace);
  const isNewer = family.namespace === "Radius.Core";
  const { name } = await nameInFamilies(context, kind, checkPlainName(given), group, { preview: isNewer });
  const client = await context.client(workspace);
  await client.groups.get(group).catch((error: unknown) => {
    throw error instanceof ClientError && error.isNotFound ? groupNotFound(group) : error;
  });
  const properties = isNewer
    ? previewProperties({}, settings, await packsOfNew())
    : legacyProperties({}, { ...settings, namespace: settings.namespace ?? name });
  const id = familyId(family.namespace, kind, name, group);
  const type = `${family.namespace}/${kind}`;
  const environment = await putShown(
    context,
    client,
    { id, type, name },
    { location: "global", properties },
    { apiVersion: family.apiVersion },
  );
  context.output.done(`${type}/${name} created`, environment);

  async function packsOfNew(): Promise<readonly string[]> {
    const named = await findPacks(client, options.recipePacks, { group, packGroup: options.recipePackGroup });
    if (named !== undefined) {
      return named;
    }
    const { ensureDefaultRecipePack } = await import("@rad/client/deploying");
    return [await ensureDefaultRecipePack(client, { signal: context.host.signal })];
  }
}

export async function updateEnvironment(
  context: CommandContext,
  given: string,
  options: WriteEnvironmentOptions,
): Promise<void> {
  const settings = readSettings(options);
  const workspace = await context.workspace();
  const group = await resolveGroup(context, options.group, workspace);
  const wanted = await nameInFamilies(context, kind, checkPlainName(given), group, options);
  const client = await context.client(workspace);
  const found = await mustFind(client, wanted, workspace.name);
  refusePreviewOnly(options, found);
  const packs = await findPacks(client, options.recipePacks, { group, packGroup: options.recipePackGroup });
  const before = writableProperties(found.resource);
  const earlier = before["recipePacks"];
  if (packs !== undefined && Array.isArray(earlier) && earlier.length > 0) {
    context.output.note(`Warning: the ${earlier.length} recipe pack(s) that the environment has are replaced.`);
  }
  const { resource, etag, id, apiVersion, display, name } = found;
  const environment = await putShown(
    context,
    client,
    { id, type: `${found.namespace}/${kind}`, name },
    {
      location: resource["location"] ?? "global",
      ...(resource["tags"] === undefined ? {} : { tags: resource["tags"] }),
      properties:
        found.namespace === "Radius.Core"
          ? previewProperties(before, settings, packs)
          : legacyProperties(before, settings),
    },
    // Somebody else's change in between is not overwritten.
    { apiVersion, ifMatch: etag },
  );
  context.output.done(`${display} updated`, environment);
}

export async function switchEnvironment(
  context: CommandContext,
  given: string | undefined,
  options: EnvironmentOptions,
): Promise<void> {
  if (given === undefined) {
    throw new CliError("InvalidUsage", "Give the name of the environment: `rad env switch <name>`.");
  }
  const workspace = await context.workspace();
  const wanted = await namedEnvironment(context, workspace, given, options);
  const { id, name, warnings } = await mustFind(await context.client(workspace), wanted, workspace.name);
  printWarnings(context.output, warnings);
  const from = await updateConfig(context.configPath, (edit) => {
    const current = edit.config.workspaces.get(workspace.name) ?? workspace;
    edit.put({ ...current, environment: id });
    return current.environment;
  });
  const isSame = from?.toLowerCase() === id.toLowerCase();
  const line = isSame
    ? `Environment "${name}" is already the workspace's default`
    : from === undefined
      ? `Switched to environment "${name}"`
      : `Switched from environment "${from.split("/").at(-1)}" to "${name}"`;
  context.output.done(line, { from: from ?? "", to: id, workspace: workspace.name });
}

/** An id would say twice where the environment is. */
function checkPlainName(given: string): string {
  if (given.includes("/")) {
    throw new CliError("InvalidResourceName", `"${given}" is not the name of an environment.`);
  }
  return given;
}
