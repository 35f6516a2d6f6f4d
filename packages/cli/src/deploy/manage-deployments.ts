import type { Client, Deployment, DeploymentOperation } from "@rad/client";
import { ClientError, deploymentType } from "@rad/client";
import { isDeploymentName } from "@rad/core";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { errorTree } from "../output/error-tree.ts";
import { printableLine } from "../output/printable.ts";
import type { Column } from "../output/table-layout.ts";
import { confirm } from "../prompts.ts";
import { explainMissingGroup, groupId, resolveGroup } from "../scope.ts";
import { changeOf } from "../progress/progress-item.ts";
import { durationText } from "./duration-text.ts";
import { inTime } from "./in-time.ts";
import { outputLines } from "./output-lines.ts";

export interface DeploymentOptions {
  readonly group?: string;
  readonly yes?: boolean;
}

const deploymentColumns: readonly Column<Deployment>[] = [
  { heading: "DEPLOYMENT", value: ({ name }) => name },
  { heading: "STATE", value: ({ state }) => state },
  { heading: "TIMESTAMP", value: ({ timestamp }) => timestamp },
  { heading: "DURATION", value: ({ duration }) => durationText(duration) },
  { heading: "RESOURCES", value: ({ outputResources }) => String(outputResources.length) },
];

const operationColumns: readonly Column<DeploymentOperation>[] = [
  { heading: "RESOURCE", value: ({ target }) => target?.name },
  { heading: "TYPE", value: ({ target }) => target?.type },
  { heading: "OPERATION", value: ({ kind }) => kind },
  { heading: "STATE", value: ({ state }) => state },
  { heading: "CHANGE", value: ({ changeType }) => changeOf(changeType) },
  { heading: "DURATION", value: ({ duration }) => durationText(duration) },
];

export async function listDeployments(
  context: CommandContext,
  options: DeploymentOptions & { readonly all?: boolean },
): Promise<void> {
  const group = await resolveGroup(context, options.group);
  const client = await context.client();
  const deployments = await client.deployments.list(groupId(group)).catch((error: unknown) => {
    throw explainMissingGroup(error, group);
  });
  const wanted = deployments.filter(({ parent }) => parent === undefined || options.all === true);
  const sorted = inTime(wanted).toReversed();
  if (context.output.format === "json") {
    context.output.json(sorted.map(({ body }) => body));
  } else {
    await context.output.table(deploymentColumns, sorted);
  }
}

export async function showDeployment(context: CommandContext, name: string, options: DeploymentOptions): Promise<void> {
  const { output } = context;
  const target = await resolveTarget(context, name, options);
  const deployment = await find(target);
  const operations = inTime(await target.client.deployments.operations(target.id));
  if (output.format === "json") {
    output.json({ ...deployment.body, operations: operations.map(({ body }) => body) });
    return;
  }
  await output.table(deploymentColumns, [deployment]);
  if (operations.length > 0) {
    output.write("\n");
    await output.table(operationColumns, operations);
  }
  const outputs = outputLines(deployment.outputs);
  if (outputs.length > 0) {
    output.write(`\nOutputs:\n${outputs.map((line) => `    ${line}\n`).join("")}`);
  }
  if (deployment.error !== undefined) {
    const { code, message } = deployment.error;
    const lines = [`Error: ${printableLine(message)}`, `Code:  ${printableLine(code)}`, ...errorTree(deployment.error)];
    output.write(`\n${lines.join("\n")}\n`);
  }
}

/** Shows how a deployment goes until it has ended. Ctrl+C ends the watching only. */
export async function watchDeployment(
  context: CommandContext,
  name: string,
  options: DeploymentOptions,
): Promise<void> {
  const { createProgressView, watcherOf } = await import("../progress/progress-view.ts");
  const { followDeployment } = await import("./follow-deployment.ts");
  const { reportEnd } = await import("./report-end.ts");
  const target = await resolveTarget(context, name, options);
  await find(target);
  const { client, id } = target;
  const view = await createProgressView(context, "Deployment In Progress...");
  try {
    const watcher = watcherOf(view, context.host.signal);
    const followed = await followDeployment(client, { id, operationLink: undefined }, watcher);
    await view.end();
    await reportEnd(context, client, followed, (error) => error);
  } finally {
    await view.end();
  }
}

export async function cancelDeployment(
  context: CommandContext,
  name: string,
  options: DeploymentOptions,
): Promise<void> {
  const target = await resolveTarget(context, name, options);
  try {
    await target.client.deployments.cancel(target.id);
  } catch (error) {
    throw error instanceof ClientError && error.isNotFound ? notFound(target) : error;
  }
  context.output.done(`${deploymentType}/${name} is being canceled`, { id: target.id, status: "canceling" });
}

export async function deleteDeployment(
  context: CommandContext,
  name: string,
  options: DeploymentOptions,
): Promise<void> {
  const target = await resolveTarget(context, name, options);
  const text = `Delete the record of the deployment "${name}"? What it deployed stays.`;
  if (!(await confirm(context, { text, assumeYes: options.yes === true }))) {
    return;
  }
  const outcome = await target.client.deployments.delete(target.id);
  const status = outcome === "deleted" ? "deleted" : "not found";
  context.output.done(`${deploymentType}/${name} ${status}`, { id: target.id, status });
}

interface Target {
  readonly client: Client;
  readonly name: string;
  readonly group: string;
  readonly id: string;
}

async function resolveTarget(context: CommandContext, name: string, options: DeploymentOptions): Promise<Target> {
  const group = await resolveGroup(context, options.group);
  if (!isDeploymentName(name)) {
    throw new CliError("InvalidDeploymentName", `"${name}" is not the name of a deployment.`);
  }
  return {
    client: await context.client(),
    name,
    group,
    id: `${groupId(group)}/providers/${deploymentType}/${name}`,
  };
}

async function find(target: Target): Promise<Deployment> {
  try {
    return await target.client.deployments.get(target.id);
  } catch (error) {
    throw error instanceof ClientError && error.isNotFound ? notFound(target) : error;
  }
}

function notFound({ name, group }: Target): CliError {
  return new CliError(
    "DeploymentNotFound",
    `The deployment "${name}" does not exist in the group "${group}". Run \`rad deployment list\` to see those there are.`,
    { missing: { kind: "deployments", name, group } },
  );
}
