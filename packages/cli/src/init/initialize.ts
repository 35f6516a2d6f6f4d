import { basename } from "node:path";
import type { Client } from "@rad/client";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { updateConfig } from "../config/config-file.ts";
import type { Workspace } from "../config/workspace.ts";
import { legacyProperties, previewProperties } from "../environments/environment-properties.ts";
import type { Family, FamilyOptions } from "../families/choose-families.ts";
import { newFamily } from "../families/choose-families.ts";
import { familyId } from "../families/family-resource.ts";
import { groupId } from "../scope.ts";
import type { EnvironmentChoice, EnvironmentFlags } from "./choose-environment.ts";
import { chooseEnvironment } from "./choose-environment.ts";
import type { InitFile } from "./init-files.ts";
import { applicationText, bicepConfigText, writeNewFile } from "./init-files.ts";
import { applicationNameFor, nameProblem } from "./names.ts";
import type { Questions } from "./questions.ts";
import { cancelled, createQuestions } from "./questions.ts";

export interface InitOptions extends EnvironmentFlags, FamilyOptions {
  readonly yes?: boolean;
  readonly application?: string;
  /** `false` with `--no-app`. */
  readonly app?: boolean;
  readonly set?: readonly string[];
  readonly setFile?: readonly string[];
  readonly kubecontext?: string;
}

/**
 * Prepares a folder and a workspace: a group, an environment and the files of an application. Everything is asked before
 * anything is changed; what is there already stays, so a second run repairs a first one that was cut short.
 */
export async function initialize(context: CommandContext, options: InitOptions): Promise<void> {
  refuseInstallation(options);
  const family = newFamily(context, options);
  const questions = createQuestions(context, options.yes === true);
  const workspace = await findWorkspace(context);
  const client = await context.client(workspace);
  const environment = await chooseEnvironment(client, family, options, questions);
  const application = await chooseApplication(context, options, questions);
  if (options.full === true && !(await questions.yesOrNo(summary(workspace, environment, application)))) {
    context.output.note(cancelled);
    if (context.output.format === "json") {
      context.output.json({ status: "cancelled" });
    }
    return;
  }

  const { output, host } = context;
  const say = (line: string): void => {
    if (output.format === "table") {
      output.result(line);
    }
  };
  say("Initializing Radius ...\n");
  say(`✅ Use workspace ${workspace.name}\n   - Control plane: ${client.endpoint}`);
  const id = await ensureEnvironment(context, client, family, environment);
  say(
    environment.create === undefined
      ? `✅ Use environment ${environment.name}\n   - Resource group: ${environment.group}`
      : `✅ Create new environment ${environment.name}\n   - Resource group: ${environment.group}\n   - Kubernetes namespace: ${namespaceOf(environment, family)}`,
  );
  const files = await writeFiles(host.cwd, application, family);
  if (application !== undefined) {
    say(`✅ Scaffold application ${application}`);
  }
  for (const { path, status } of files) {
    say(`   - ${basename(path)}${status === "kept" ? " is there already, and stays as it is" : ""}`);
  }
  await updateConfig(context.configPath, (edit) => {
    const current = edit.config.workspaces.get(workspace.name) ?? workspace;
    edit.put({ ...current, scope: groupId(environment.group), environment: id });
    edit.setCurrent(workspace.name);
  });
  say("✅ Update local configuration\n");
  output.done(
    application === undefined ? "Radius is ready." : "Radius is ready. Deploy the application: `rad deploy app.bicep`.",
    {
      workspace: workspace.name,
      group: environment.group,
      environment: { id, status: environment.create === undefined ? "kept" : "created" },
      application: application ?? null,
      files,
    },
  );
}

/** @throws CliError about flags that are for installing Radius into a cluster */
function refuseInstallation({ set, setFile, kubecontext }: InitOptions): void {
  const [flag] = Object.entries({ "--set": set, "--set-file": setFile, "--kubecontext": kubecontext }).flatMap(
    ([name, value]) => (value === undefined ? [] : [name]),
  );
  if (flag !== undefined) {
    throw new CliError(
      "NotInThisVersion",
      `\`${flag}\` is about installing Radius into a cluster, which comes with the Helm chart. Without it, \`rad init\` works with a control plane that is there: \`rad server start\` starts one on this machine.`,
    );
  }
}

/** The one that is chosen or current; else one for the control plane that runs on this machine. */
async function findWorkspace(context: CommandContext): Promise<Workspace> {
  const { current } = await context.config();
  if (context.workspaceFlag !== undefined || current !== "") {
    return await context.workspace();
  }
  const { findServer } = await import("../server/find-server.ts");
  const { dataFolder } = await import("../server/data-folder.ts");
  const server = await findServer(dataFolder(context.host, undefined));
  if (server?.url === undefined || server.pid === undefined) {
    throw new CliError(
      "NoControlPlane",
      "There is no workspace, and no control plane runs on this machine. Run `rad server start`, then `rad init` again; or `rad workspace create server <name> --url <url>` for a control plane elsewhere. Installing Radius into a cluster comes with the Helm chart.",
    );
  }
  const { setUpWorkspace } = await import("../server/set-up-workspace.ts");
  return await setUpWorkspace(context, { ...server, url: server.url, pid: server.pid });
}

async function chooseApplication(
  { host }: CommandContext,
  { app, application }: InitOptions,
  questions: Questions,
): Promise<string | undefined> {
  const check = (name: string): string | undefined => nameProblem("application", name);
  if (application !== undefined) {
    const problem = app === false ? "Use `--application` or `--no-app`, not both." : check(application);
    if (problem !== undefined) {
      throw new CliError(app === false ? "InvalidUsage" : "InvalidApplicationName", problem);
    }
    return application;
  }
  if (app === false || !(await questions.yesOrNo("Set up an application in this folder?"))) {
    return undefined;
  }
  const folder = basename(host.cwd);
  return check(folder) === undefined
    ? folder
    : await questions.text("Name of the application", applicationNameFor(folder), check);
}

function summary(workspace: Workspace, environment: EnvironmentChoice, application: string | undefined): string {
  return [
    "Go on with this?",
    `  Workspace: ${workspace.name}`,
    `  Environment: ${environment.name} in group ${environment.group}${environment.create === undefined ? "" : " (new)"}`,
    ...(application === undefined ? [] : [`  Application: ${application}`]),
  ].join("\n");
}

async function ensureEnvironment(
  { host }: CommandContext,
  client: Client,
  family: Family,
  choice: EnvironmentChoice,
): Promise<string> {
  if (choice.id !== undefined) {
    return choice.id;
  }
  await client.groups.put(choice.group);
  const properties =
    family.namespace === "Radius.Core"
      ? previewProperties({}, { namespace: namespaceOf(choice, family) }, [await defaultPack(client, host.signal)])
      : legacyProperties({}, { namespace: namespaceOf(choice, family) });
  const id = familyId(family.namespace, "environments", choice.name, choice.group);
  const body = { location: "global", properties };
  return (await client.resources.put(id, body, { apiVersion: family.apiVersion })).id;
}

async function defaultPack(client: Client, signal: AbortSignal): Promise<string> {
  const { ensureDefaultRecipePack } = await import("@rad/client/deploying");
  return await ensureDefaultRecipePack(client, { signal });
}

/** As `rad env create` has them. */
function namespaceOf({ name, create }: EnvironmentChoice, { namespace }: Family): string {
  return create?.namespace ?? (namespace === "Radius.Core" ? "default" : name.toLowerCase());
}

async function writeFiles(folder: string, application: string | undefined, family: Family): Promise<InitFile[]> {
  const files = [];
  if (application !== undefined) {
    files.push(await writeNewFile(folder, "app.bicep", applicationText(application, family)));
  }
  files.push(await writeNewFile(folder, "bicepconfig.json", bicepConfigText));
  return files;
}
