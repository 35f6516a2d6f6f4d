import { randomUUID } from "node:crypto";
import type { Client } from "@rad/client";
import { deploymentType } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Workspace } from "../config/workspace.ts";
import { groupId, resolveGroup } from "../scope.ts";
import { applicationId } from "./application.ts";
import { useDefaultRecipePack } from "./default-recipe-pack.ts";
import type { Environment, ProviderScopes } from "./environment.ts";
import { findEnvironment } from "./environment.ts";
import { declaredParameters } from "./parameters/declared-parameters.ts";
import { addAutomaticParameters, checkNothingMissing, mergeParameters } from "./parameters/parameter-set.ts";
import { readParameters } from "./parameters/read-parameters.ts";
import { createsEnvironment } from "./template-resources.ts";
import type { TemplateSource } from "./template-source.ts";
import { loadTemplate } from "./template-source.ts";

export interface PrepareOptions {
  readonly group?: string;
  readonly environment?: string;
  readonly application?: string;
  readonly parameters?: readonly string[];
  readonly preview?: boolean;
}

/** Everything that is known before anything is changed. */
export interface PreparedDeployment {
  readonly client: Client;
  readonly workspace: Workspace;
  readonly group: string;
  readonly source: TemplateSource;
  readonly environment: Environment | undefined;
  readonly application: { readonly name: string; readonly id: string } | undefined;
  readonly needsDefaultRecipePack: boolean;
  readonly name: string;
  readonly id: string;
  /** Of the request. */
  readonly body: JsonObject;
}

/** Resolves, compiles, looks up and checks, in the order in which users expect to hear of mistakes. */
export async function prepareDeployment(
  context: CommandContext,
  file: string,
  options: PrepareOptions,
): Promise<PreparedDeployment> {
  if (options.preview === true && options.application === undefined) {
    throw new CliError("InvalidUsage", "`--preview` says what kind of application to create: use it with `-a`.");
  }
  const workspace = await context.workspace();
  const group = await resolveGroup(context, options.group, workspace);
  const scope = groupId(group);
  const source = await loadTemplate(context, file);
  const client = await context.client(workspace);
  const environment = await chooseEnvironment(client, options, workspace, scope, source.template);
  const declared = declaredParameters(source.template);
  const { sources, extensionConfigs } = await readParameters(context, options.parameters ?? [], source.path);
  const given = mergeParameters(declared, sources);

  const preview = options.preview ?? context.host.env["RADIUS_PREVIEW"]?.toLowerCase() === "true";
  const application =
    options.application === undefined || environment === undefined
      ? undefined
      : { name: options.application, id: applicationId(scope, options.application, environment, preview) };
  const automatic = { environment: environment?.id, application: application?.id };
  const parameters = addAutomaticParameters(declared, given, automatic);
  checkNothingMissing(declared, parameters);

  const needsDefaultRecipePack = useDefaultRecipePack(source.template);
  const name = `rad-deploy-${randomUUID()}`;
  return {
    client,
    workspace,
    group,
    source,
    environment,
    application,
    needsDefaultRecipePack,
    name,
    id: `${scope}/providers/${deploymentType}/${name}`,
    body: {
      properties: {
        template: source.template,
        parameters,
        mode: "Incremental",
        providerconfig: providerConfig(scope, environment?.scopes ?? {}),
        ...(extensionConfigs === undefined ? {} : { extensionConfigs }),
      },
      tags: null,
    },
  };
}

/** `-e`, else the workspace's. A template can do without one unless it belongs to an application or asks for it. */
async function chooseEnvironment(
  client: Client,
  options: PrepareOptions,
  workspace: Workspace,
  scope: string,
  template: JsonObject,
): Promise<Environment | undefined> {
  const wanted = options.environment ?? workspace.environment;
  if (wanted !== undefined) {
    return findEnvironment(client, wanted, scope);
  }
  if (options.application !== undefined && !createsEnvironment(template)) {
    throw new CliError(
      "NoEnvironment",
      `The application "${options.application}" needs an environment, and the workspace "${workspace.name}" has none. Use \`--environment <name>\`.`,
    );
  }
  return undefined;
}

function providerConfig(scope: string, scopes: ProviderScopes): JsonObject {
  return {
    radius: { type: "Radius", value: { scope } },
    deployments: { type: "Microsoft.Resources", value: { scope } },
    ...(scopes.azure === undefined ? {} : { az: { type: "AzureResourceManager", value: { scope: scopes.azure } } }),
    ...(scopes.aws === undefined ? {} : { aws: { type: "AWS", value: { scope: scopes.aws } } }),
  };
}
