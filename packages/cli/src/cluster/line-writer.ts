import { once } from "node:events";
import type { CommandContext } from "../command-context.ts";
import { stdoutColors } from "../output/colors.ts";
import { printableLine } from "../output/printable.ts";

/** Colours of prefixes, in the order in which pods and containers turn up. */
const palette = ["cyan", "green", "yellow", "magenta", "blue", "red"] as const;

export interface LineWriter {
  /**
   * Writes a line with what it comes from in front, in a colour of its own. Resolves when the reader can take more.
   * @param source what has its own colour
   */
  write(source: string, prefix: string, text: string): Promise<void>;
}

/** For lines of logs on stdout. */
export function createLineWriter(context: CommandContext): LineWriter {
  const { stdout, signal } = context.host;
  const colors = stdoutColors(context);
  const chosen = new Map<string, (typeof palette)[number]>();
  return {
    write: async (source, prefix, text) => {
      const color = chosen.get(source) ?? palette[chosen.size % palette.length] ?? "cyan";
      chosen.set(source, color);
      const line = stdout.isTTY === true ? shownLine(text, colors.isColorSupported) : text;
      if (!stdout.write(`${colors[color](prefix)}${line}\n`)) {
        await once(stdout, "drain", { signal }).catch((error: unknown) => {
          if (!signal.aborted) {
            throw error;
          }
        });
      }
    },
  };
}

/** Select Graphic Rendition: colours and the like, which move no cursor and answer no questions. */
// oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
const rendition = /\u001b\[[\d;:]*m/g;

/** What a container prints keeps its colours and tabs on a terminal, and can do nothing else to it. */
function shownLine(text: string, hasColors: boolean): string {
  const parts = text.split(rendition).map((part) => part.split("\t").map(printableLine).join("\t"));
  const codes = hasColors ? (text.match(rendition) ?? []) : [];
  const line = parts.map((part, index) => `${part}${codes[index] ?? ""}`).join("");
  return codes.length === 0 ? line : `${line}\u001b[0m`;
}
