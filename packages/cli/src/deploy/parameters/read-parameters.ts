import { resolve } from "node:path";
import { DeployingError, type ParameterSource, parseExactJson } from "@rad/client/deploying";
import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core";
import type { TypeOptions } from "../../bicep/load-types.ts";
import { CliError } from "../../cli-error.ts";
import type { CommandContext } from "../../command-context.ts";
import { readInput } from "../../read-input.ts";
import { parseParameterArgument } from "./parameter-argument.ts";

export interface ReadParameters {
  readonly sources: readonly ParameterSource[];
  /** What a `.bicepparam` file says about extensions. */
  readonly extensionConfigs: JsonObject | undefined;
}

/** Reads what the `-p` of a command line name, in their order. `template` is what they are meant for. */
export async function readParameters(
  context: CommandContext,
  args: readonly string[],
  template: string | undefined,
  compiling: TypeOptions = {},
): Promise<ReadParameters> {
  const sources: ParameterSource[] = [];
  let extensionConfigs: JsonObject | undefined;
  // All of them are looked at before any file is read, so that a slip is reported at once.
  for (const argument of args.map(parseParameterArgument)) {
    switch (argument.kind) {
      case "inline":
        sources.push({ kind: "texts", texts: { [argument.name]: argument.text } });
        break;
      case "valueFile":
        sources.push({ kind: "values", values: { [argument.name]: await readJson(context, argument.file) } });
        break;
      case "file":
        sources.push({ kind: "entries", entries: entriesOf(argument.file, await readJson(context, argument.file)) });
        break;
      case "bicepparam": {
        const { compileParameters } = await import("./compile-parameters.ts");
        const compiled = await compileParameters(context, argument.file, template, compiling);
        sources.push({ kind: "entries", entries: entriesOf(argument.file, compiled) });
        if (isJsonObject(compiled["extensionConfigs"])) {
          extensionConfigs = { ...extensionConfigs, ...compiled["extensionConfigs"] };
        }
        break;
      }
      default:
        argument satisfies never;
    }
  }
  return { sources, extensionConfigs };
}

async function readJson(context: CommandContext, file: string): Promise<JsonValue> {
  const text = await readInput(context.host, resolve(context.host.cwd, file));
  try {
    return parseExactJson(text.replace(/^\uFEFF/, ""), file) as JsonValue;
  } catch (error) {
    if (error instanceof DeployingError) {
      throw error;
    }
    // The reason may quote the file, and the file may hold secrets.
    throw new CliError("InvalidParameterFile", `${file} is not JSON${placeOf(text, error)}.`);
  }
}

function placeOf(text: string, error: unknown): string {
  const offset = /at position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
  if (offset === undefined) {
    return "";
  }
  const before = text.slice(0, Number(offset)).split("\n");
  return ` (line ${before.length}, column ${(before.at(-1) ?? "").length + 1})`;
}

/** A file without `parameters` contributes nothing. */
function entriesOf(file: string, document: JsonValue): JsonObject {
  if (!isJsonObject(document)) {
    throw new CliError("InvalidParameterFile", `${file} is no parameters file: an object was expected.`);
  }
  const entries = objectMember(document, "parameters");
  const bare = Object.entries(entries).find(([, entry]) => !isJsonObject(entry));
  if (bare !== undefined) {
    throw new CliError(
      "InvalidParameterFile",
      `${file} sets the parameter "${bare[0]}" without an object around its value: write {"value": …}.`,
    );
  }
  return entries;
}
