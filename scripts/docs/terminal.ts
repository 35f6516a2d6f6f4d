import { stripVTControlCharacters } from "node:util";

/** Runs a shell command on a pseudo-terminal, by script(1), which every Linux and macOS has. */
export function terminalCommand(command: string): string[] {
  return process.platform === "darwin"
    ? ["script", "-q", "/dev/null", "sh", "-c", command]
    : ["script", "--quiet", "--return", "--flush", "--command", command, "/dev/null"];
}

/** What a person reads of a terminal's output: no colours, and of a line that was drawn again the last form. */
export function withoutControlSequences(output: string): string {
  return stripVTControlCharacters(output)
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf("\r") + 1))
    .join("\n");
}
