import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Client, ResourceBody } from "@rad/client";
import { ClientError } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { objectMember } from "@rad/core/json";
import { ResourceId } from "@rad/core/resource-id";
import { CliError } from "../../cli-error.ts";
import type { CommandContext } from "../../command-context.ts";
import { writeOutput } from "../../bicep/output-file.ts";
import { writableProperties } from "../../environments/environment-properties.ts";
import { type EnvironmentOptions, namedEnvironment } from "../../environments/find-environment.ts";
import { type FamilyResource, mustFind } from "../../families/family-resource.ts";
import { printableLine } from "../../output/printable.ts";
import { printWarnings } from "../../output/print-warnings.ts";
import { putShown } from "../../resources/put-shown.ts";
import { groupId } from "../../scope.ts";
import { type BicepResource, bicepText, type References } from "./bicep-text.ts";
import {
  type Migration,
  type NotMoved,
  planMigration,
  type PlannedSettings,
  registrySecrets,
  type SecretType,
} from "./plan-migration.ts";

export interface MigrateFlags extends EnvironmentOptions {
  readonly settingsName?: string;
  readonly outfile?: string;
  readonly apply?: boolean;
  readonly whatIf?: boolean;
  readonly force?: boolean;
}

const settingsVersion = "2025-08-01-preview";

/** Settings of the plan, and whether they are there already. */
interface Target extends PlannedSettings {
  readonly id: string;
  readonly name: string;
  readonly exists: boolean;
}

/** Moves an environment from `recipeConfig` to settings, or says how. `recipeConfig` stays until somebody removes it. */
export async function migrateEnvironment(context: CommandContext, flags: MigrateFlags): Promise<void> {
  checkFlags(flags);
  const { output } = context;
  const workspace = await context.workspace();
  const wanted = await namedEnvironment(context, workspace, flags.environment, flags);
  const client = await context.client(workspace);
  const environment = await mustFind(client, wanted, workspace.name);
  const properties = writableProperties(environment.resource);
  const migration = planMigration(properties, await secretTypes(client, registrySecrets(properties)));
  if (migration.settings.length === 0) {
    output.done(nothingToDo(environment, properties), { ...document(environment, [], migration), migrated: false });
    return;
  }
  const targets = await findTargets(client, environment, migration, flags.settingsName);
  if (flags.whatIf === true) {
    output.done(changeLines(environment, targets, migration).join("\n"), document(environment, targets, migration));
    return;
  }
  if (flags.apply === true) {
    await apply(context, client, { environment, properties, targets, migration }, flags);
    return;
  }
  const text = bicepFile(environment, properties, targets, migration);
  if (flags.outfile !== undefined) {
    await writeOutput(resolve(context.host.cwd, flags.outfile), text);
    warnOfNotMoved(context, migration.notMoved);
    output.done(`${flags.outfile} written`, { ...document(environment, targets, migration), target: flags.outfile });
  } else if (output.format === "json") {
    output.json({ ...document(environment, targets, migration), bicep: text });
  } else {
    warnOfNotMoved(context, migration.notMoved);
    output.write(text);
  }
}

/** @throws CliError `InvalidUsage` */
function checkFlags({ apply: isApplied, whatIf, outfile, force }: MigrateFlags): void {
  const chosen = [isApplied === true, whatIf === true, outfile !== undefined].filter(Boolean);
  if (chosen.length > 1) {
    throw new CliError("InvalidUsage", "`--apply`, `--what-if` and `--outfile` exclude one another.");
  }
  if (force === true && isApplied !== true) {
    throw new CliError("InvalidUsage", "`--force` goes with `--apply`.");
  }
}

async function secretTypes(client: Client, ids: readonly string[]): Promise<ReadonlyMap<string, SecretType>> {
  const types = await Promise.all(
    ids.map(async (id) => {
      const secret = ResourceId.tryParse(id)?.kind === "resource" ? await read(client, id) : undefined;
      const { type, kind } = objectMember(secret ?? {}, "properties");
      const known = typeof type === "string" ? type : kind;
      return [id.toLowerCase(), secret && (typeof known === "string" ? known : "generic")] as const;
    }),
  );
  return new Map(types);
}

/** A secret that is not there, or that the caller may not see, is `undefined`. */
async function read(client: Client, id: string): Promise<ResourceBody | undefined> {
  const apiVersion = id.toLowerCase().includes("/applications.core/") ? "2023-10-01-preview" : settingsVersion;
  try {
    return await client.resources.get(id, { apiVersion });
  } catch (error) {
    if (error instanceof ClientError && (error.isNotFound || error.status === 403)) {
      return undefined;
    }
    throw error;
  }
}

/** @throws CliError `SettingsDiffer` for settings of that name that say something else */
async function findTargets(
  client: Client,
  { group, name: environmentName }: FamilyResource,
  { settings }: Migration,
  settingsName = environmentName,
): Promise<readonly Target[]> {
  const { checkName } = await import("@rad/resource-types/names");
  const problem = checkName("resource", settingsName);
  if (problem !== undefined) {
    throw new CliError("InvalidResourceName", problem);
  }
  return await Promise.all(
    settings.map(async (planned) => {
      const id = `${groupId(group)}/providers/Radius.Core/${planned.kind}/${settingsName}`;
      const found = await read(client, id);
      if (found !== undefined && !isDeepStrictEqual(ownProperties(found), planned.properties)) {
        throw new CliError(
          "SettingsDiffer",
          `${planned.kind} '${settingsName}' exist in the group "${group}", and say something else than 'recipeConfig' of the ` +
            "environment. Nothing was changed. Choose another name with `--settings-name`, or refer to them yourself.",
        );
      }
      return { ...planned, id, name: settingsName, exists: found !== undefined };
    }),
  );
}

/** What a client has written. */
function ownProperties(settings: JsonObject): JsonObject {
  const { referencedBy: _referencedBy, ...rest } = writableProperties(settings);
  return rest;
}

interface Work {
  readonly environment: FamilyResource;
  readonly properties: JsonObject;
  readonly targets: readonly Target[];
  readonly migration: Migration;
}

/** Settings first and the reference last, so that the environment never uses half of them. Repeating it goes on. */
async function apply(context: CommandContext, client: Client, work: Work, { force }: MigrateFlags): Promise<void> {
  const { environment, properties, targets, migration } = work;
  if (migration.notMoved.length > 0 && force !== true) {
    warnOfNotMoved(context, migration.notMoved);
    throw new CliError(
      "NotMovable",
      `Settings have no place for ${migration.notMoved.length} members of 'recipeConfig', and recipes would run without them. ` +
        "Nothing was changed. Do as the lines above say, and run the command again with `--force`.",
    );
  }
  // Sealed values elsewhere in the environment stay: a PUT keeps them where it has the `null` that a GET shows.
  if (targets.some((target) => hasHidden(target.properties))) {
    throw new CliError(
      "HiddenValues",
      "'recipeConfig' has sealed values, which cannot be read back to copy them into settings. Nothing was changed. Write the " +
        "Bicep file with `--outfile`, and deploy it with these values as parameters.",
    );
  }
  for (const target of targets.filter(({ exists }) => !exists)) {
    await createSettings(context, client, target);
  }
  const { resource, etag, id, apiVersion, name, namespace, display } = environment;
  const references = Object.fromEntries(targets.map((target) => [target.kind, target.id]));
  await putShown(
    context,
    client,
    { id, type: `${namespace}/environments`, name },
    {
      location: resource["location"] ?? "global",
      ...(resource["tags"] === undefined ? {} : { tags: resource["tags"] }),
      properties: { ...properties, ...references },
    },
    { apiVersion, ifMatch: etag },
  );
  warnOfNotMoved(context, migration.notMoved);
  context.output.done(
    `${display} uses settings: ${targets.map((target) => `${target.kind}/${target.name}`).join(", ")}`,
    { ...document(environment, targets, migration), migrated: true },
  );
}

/** @throws CliError `SettingsNotStored` when an older control plane drops a member that it does not know */
async function createSettings(context: CommandContext, client: Client, target: Target): Promise<void> {
  const { id, kind, name, properties } = target;
  const type = `Radius.Core/${kind}`;
  const stored = await putShown(
    context,
    client,
    { id, type, name },
    { location: "global", properties },
    { apiVersion: settingsVersion, ifNoneMatch: "*" },
  );
  if (!isDeepStrictEqual(ownProperties(stored), properties)) {
    throw new CliError(
      "SettingsNotStored",
      `The control plane did not store everything of ${type} '${name}', so the environment was not changed. Upgrade the ` +
        `control plane, delete the settings with \`rad resource delete ${type} ${name}\`, and run the command again.`,
    );
  }
  context.output.note(`${type}/${name} created`);
}

function hasHidden(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.values(value).some(hasHidden));
}

function bicepFile(
  { resource, namespace, apiVersion, name, group }: FamilyResource,
  properties: JsonObject,
  targets: readonly Target[],
  { notMoved }: Migration,
): string {
  const references: References = Object.fromEntries(targets.map(({ kind }) => [kind, `${kind}.id`]));
  const settings = targets.map(({ kind, name: settingsName, properties: own }) => ({
    resource: {
      symbol: kind,
      type: `Radius.Core/${kind}@${settingsVersion}`,
      name: settingsName,
      properties: own,
    } satisfies BicepResource,
  }));
  const comments = [
    `Settings of the environment '${name}', made from its recipeConfig. Deploy with: rad deploy <this file> --group ${group}`,
    "recipeConfig has no effect any more; remove it when nothing else needs it.",
    ...notMoved.map(({ path, advice }) => `NOT MOVED: ${path}. ${advice}`),
  ];
  const environment: BicepResource = {
    symbol: "environment",
    type: `${namespace}/environments@${apiVersion}`,
    name,
    ...(Object.keys(objectMember(resource, "tags")).length === 0 ? {} : { tags: objectMember(resource, "tags") }),
    properties,
  };
  return bicepText(comments, [...settings, { resource: environment, references }]);
}

function warnOfNotMoved({ output }: CommandContext, notMoved: readonly NotMoved[]): void {
  printWarnings(
    output,
    notMoved.map(({ path, advice }) => `${path} is not moved. ${advice}`),
  );
}

function changeLines({ display }: FamilyResource, targets: readonly Target[], { notMoved }: Migration): string[] {
  return [
    ...targets.map(
      ({ kind, name, exists }) => `${exists ? "=" : "+"} Radius.Core/${kind}/${name}${exists ? " (exists)" : ""}`,
    ),
    ...targets.map(({ kind, id }) => `~ ${display}: ${kind} = ${id}`),
    ...notMoved.map(({ path, advice }) => printableLine(`! ${path} is not moved. ${advice}`)),
  ];
}

function nothingToDo({ display }: FamilyResource, { recipeConfig }: JsonObject): string {
  const isEmpty = recipeConfig === undefined || Object.keys(recipeConfig ?? {}).length === 0;
  return isEmpty
    ? `${display} has no recipeConfig; there is nothing to migrate`
    : `${display} uses settings already; its recipeConfig has no effect and can be removed`;
}

function document({ id }: FamilyResource, targets: readonly Target[], { notMoved }: Migration): JsonObject {
  return {
    environment: id,
    settings: targets.map(({ id: settingsId, exists, properties }) => ({
      id: settingsId,
      change: exists ? "none" : "create",
      properties,
    })),
    references: Object.fromEntries(targets.map((target) => [target.kind, target.id])),
    notMoved: notMoved.map((member) => ({ ...member })),
  };
}
