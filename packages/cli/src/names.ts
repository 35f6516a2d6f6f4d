import { CliError } from "./cli-error.ts";

/** Names can come as an argument or from a flag, but from one of them only. */
export function oneName(what: string, positional: string | undefined, flag: string | undefined): string | undefined {
  if (positional !== undefined && flag !== undefined) {
    throw new CliError("InvalidUsage", `The ${what} name was given both as an argument and with a flag. Give it once.`);
  }
  return positional ?? flag;
}
