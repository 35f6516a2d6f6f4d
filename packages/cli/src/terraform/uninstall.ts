import { ClientError } from "@rad/client";
import type { CommandContext } from "../command-context.ts";
import { answerLine, sayProgress } from "./install.ts";
import { callInstaller } from "./installer-call.ts";
import { nameOf } from "./texts.ts";
import type { WaitFlags } from "./timeout.ts";
import { readTimeout } from "./timeout.ts";
import { waitForJob } from "./wait-for-job.ts";

export async function uninstallTerraform(context: CommandContext, flags: WaitFlags): Promise<void> {
  const { output } = context;
  const timeout = readTimeout(flags);
  const client = await context.client();
  const answer = await callInstaller(client, "write", () => client.installer.uninstall()).catch((error: unknown) => {
    if (error instanceof ClientError && error.isNotFound) {
      return undefined;
    }
    throw error;
  });
  if (answer === undefined) {
    output.done("Terraform is not installed", { status: "not-installed" });
    return;
  }
  if (timeout === undefined) {
    output.done(answerLine(answer), answer.body);
    return;
  }
  sayProgress(context, answerLine(answer));
  const { job, status } = await waitForJob(context, client, answer, timeout);
  if (status.currentVersion !== undefined) {
    output.note(`${nameOf({ product: status.product, version: status.currentVersion })} has been installed since.`);
  }
  output.done(`${nameOf(job)} uninstalled`, status.body);
}
