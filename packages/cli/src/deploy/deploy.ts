import { ClientError, type Deployment, type StartedDeployment } from "@rad/client";
import { CliError, ReportedFailure } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { printWarnings } from "../output/print-warnings.ts";
import { confirm } from "../prompts.ts";
import { explainMissingGroup } from "../scope.ts";
import { applicationExists, createApplication } from "./application.ts";
import { ensureDefaultRecipePack } from "./default-recipe-pack.ts";
import { collectResult, resultJson, resultText } from "./deployment-result.ts";
import { explainFailure } from "./explain-failure.ts";
import { failurePlaces } from "./failure-places.ts";
import { deploymentCommand, sayItGoesOn, sayItMayHaveBegun } from "./follow-up.ts";
import { afterInterrupt } from "./interrupt.ts";
import type { PreparedDeployment, PrepareOptions } from "./prepare-deployment.ts";
import { prepareDeployment } from "./prepare-deployment.ts";
import type { Followed } from "./follow-deployment.ts";
import { followDeployment } from "./follow-deployment.ts";
import { createProgressView } from "../progress/progress-view.ts";
import { isFailure, whatIfText } from "./what-if-text.ts";

export interface DeployOptions extends PrepareOptions {
  readonly whatIf?: boolean;
  readonly confirm?: boolean;
  readonly yes?: boolean;
  /** `false` with `--no-wait`. */
  readonly wait?: boolean;
}

/** Deploys a template and shows how it goes. Nothing is changed before everything that can be checked has been. */
export async function deploy(context: CommandContext, file: string, options: DeployOptions): Promise<void> {
  const prepared = await prepareDeployment(context, file, options);
  if (options.whatIf === true) {
    await showWhatIf(context, prepared);
    return;
  }
  if (options.confirm === true && !(await isConfirmed(context, prepared, options.yes === true))) {
    return;
  }
  await makeReady(context, prepared);
  announce(context, prepared);
  const started = await start(context, prepared);
  if (options.wait === false) {
    detach(context, prepared, started);
    return;
  }
  await report(context, prepared, await follow(context, prepared, started));
}

async function showWhatIf(context: CommandContext, prepared: PreparedDeployment): Promise<void> {
  const whatIf = await predict(context, prepared);
  if (context.output.format === "json") {
    context.output.json(whatIf.body);
  } else {
    context.output.write(whatIfText(whatIf, context.colors));
  }
  const failures = whatIf.diagnostics.filter(isFailure);
  context.host.stderr.write(failures.map((failure) => failurePlaces(context, failure, prepared.source)).join(""));
  if (failures.length > 0) {
    throw new ReportedFailure("The deployment would fail.");
  }
}

async function isConfirmed(
  context: CommandContext,
  prepared: PreparedDeployment,
  assumeYes: boolean,
): Promise<boolean> {
  const whatIf = await predict(context, prepared);
  // Beside the question, and never in the way of a result on stdout.
  context.host.stderr.write(`${whatIfText(whatIf, context.errorColors)}\n`);
  return confirm(context, { text: "Deploy these changes?", assumeYes });
}

async function predict(context: CommandContext, prepared: PreparedDeployment) {
  const { client, application, source, group } = prepared;
  if (application !== undefined && !(await applicationExists(client, application.id))) {
    context.output.note(`The application "${application.name}" does not exist yet; deploying creates it first.`);
  }
  try {
    return await client.deployments.whatIf(prepared.id, prepared.body);
  } catch (error) {
    throw explainFailure(context, explainMissingGroup(error, group), source);
  }
}

/** What a template may rely on: its application, and the recipes of the environments that it creates. */
async function makeReady(context: CommandContext, prepared: PreparedDeployment): Promise<void> {
  const { client, application, environment, group } = prepared;
  try {
    if (application !== undefined && environment !== undefined && !(await applicationExists(client, application.id))) {
      await createApplication(client, application.id, environment);
      context.output.note(`Created the application "${application.name}".`);
    }
    if (prepared.needsDefaultRecipePack) {
      await ensureDefaultRecipePack(client);
    }
  } catch (error) {
    throw explainMissingGroup(error, group);
  }
}

function announce(context: CommandContext, { source, application, environment, workspace }: PreparedDeployment): void {
  const forApplication = application === undefined ? "" : `application '${application.name}' and `;
  context.output.note(
    `Deploying template '${source.display}' for ${forApplication}environment '${environment?.id ?? ""}' from workspace '${workspace.name}'...\n`,
  );
}

async function start(context: CommandContext, prepared: PreparedDeployment): Promise<StartedDeployment> {
  const { client, id, body, source, group } = prepared;
  const { signal } = context.host;
  signal.throwIfAborted();
  try {
    return await client.deployments.start(id, body);
  } catch (error) {
    if (signal.aborted) {
      sayItMayHaveBegun(context, prepared);
      throw error;
    }
    const isActive = error instanceof ClientError && error.code === "DeploymentActive";
    if (isActive && error.target?.toLowerCase() === id.toLowerCase()) {
      // The name is ours alone: an earlier try of this request did arrive, and only its answer got lost.
      return { ...(await client.deployments.get(id)), operationLink: undefined };
    }
    throw explainFailure(context, explainMissingGroup(error, group), source);
  }
}

function detach(context: CommandContext, prepared: PreparedDeployment, deployment: Deployment): void {
  const { output } = context;
  if (output.format === "json") {
    output.json(deployment.body);
  } else {
    output.write(`${deployment.name}\n`); // also with --quiet: without the name nobody finds it again
  }
  output.note(`The deployment goes on. Look at it with \`${deploymentCommand(context, prepared, "show")}\`.`);
}

async function follow(
  context: CommandContext,
  prepared: PreparedDeployment,
  { operationLink }: StartedDeployment,
): Promise<Followed> {
  const { client, id } = prepared;
  const { signal } = context.host;
  const view = await createProgressView(context, "Deployment In Progress...");
  try {
    return await followDeployment(client, { id, operationLink }, (items) => view.update(items), signal);
  } catch (error) {
    await view.end();
    if (signal.aborted) {
      await afterInterrupt(context, prepared);
    } else {
      sayItGoesOn(context, prepared);
    }
    throw error;
  } finally {
    await view.end();
  }
}

async function report(context: CommandContext, prepared: PreparedDeployment, followed: Followed): Promise<void> {
  const { output } = context;
  const { deployment } = followed;
  const succeeded = deployment.state === "Succeeded";
  await printWarnings(output, followed.warnings);
  if (output.format === "json") {
    output.note(JSON.stringify({ event: "ended", time: new Date().toISOString(), state: deployment.state }));
    output.json(resultJson(await collectResult(prepared.client, followed)));
    if (!succeeded) {
      throw new ReportedFailure(`The deployment ended as ${deployment.state}.`);
    }
    return;
  }
  if (!succeeded) {
    const unexplained = new CliError(
      "DeploymentFailed",
      `The deployment ${deployment.name} ended as ${deployment.state} without saying why.`,
    );
    throw explainFailure(context, deployment.error ?? unexplained, prepared.source);
  }
  const result = await collectResult(prepared.client, followed);
  output.result(`\nDeployment Complete\n${resultText(result, context.colors)}`.trimEnd());
}
