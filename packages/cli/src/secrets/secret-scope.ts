import type { Client, ResourceBody } from "@rad/client";
import { radiusPlane } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { objectMember } from "@rad/core/json";
import { ResourceId } from "@rad/core/resource-id";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Workspace } from "../config/workspace.ts";
import { groupId, resolveGroup } from "../scope.ts";

export const secretType = "Radius.Security/secrets";
export const secretsApiVersion = "2025-08-01-preview";

export interface SecretOptions {
  readonly group?: string;
  /** In the plane, beside all groups. */
  readonly plane?: boolean;
}

/** Where a command looks for secrets. */
export interface SecretScope {
  readonly client: Client;
  readonly workspace: Workspace;
  /** `undefined` for the plane. */
  readonly group: string | undefined;
  /** Of the secrets, without the last `/`. */
  readonly collection: string;
}

export async function secretScope(context: CommandContext, options: SecretOptions): Promise<SecretScope> {
  if (options.plane === true && options.group !== undefined) {
    throw new CliError("InvalidUsage", "Use `--group` or `--plane`, not both.");
  }
  const workspace = await context.workspace();
  const group = options.plane === true ? undefined : await resolveGroup(context, options.group, workspace);
  const scope = group === undefined ? radiusPlane : groupId(group);
  return {
    client: await context.client(workspace),
    workspace,
    group,
    collection: `${scope}/providers/${secretType}`,
  };
}

/** @throws CliError for what is no name */
export async function secretId({ collection }: SecretScope, name: string): Promise<string> {
  const { checkName } = await import("@rad/resource-types/names");
  const problem = checkName("resource", name);
  if (problem !== undefined) {
    throw new CliError("InvalidResourceName", problem);
  }
  return `${collection}/${name}`;
}

/** What is shown of a secret: never a value. */
export interface SecretSummary {
  readonly id: string;
  readonly name: string;
  /** Absent for a secret of the plane. */
  readonly group?: string;
  readonly kind: string;
  readonly keys: readonly string[];
}

export function summaryOf(secret: ResourceBody): SecretSummary {
  const properties = objectMember(secret, "properties");
  const group = ResourceId.tryParse(secret.id)?.resourceGroup;
  return {
    id: secret.id,
    name: secret.name,
    ...(group === undefined ? {} : { group }),
    kind: kindOf(properties),
    keys: keysOf(properties),
  };
}

export function keysOf(properties: JsonObject): string[] {
  return Object.keys(objectMember(properties, "data")).sort();
}

function kindOf({ kind, type }: JsonObject): string {
  return typeof kind === "string" ? kind : typeof type === "string" ? type : "generic";
}
