import type { Client, ClientError } from "@rad/client";
import { CliError, ReportedFailure } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { stdoutColors } from "../output/colors.ts";
import { printWarnings } from "../output/print-warnings.ts";
import { collectResult, resultJson, resultText } from "./deployment-result.ts";
import type { Followed } from "./follow-deployment.ts";

/**
 * Prints what has become of a deployment. @throws what `explain` makes of its error, or ReportedFailure with `-o json`,
 * where the document has the error
 */
export async function reportEnd(
  context: CommandContext,
  client: Client,
  followed: Followed,
  explain: (error: ClientError | CliError) => unknown,
): Promise<void> {
  const { output } = context;
  const { deployment } = followed;
  const succeeded = deployment.state === "Succeeded";
  printWarnings(output, followed.warnings);
  if (output.format === "json") {
    output.note(JSON.stringify({ event: "ended", time: new Date().toISOString(), state: deployment.state }));
    output.json(resultJson(await collectResult(client, followed)));
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
    throw explain(deployment.error ?? unexplained);
  }
  const result = await collectResult(client, followed);
  output.result(`\nDeployment Complete\n${resultText(result, stdoutColors(context))}`.trimEnd());
}
