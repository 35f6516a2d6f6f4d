import { ClientError } from "@rad/client";
import { typesTakenForAzure, typesWithoutExtension } from "@rad/client/deploying";
import type { ErrorDetail } from "@rad/core";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { failurePlaces } from "./failure-places.ts";
import type { TemplateSource } from "./template-source.ts";

/** Shows where in its source a template is at fault, and gives the error that ends the command. */
export function explainFailure(context: CommandContext, error: unknown, source: TemplateSource): unknown {
  if (!(error instanceof ClientError)) {
    return error;
  }
  const { text, rest } = failurePlaces(context, error, source);
  context.host.stderr.write(text);
  const wrongVersion = wrongApiVersion(error, source);
  if (text === "" && wrongVersion === undefined && mentionsAzure(error)) {
    for (const type of typesWithoutExtension(source.template)) {
      context.output.note(
        `${type} counts as a type of Azure, because no extension that ${source.display} uses has it.`,
      );
    }
  }
  return wrongVersion ?? (text === "" ? error : withoutShown(error, rest, source));
}

/** The rest of an error whose source lines have been printed. `-o json` prints all of it. */
function withoutShown(error: ClientError, rest: ErrorDetail | undefined, source: TemplateSource): ClientError {
  const { code, status, wire, details } = error;
  // The message of a refused template is that of its first error.
  const isShown = details.length === 0 || details.some(({ message }) => error.message.includes(message));
  const shown = details.length > 1 ? "errors" : "error";
  const message = isShown ? `${source.display} cannot be deployed: see the ${shown} above.` : error.message;
  return new ClientError(code, message, {
    ...(status === undefined ? {} : { status }),
    ...(wire === undefined ? {} : { wire }),
    ...(rest?.details === undefined ? {} : { details: rest.details }),
  });
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
