import type { Client, Deployment, StartedDeployment, WhatIf, WhatIfRecipe } from "@rad/client";
import { applicationExists, startDeployment } from "@rad/client/deploying";
import { ReportedFailure } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { stderrColors, stdoutColors } from "../output/colors.ts";
import { confirm } from "../prompts.ts";
import { explainMissingGroup } from "../scope.ts";
import { explainFailure } from "./explain-failure.ts";
import { failurePlaces } from "./failure-places.ts";
import { deploymentCommand, sayItGoesOn, sayItMayHaveBegun } from "./follow-up.ts";
import { afterInterrupt } from "./interrupt.ts";
import type { CommandDeployment, PrepareOptions } from "./prepare-from-command.ts";
import { prepareFromCommand } from "./prepare-from-command.ts";
import type { Followed } from "./follow-deployment.ts";
import { followDeployment } from "./follow-deployment.ts";
import { createProgressView, watcherOf } from "../progress/progress-view.ts";
import { reportEnd } from "./report-end.ts";
import { showingRecipes } from "./plan-view.ts";
import { isFailure, whatIfText } from "./what-if-text.ts";

export interface DeployOptions extends PrepareOptions {
  readonly whatIf?: boolean;
  readonly whatIfRecipes?: boolean;
  readonly confirm?: boolean;
  readonly yes?: boolean;
  /** `false` with `--no-wait`. */
  readonly wait?: boolean;
}

/** Deploys a template and shows how it goes. Nothing is changed before everything that can be checked has been. */
export async function deploy(context: CommandContext, file: string, options: DeployOptions): Promise<void> {
  const prepared = await prepareFromCommand(context, file, options);
  if (options.whatIf === true || (options.whatIfRecipes === true && options.confirm !== true)) {
    await showWhatIf(context, prepared, options);
    return;
  }
  if (options.confirm === true && !(await isConfirmed(context, prepared, options))) {
    return;
  }
  if (options.wait === false) {
    detach(context, prepared, await start(context, prepared));
    return;
  }
  await carryOut(context, prepared);
}

/** Starts a deployment, shows how it goes, and prints what has become of it. @throws when it fails */
export async function carryOut(context: CommandContext, prepared: CommandDeployment): Promise<Deployment> {
  const { followed, client } = await follow(context, prepared, await start(context, prepared));
  await reportEnd(context, client, followed, (error) => explainFailure(context, error, prepared.source));
  return followed.deployment;
}

async function showWhatIf(
  context: CommandContext,
  prepared: CommandDeployment,
  options: Pick<DeployOptions, "whatIfRecipes">,
): Promise<void> {
  const whatIf = await predict(context, prepared, options);
  const places = new Map(
    whatIf.diagnostics.filter(isFailure).map((failure) => [failure, failurePlaces(context, failure, prepared.source)]),
  );
  if (context.output.format === "json") {
    context.output.json(whatIf.body);
  } else {
    const unplaced = whatIf.diagnostics.filter((diagnostic) => (places.get(diagnostic)?.text ?? "") === "");
    context.output.write(whatIfText({ ...whatIf, diagnostics: unplaced }, stdoutColors(context)));
  }
  context.host.stderr.write([...places.values()].map(({ text }) => text).join(""));
  if (places.size > 0) {
    throw new ReportedFailure("The deployment would fail.");
  }
}

async function isConfirmed(
  context: CommandContext,
  prepared: CommandDeployment,
  options: Pick<DeployOptions, "whatIfRecipes" | "yes">,
): Promise<boolean> {
  const whatIf = await predict(context, prepared, options);
  // Beside the question, and never in the way of a result on stdout.
  context.host.stderr.write(`${whatIfText(whatIf, stderrColors(context))}\n`);
  if (!(await changesAnything(prepared, whatIf))) {
    context.output.note("Nothing changes, so there is nothing to confirm.");
    return true;
  }
  return confirm(context, { text: "Deploy these changes?", assumeYes: options.yes === true });
}

const changesNothing: ReadonlySet<string> = new Set(["NoChange", "NoEffect", "Ignore"]);

async function changesAnything({ client, application }: CommandDeployment, whatIf: WhatIf): Promise<boolean> {
  return (
    whatIf.potentialChanges.length > 0 ||
    whatIf.diagnostics.some(isFailure) ||
    whatIf.changes.some(({ changeType, recipe }) => !changesNothing.has(changeType) || changesByRecipe(recipe)) ||
    (application !== undefined && !(await applicationExists(client, application.id)))
  );
}

/** Of a recipe that was planned it is known; any other that runs may repair what somebody else has changed. */
function changesByRecipe(recipe: WhatIfRecipe | undefined): boolean {
  if (recipe === undefined || recipe.action === "none") {
    return false;
  }
  return recipe.plan?.status !== "Succeeded" || recipe.plan.changes.some(({ action }) => action !== "no-op");
}

async function predict(
  context: CommandContext,
  prepared: CommandDeployment,
  { whatIfRecipes = false }: Pick<DeployOptions, "whatIfRecipes">,
): Promise<WhatIf> {
  const { client, application, source, group } = prepared;
  if (application !== undefined && !(await applicationExists(client, application.id))) {
    context.output.note(`The application "${application.name}" does not exist yet; deploying creates it first.`);
  }
  try {
    return whatIfRecipes
      ? await showingRecipes(context, "Planning recipes...", (onRecipe) =>
          client.deployments.whatIf(prepared.id, prepared.body, { onRecipe }),
        )
      : await client.deployments.whatIf(prepared.id, prepared.body);
  } catch (error) {
    throw explainFailure(context, explainMissingGroup(error, group), source);
  }
}

/** Creates what is missing and sends the deployment, saying so on the way. */
async function start(context: CommandContext, prepared: CommandDeployment): Promise<StartedDeployment> {
  const { client, source, group } = prepared;
  const { signal } = context.host;
  let isSent = false;
  try {
    return await startDeployment(client, prepared, {
      signal,
      onProgress: (step) => {
        switch (step.kind) {
          case "applicationCreated":
            context.output.note(`Created the application "${step.name}".`);
            break;
          case "sending":
            announce(context, prepared);
            isSent = true;
            break;
          default:
            step satisfies never;
        }
      },
    });
  } catch (error) {
    if (signal.aborted) {
      if (isSent) {
        sayItMayHaveBegun(context, prepared);
      }
      throw error;
    }
    const explained = explainMissingGroup(error, group);
    throw isSent ? explainFailure(context, explained, source) : explained;
  }
}

function announce(context: CommandContext, { source, application, environment, workspace }: CommandDeployment): void {
  const targets = [
    ...(application === undefined ? [] : [`application '${application.name}'`]),
    ...(environment === undefined ? [] : [`environment '${environment.id}'`]),
  ];
  const target = targets.length === 0 ? "" : ` for ${targets.join(" and ")}`;
  context.output.note(`Deploying template '${source.display}'${target} from workspace '${workspace.name}'...\n`);
}

function detach(context: CommandContext, prepared: CommandDeployment, deployment: Deployment): void {
  const { output } = context;
  if (output.format === "json") {
    output.json(deployment.body);
  } else {
    output.write(`${deployment.name}\n`); // also with --quiet: without the name nobody finds it again
  }
  output.note(`The deployment goes on. Look at it with \`${deploymentCommand(context, prepared, "show")}\`.`);
}

/** What has become of a deployment, and a client that can still be used. */
interface Watched {
  readonly followed: Followed;
  readonly client: Client;
}

async function follow(
  context: CommandContext,
  prepared: CommandDeployment,
  { operationLink }: StartedDeployment,
): Promise<Watched> {
  const { client, id } = prepared;
  const { signal } = context.host;
  const view = await createProgressView(context, "Deployment In Progress...");
  try {
    const followed = await followDeployment(client, { id, operationLink }, watcherOf(view, signal));
    return { followed, client };
  } catch (error) {
    await view.end();
    if (!signal.aborted) {
      sayItGoesOn(context, prepared);
      throw error;
    }
    const ended = await afterInterrupt(context, prepared);
    if (ended === undefined) {
      throw error;
    }
    return { followed: await followDeployment(ended, { id, operationLink }, { onProgress: () => {} }), client: ended };
  } finally {
    await view.end();
  }
}
