import { resolve } from "node:path";
import type { InstallerAnswer, InstallRequest, TerraformProduct } from "@rad/client";
import type { CommandContext } from "../command-context.ts";
import { readAuthority } from "../config/authorities.ts";
import { printWarnings } from "../output/print-warnings.ts";
import { callInstaller } from "./installer-call.ts";
import { nameOf, readyLine } from "./texts.ts";
import type { WaitFlags } from "./timeout.ts";
import { readTimeout } from "./timeout.ts";
import { operationOf, waitForJob } from "./wait-for-job.ts";

export interface InstallFlags extends WaitFlags {
  readonly product: TerraformProduct;
  readonly version?: string;
  readonly url?: string;
  readonly checksum?: string;
  readonly caBundle?: string;
}

export async function installTerraform(context: CommandContext, flags: InstallFlags): Promise<void> {
  const { output } = context;
  const timeout = readTimeout(flags);
  const request = await toRequest(context, flags);
  const client = await context.client();
  const answer = await callInstaller(client, "write", () => client.installer.install(request));
  printWarnings(output, answer.warnings);
  if (timeout === undefined || answer.status === "ready") {
    output.done(answerLine(answer), answer.body);
    return;
  }
  sayProgress(context, answerLine(answer));
  const { job, status } = await waitForJob(context, client, answer, timeout);
  const { completedAt: installedAt } = job;
  const isActive = status.product === job.product && status.currentVersion === job.version;
  output.done(readyLine(isActive ? { ...job, installedAt: status.installedAt } : { ...job, installedAt }), status.body);
}

/** @throws CliError for a bundle that cannot be read. The control plane checks the rest, for all its clients. */
async function toRequest({ host }: CommandContext, flags: InstallFlags): Promise<InstallRequest> {
  const { product, version, url, checksum } = flags;
  const caBundle = flags.caBundle === undefined ? undefined : await readAuthority(resolve(host.cwd, flags.caBundle));
  const source = {
    ...(url === undefined ? {} : { url }),
    ...(checksum === undefined ? {} : { checksum }),
    ...(caBundle === undefined ? {} : { caBundle }),
  };
  return {
    ...(product === "terraform" ? {} : { product }),
    ...(version === undefined ? {} : { version }),
    ...(Object.keys(source).length === 0 ? {} : { source }),
  };
}

/** What has become of a request, on one line. */
export function answerLine(answer: InstallerAnswer): string {
  const { status, ahead, isJoined } = answer;
  const job = `${nameOf(answer)} ${operationOf(answer)}`;
  switch (status) {
    case "ready":
      return readyLine(answer);
    case "queued":
      return `${job} queued (${ahead} ahead)`;
    case "started":
      return isJoined ? `${job} already in progress` : `${job} started...`;
    default:
      return status satisfies never;
  }
}

/** A line of the result that is not its end: `-o json` has one document only. */
export function sayProgress({ output }: CommandContext, line: string): void {
  if (output.format === "json") {
    output.note(line);
  } else {
    output.result(line);
  }
}
