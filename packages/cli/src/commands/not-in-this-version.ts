import { CliError } from "../cli-error.ts";

/**
 * Commands of upstream's `rad` that this version does not have, with the command that does the same today, or with nothing
 * where there is none. The first entry that a line begins with counts. An entry goes when its command comes.
 */
const replacements: readonly (readonly [command: string, instead: string])[] = [
  ["install", "rad server start"],
  ["uninstall", "rad server stop"],
  ["upgrade", "rad server restart"],
  ["rollback", ""],
  ["startup", "rad server start"],
  ["shutdown", "rad server stop"],
  ["debug-logs", "rad server logs"],
  ["bicep publish", ""],
  ["bicep generate-kubernetes", ""],
  ["bicep generate-kubernetes-manifest", ""],
];

/** The error for a line that upstream's `rad` knows and this one does not; `undefined` for all others. */
export function notInThisVersion(words: readonly string[]): CliError | undefined {
  const found = replacements.find(([command]) => command.split(" ").every((word, index) => word === words[index]));
  if (found === undefined) {
    return undefined;
  }
  const [command, instead] = found;
  const typed = words.slice(0, command.split(" ").length).join(" ");
  const next = instead === "" ? "Nothing replaces it yet." : `Use \`${instead}\`.`;
  return new CliError("NotInThisVersion", `\`rad ${typed}\` is not in this version. ${next}`);
}
