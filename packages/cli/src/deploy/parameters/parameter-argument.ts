import { CliError } from "../../cli-error.ts";

/** One `-p` as it was written. */
export type ParameterArgument =
  | { readonly kind: "inline"; readonly name: string; readonly text: string }
  /** `name=@file`: the whole document is the value. */
  | { readonly kind: "valueFile"; readonly name: string; readonly file: string }
  /** `@file`: a parameters file. */
  | { readonly kind: "file"; readonly file: string }
  /** `@file.bicepparam` or `file.bicepparam`. */
  | { readonly kind: "bicepparam"; readonly file: string };

/** Reads `name=value`, `name=@file.json`, `@file.json`, `@file.bicepparam` or `file.bicepparam`. */
export function parseParameterArgument(argument: string): ParameterArgument {
  if (argument.startsWith("@") && argument.length > 1) {
    const file = argument.slice(1);
    return isBicepParameters(file) ? { kind: "bicepparam", file } : { kind: "file", file };
  }
  const equals = argument.indexOf("=");
  if (equals < 0 && isBicepParameters(argument)) {
    return { kind: "bicepparam", file: argument };
  }
  const name = argument.slice(0, Math.max(equals, 0)).trim();
  if (name === "") {
    throw new CliError(
      "InvalidParameter",
      `"${argument}" is not a parameter. Write name=value, name=@value.json, @parameters.json or file.bicepparam.`,
    );
  }
  const text = argument.slice(equals + 1);
  return text.startsWith("@") && text.length > 1
    ? { kind: "valueFile", name, file: text.slice(1) }
    : { kind: "inline", name, text };
}

function isBicepParameters(file: string): boolean {
  return file.toLowerCase().endsWith(".bicepparam");
}
