import type { Client, EndedInstallerJob, InstallerAnswer, InstallerStatus } from "@rad/client";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { installerStatuses } from "./installer-statuses.ts";
import { createJobView } from "./job-view.ts";
import { hasFailed } from "./status-lines.ts";
import { nameOf, reasonOf } from "./texts.ts";
import type { Timeout } from "./timeout.ts";

export interface SucceededJob {
  readonly job: EndedInstallerJob;
  /** As it was when the job had ended; a later job may have changed it. */
  readonly status: InstallerStatus;
}

/** So many looks at an idle installer that has never heard of the job mean that the job is lost. */
const maxIdleLooks = 3;

/**
 * Waits until this very job has succeeded, whatever others do meanwhile. The job goes on when the waiting ends early.
 * @throws CliError when it failed, or was not done in time
 */
export async function waitForJob(
  context: CommandContext,
  client: Client,
  answer: InstallerAnswer,
  timeout: Timeout,
): Promise<SucceededJob> {
  const { host, output } = context;
  const view = createJobView(context);
  const operation = operationOf(answer);
  let isRunning = answer.status === "started";
  const goesOn = () => `The ${operation} is still ${isRunning ? "running" : "queued"}; check 'rad terraform status'.`;
  let idleLooks = 0;
  try {
    const { longestPollMs } = view;
    const polls = { client, signal: host.signal, timeoutMs: timeout.ms, longestPollMs, onOutage: view.away };
    for await (const status of installerStatuses(polls)) {
      const job = status.history.find(({ operationId }) => operationId === answer.operationId);
      if (job !== undefined && hasEnded(job)) {
        return hasFailed(job) ? fail(job, status) : { job, status };
      }
      isRunning = status.inProgress?.operationId === answer.operationId;
      const isIdle = status.inProgress === undefined && status.pending === 0 && job === undefined;
      idleLooks = isIdle ? idleLooks + 1 : 0;
      if (idleLooks === maxIdleLooks) {
        throw new CliError(
          "OperationLost",
          `The control plane does not know the ${operation} of ${nameOf(answer)} any more; check 'rad terraform status --history'.`,
        );
      }
      view.update(status.inProgress);
    }
  } catch (error) {
    if (host.signal.aborted) {
      view.clear();
      output.note(goesOn());
    }
    throw error;
  } finally {
    view.clear();
  }
  throw new CliError("TimedOut", `Timed out after ${timeout.text} waiting for ${nameOf(answer)}. ${goesOn()}`);
}

/** `install` or `uninstall`. */
export function operationOf({ body }: InstallerAnswer): string {
  return body["operation"] === "uninstall" ? "uninstall" : "install";
}

function hasEnded(job: EndedInstallerJob): boolean {
  return job.state === "succeeded" || hasFailed(job);
}

function fail(job: EndedInstallerJob, { product, currentVersion }: InstallerStatus): never {
  const left =
    currentVersion === undefined
      ? "No version is active; correct the cause and install again."
      : `${nameOf({ product, version: currentVersion })} is still active.`;
  const isInstall = job.operation !== "uninstall";
  throw new CliError(
    isInstall ? "InstallFailed" : "UninstallFailed",
    `${nameOf(job)} ${isInstall ? "install" : "uninstall"} failed: ${reasonOf(job.error)}. ${left}`,
  );
}
