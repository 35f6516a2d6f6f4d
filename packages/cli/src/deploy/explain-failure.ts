import { ClientError } from "@rad/client";
import { typesTakenForAzure, typesWithoutExtension } from "@rad/client/deploying";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { failurePlaces } from "./failure-places.ts";
import type { TemplateSource } from "./template-source.ts";

/** Shows where in its source a template is at fault, and gives the error that ends the command. */
export function explainFailure(context: CommandContext, error: unknown, source: TemplateSource): unknown {
  if (!(error instanceof ClientError)) {
    return error;
  }
  context.host.stderr.write(failurePlaces(context, error, source));
  const wrongVersion = wrongApiVersion(error, source);
  if (wrongVersion === undefined && mentionsAzure(error)) {
    for (const type of typesWithoutExtension(source.template)) {
      context.output.note(
        `${type} counts as a type of Azure, because no extension that ${source.display} uses has it.`,
      );
    }
  }
  return wrongVersion ?? error;
}

function mentionsAzure(error: ClientError): boolean {
  return /\bazure\b/i.test(JSON.stringify(error.wire ?? error.message));
}

/**
 * A type in a version that no extension knows is taken for one of Azure. Where all types are Radius's own, it is the
 * version that is wrong, and talking of Azure would only mislead.
 */
function wrongApiVersion(error: ClientError, source: TemplateSource): CliError | undefined {
  const [type] = typesTakenForAzure(source.template);
  if (type === undefined || !mentionsAzure(error)) {
    return undefined;
  }
  return new CliError(
    "UnsupportedApiVersion",
    `The API version that ${source.display} uses for ${type} is wrong or not supported. Run \`rad resource-type show ${type}\` to see the versions there are.`,
  );
}
