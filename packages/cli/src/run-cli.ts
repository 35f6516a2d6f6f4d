import type { JsonObject } from "@rad/core";
import type { Command, CommanderError } from "commander";
import { asCliError, CliError, Interrupted, ReportedFailure } from "./cli-error.ts";
import type { CommandContext, GlobalOptions } from "./command-context.ts";
import { createContext } from "./command-context.ts";
import type { CliHost } from "./host.ts";
import { buildProgram, refuseUnknown } from "./program.ts";
import { randomHex } from "./random-hex.ts";

const success = 0;
const failure = 1;
const interrupted = 130;

/** As upstream's `rad` takes it, besides `--preview`; a flag of commander takes no value. */
const previewSpellings: Readonly<Record<string, string>> = {
  "--preview=true": "--preview",
  "--preview=false": "--no-preview",
};

/** Runs one command line and resolves to its exit code: 0, 1, or 130 after Ctrl+C. */
export async function runCli(line: readonly string[], host: CliHost): Promise<number> {
  const args = line.map((arg) => previewSpellings[arg.toLowerCase()] ?? arg);
  let traceId: string | undefined;
  let program: Command | undefined;
  let context: CommandContext | undefined;
  try {
    program = await buildProgram(args, contextOf);
    prepare(program, host);
    await refuseUnknown(program, args);
    await program.parseAsync(args, { from: "user" });
    return success;
  } catch (error) {
    if (error instanceof Interrupted || (host.signal.aborted && isAbort(error, host.signal))) {
      return interrupted;
    }
    if (error instanceof ReportedFailure) {
      if (error.document !== undefined) {
        printDocument(error.document);
      }
      return failure;
    }
    if (isCommanderError(error)) {
      return await afterParsing(error, args, program, report);
    }
    return await report(asCliError(error));
  }

  async function report(failed: unknown): Promise<number> {
    const error = await withSuggestion(failed);
    const { color, debug } = program?.opts<GlobalOptions>() ?? {};
    const { colorsFor } = await import("./output/colors.ts");
    const { describeError, errorDocument } = await import("./output/report-error.ts");
    host.stderr.write(colorsFor(host, host.stderr, color === false).red(describeError(error, traceOf())));
    if (debug === true && error instanceof Error) {
      host.stderr.write(`${error.stack ?? ""}\n`);
    }
    printDocument(errorDocument(error));
    return failure;
  }

  /** Somebody who mistyped a name is told the one that is near. */
  async function withSuggestion(error: unknown): Promise<unknown> {
    if (!(error instanceof CliError) || error.missing === undefined || context === undefined) {
      return error;
    }
    const { suggestName } = await import("./completion/suggest-name.ts");
    const { code, message, cause, missing } = error;
    return new CliError(code, `${message}${await suggestName(context, missing)}`, { cause, missing });
  }

  /** With `-o json` a failure is one document on stdout as well, unless the command has printed its own. */
  function printDocument(document: JsonObject): void {
    const isJson = program?.opts<GlobalOptions>().output?.trim().toLowerCase() === "json";
    if (isJson && context?.output.hasWritten !== true) {
      host.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
    }
  }

  function traceOf(): string {
    traceId ??= randomHex(16);
    return traceId;
  }

  function contextOf(ownFormats?: readonly string[]): CommandContext {
    context = createContext(host, traceOf, program?.opts<GlobalOptions>() ?? {}, ownFormats);
    return context;
  }
}

/** Makes commander throw instead of exit, and print nothing but help. */
function prepare(command: Command, host: CliHost): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => host.stdout.write(text),
    // A group without a subcommand shows its help, which is an answer and no error.
    writeErr: (text) => host.stdout.write(text),
    outputError: () => {},
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  for (const child of command.commands) {
    prepare(child, host);
  }
}

async function afterParsing(
  error: CommanderError,
  args: readonly string[],
  program: Command | undefined,
  report: (error: CliError) => Promise<number>,
): Promise<number> {
  const isHelp = ["commander.help", "commander.helpDisplayed", "commander.version"].includes(error.code);
  if (isHelp) {
    return success;
  }
  const { explainUsage } = await import("./explain-usage.ts");
  return report(explainUsage(error, args, program));
}

/** By shape: commander itself is loaded only when there is something to parse. */
function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof Error && "code" in error && String(error.code).startsWith("commander.");
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || (error instanceof Error && error.name === "AbortError");
}
