import type { Client } from "@rad/client";
import { DeployingError, type PreparedDeployment, prepareDeployment } from "@rad/client/deploying";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Workspace } from "../config/workspace.ts";
import { isPreview } from "../families/choose-families.ts";
import type { RegisteredTypes } from "../registered-types/registered-types.ts";
import { explainMissingGroup, groupId, groupOf, resolveGroup } from "../scope.ts";
import { deployedFiles } from "./deployed-files.ts";
import { readParameters } from "./parameters/read-parameters.ts";
import type { TemplateSource } from "./template-source.ts";
import { loadTemplate } from "./template-source.ts";

export interface PrepareOptions {
  readonly group?: string;
  readonly environment?: string;
  readonly application?: string;
  readonly parameters?: readonly string[];
  readonly preview?: boolean;
  readonly name?: string;
  readonly registeredTypes?: boolean;
}

/** A prepared deployment, and where it comes from. */
export interface CommandDeployment extends PreparedDeployment {
  readonly client: Client;
  readonly workspace: Workspace;
  readonly group: string;
  readonly source: TemplateSource;
}

/** Reads files and flags, compiles, looks up and checks: everything that can go wrong before anything is changed. */
export async function prepareFromCommand(
  context: CommandContext,
  file: string,
  options: PrepareOptions,
): Promise<CommandDeployment> {
  if (options.preview === true && options.application === undefined) {
    throw new CliError("InvalidUsage", "`--preview` says what kind of application to create: use it with `-a`.");
  }
  const workspace = await context.workspace();
  const group = await resolveGroup(context, options.group, workspace);
  const client = await context.client(workspace);
  const compiling = { registeredTypes: options.registeredTypes, loadRegisteredTypes: asked(context, client) };
  const given = await deployedFiles(context, file, options.parameters ?? []);
  const source = await loadTemplate(context, given.template, compiling);
  const { sources, extensionConfigs } = await readParameters(context, given.parameters, source.path, compiling);
  const environment = options.environment ?? workspace.environment;
  try {
    const prepared = await prepareDeployment(client, {
      scope: groupId(group),
      template: source.template,
      parameters: sources,
      environment,
      application: options.application,
      preview: isPreview(context, options),
      extensionConfigs,
      name: options.name,
    });
    return { ...prepared, client, workspace, group, source };
  } catch (error) {
    throw error instanceof DeployingError
      ? withFlags(error, workspace, group, environment)
      : explainMissingGroup(error, groupOf(environment) ?? group);
  }
}

/** The types of the control plane that is deployed to, which is asked once and only for a file that needs them. */
function asked(context: CommandContext, client: Client): () => Promise<RegisteredTypes> {
  let types: Promise<RegisteredTypes> | undefined;
  return async () => {
    const { askRegisteredTypes } = await import("../registered-types/registered-types.ts");
    types ??= askRegisteredTypes(context, client);
    return await types;
  };
}

/** Says which flags would help, where some would. */
function withFlags(
  error: DeployingError,
  workspace: Workspace,
  group: string,
  environment = "",
): DeployingError | CliError {
  const { code, message, parameters } = error;
  switch (code) {
    case "EnvironmentNotFound":
      return new CliError(code, `${message} ${howToCreate(environment, group)}`, {
        missing: { kind: "environments", name: environment.split("/").at(-1) ?? "", group },
      });
    case "NoEnvironment":
      return new CliError(
        code,
        `${message.replace(/\.$/, "")}, and the workspace "${workspace.name}" has none. Use \`--environment <name>\`.`,
      );
    case "MissingParameters": {
      const bullets = parameters.map((name) => `  - ${name}: use \`${flagFor(name)}\``);
      const text = "The template has parameters without a value and without a default:";
      return new CliError(code, [text, ...bullets].join("\n"));
    }
    default:
      return error;
  }
}

function howToCreate(environment: string, group: string): string {
  const name = environment.split("/").at(-1) ?? "";
  const inGroup = groupOf(environment) ?? group;
  return `Name another one with \`--environment\`, or create it: \`rad env create ${name} -g ${inGroup} --preview\`.`;
}

function flagFor(name: string): string {
  switch (name.toLowerCase()) {
    case "environment":
      return "--environment <name>";
    case "application":
      return "--application <name>";
    default:
      return `--parameters ${name}=<value>`;
  }
}
