import type { Client, Deployment } from "@rad/client";
import { countApplications } from "@rad/client/deploying";
import { ResourceId } from "@rad/core/resource-id";
import { familyVersion } from "@rad/radius-types/families";
import { CliError } from "../cli-error.ts";
import { namespacesOf } from "../cluster/namespaces.ts";
import { clusterOf, openPodsOf } from "../cluster/workspace-cluster.ts";
import type { CommandContext } from "../command-context.ts";
import { carryOut } from "../deploy/deploy.ts";
import type { CommandDeployment, PrepareOptions } from "../deploy/prepare-from-command.ts";
import { prepareFromCommand } from "../deploy/prepare-from-command.ts";
import { inApplications, sweepGroup } from "../resources/sweep-group.ts";
import { createTypeLookup } from "../resources/type-lookup.ts";
import { groupOf } from "../scope.ts";
import type { RunningApplication } from "./attach.ts";
import { attach } from "./attach.ts";

export type RunOptions = Omit<PrepareOptions, "preview" | "name">;

/**
 * Deploys, and then follows the logs of the application's containers and forwards their ports until Ctrl+C, which is no
 * failure. What it takes besides the deployment is checked before that begins.
 */
export async function runApplication(context: CommandContext, file: string, options: RunOptions): Promise<void> {
  const { host, output } = context;
  if (output.format === "json") {
    throw new CliError(
      "InvalidUsage",
      "`rad run` prints logs, which are not one document. Use `rad deploy -o json`, then `rad resource logs -o json`.",
    );
  }
  const cluster = await clusterOf(context, await context.workspace());
  const prepared = await prepareFromCommand(context, file, options);
  checkApplication(prepared, options.application);
  const deployment = await carryOut(context, prepared);
  if (host.signal.aborted) {
    return;
  }
  const id = applicationOf(prepared, deployment, options.application);
  const application = await findRunning(prepared.client, id);
  output.note("Starting log stream...");
  using pods = await openPodsOf(cluster);
  await attach(context, pods, application);
}

/** @throws CliError `NoApplication` */
function checkApplication({ source }: CommandDeployment, given: string | undefined): void {
  const declared = countApplications(source.template);
  if (given === undefined && declared !== 1) {
    const found = declared === 0 ? "declares no application" : `declares ${declared} applications`;
    throw new CliError("NoApplication", `The template ${found}. Name the one to run: \`--application <name>\`.`);
  }
}

/** The one that was named, else the one that was deployed. */
function applicationOf(prepared: CommandDeployment, deployment: Deployment, given: string | undefined): string {
  const deployed = deployment.outputResources.filter((id) =>
    /^(?:applications|radius)\.core\/applications$/i.test(ResourceId.tryParse(id)?.type ?? ""),
  );
  const named = deployed.filter(
    (id) => given === undefined || ResourceId.parse(id).name.toLowerCase() === given.toLowerCase(),
  );
  const [id, ...others] = named.length === 0 && prepared.application !== undefined ? [prepared.application.id] : named;
  if (id === undefined || others.length > 0) {
    const names = deployed.map((each) => ResourceId.parse(each).name).join(", ");
    throw new CliError(
      "NoApplication",
      `The deployment has ended, but which application to follow is not clear. Name one with \`--application\`${names === "" ? "" : `: ${names}`}.`,
    );
  }
  return id;
}

/** @throws CliError `NotInCluster` */
async function findRunning(client: Client, id: string): Promise<RunningApplication> {
  const application = await client.resources.get(id, { apiVersion: familyVersion(id) });
  const filter = inApplications([id.toLowerCase()]);
  const resources = await sweepGroup(client, createTypeLookup(client), groupOf(id), filter);
  const namespaces = namespacesOf(application, resources);
  if (namespaces.length === 0) {
    throw new CliError(
      "NotInCluster",
      `The application "${application.name}" is deployed, but the control plane has created nothing in a cluster for it, so there are no logs to follow.`,
    );
  }
  return { name: application.name, namespaces };
}
