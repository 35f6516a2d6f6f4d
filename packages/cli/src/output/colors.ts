import pc from "picocolors";
import type { CommandContext } from "../command-context.ts";
import type { CliHost, OutputStream } from "../host.ts";

export type Colors = ReturnType<typeof pc.createColors>;

/** Colours for a terminal whose owner wants them: no pipe, no `--no-color`, no `NO_COLOR`, no dumb terminal. */
export function colorsFor(host: CliHost, stream: OutputStream, noColor: boolean): Colors {
  const unwanted = noColor || (host.env["NO_COLOR"] ?? "") !== "" || host.env["TERM"] === "dumb";
  return pc.createColors(stream.isTTY === true && !unwanted);
}

/** For what goes to stdout. */
export function stdoutColors({ host, noColor }: CommandContext): Colors {
  return colorsFor(host, host.stdout, noColor);
}

/** For what goes to stderr. */
export function stderrColors({ host, noColor }: CommandContext): Colors {
  return colorsFor(host, host.stderr, noColor);
}
