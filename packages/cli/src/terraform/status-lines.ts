import type { EndedInstallerJob, InstallerStatus } from "@rad/client";
import { printableLine } from "../output/printable.ts";
import { minuteOf, nameOf, readyLine, reasonOf } from "./texts.ts";

const notInstalled = "Terraform is not installed. Run 'rad terraform install' to install Terraform.";

/** What the installer's status says to people: a line for its state, and one for a last job that failed. */
export function statusLines(status: InstallerStatus): string[] {
  const [last] = status.history;
  const failed = last !== undefined && hasFailed(last) ? last : undefined;
  switch (status.state) {
    case "ready":
      return [`${readyLine(active(status))}${jobs(status)}`, ...(failed ? [failedLine(failed, status)] : [])];
    case "not-installed":
      return [`${notInstalled}${jobs(status)}`];
    case "installing":
      return [
        `${nameOf(status.inProgress ?? { product: "terraform" })} installing${started(status)}${stillActive(status)}${queued(status)}`,
      ];
    case "pending-deletion":
      return [
        `${leaving(status)} pending-deletion (uninstall${startedAt(status)}; no new executions start)${queued(status)}`,
      ];
    case "uninstalling":
      return [`${leaving(status)} uninstalling${started(status)}${queued(status)}`];
    case "failed":
      return [`${brokenLine(status) ?? failedLine(failed, status)}${jobs(status)}`];
    default:
      return [`${nameOf(active(status))} ${printableLine(status.state)}${queued(status)}`];
  }
}

/** Whether a job has ended other than well. */
export function hasFailed({ state }: EndedInstallerJob): boolean {
  return state === "failed" || state === "canceled";
}

function active({ product, currentVersion, installedAt }: InstallerStatus) {
  return { product, version: currentVersion, installedAt };
}

/** An uninstall takes what is active when its turn comes. */
function leaving(status: InstallerStatus): string {
  return nameOf(status.inProgress?.version === undefined ? active(status) : status.inProgress);
}

function failedLine(job: EndedInstallerJob | undefined, status: InstallerStatus): string {
  if (job === undefined) {
    return `Terraform failed: ${reasonOf(status.lastError)}. Run 'rad terraform install' to install Terraform.`;
  }
  const time = job.completedAt === undefined ? "" : ` ${minuteOf(job.completedAt)}`;
  const left = status.currentVersion === undefined ? "; no version is active" : stillActive(status, job);
  return `${nameOf(job)} ${printableLine(job.operation)} failed${time}: ${reasonOf(job.error)}${left}`;
}

/** The binary that was there is not any more, or is not what it was. */
function brokenLine({ health, history }: InstallerStatus): string | undefined {
  if (health !== "missing" && health !== "damaged") {
    return undefined;
  }
  const job = history.find(({ operation, state }) => operation === "install" && state === "succeeded");
  const repair = job?.version === undefined ? "" : ` --version ${printableLine(job.version)}`;
  const product = job?.product === "opentofu" ? " --product opentofu" : "";
  return `${nameOf(job ?? { product: "terraform" })} failed: its binary is ${health}. Run 'rad terraform install${product}${repair}' to repair it.`;
}

function started(status: InstallerStatus): string {
  const text = startedAt(status);
  return text === "" ? "" : ` (${text.trimStart()})`;
}

function startedAt({ inProgress }: InstallerStatus): string {
  return inProgress?.startedAt === undefined ? "" : ` started ${minuteOf(inProgress.startedAt)}`;
}

/** The number alone says enough where the line has named the product. */
function stillActive(status: InstallerStatus, named: { product: string } | undefined = status.inProgress): string {
  const { product, currentVersion } = status;
  if (currentVersion === undefined) {
    return "";
  }
  return `; ${named?.product === product ? printableLine(currentVersion) : nameOf(active(status))} still active`;
}

function queued({ pending }: InstallerStatus): string {
  return pending === 0 ? "" : `; ${pending} queued`;
}

/** Jobs that the state says nothing about. */
function jobs(status: InstallerStatus): string {
  const { inProgress } = status;
  const running =
    inProgress === undefined ? "" : `; ${nameOf(inProgress)} ${printableLine(inProgress.operation)} begins`;
  return `${running}${queued(status)}`;
}
