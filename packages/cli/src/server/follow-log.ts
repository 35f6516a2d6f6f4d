import { open } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { CliError, systemCode } from "../cli-error.ts";

export interface LogOptions {
  readonly follow: boolean;
  /** Only the last so many lines of what is there already. */
  readonly tail: number | undefined;
  readonly signal: AbortSignal;
  readonly write: (text: string) => void;
}

const pollMs = 200;

/** Prints the server's log, and with `follow` what is added to it until the signal. */
export async function printLog(path: string, options: LogOptions): Promise<void> {
  let position = 0;
  let first = true;
  do {
    const text = await readFrom(path, position, first);
    position = text.end;
    options.write(first && options.tail !== undefined ? lastLines(text.content, options.tail) : text.content);
    first = false;
    if (options.follow) {
      await delay(pollMs, undefined, { signal: options.signal }).catch(() => {});
    }
  } while (options.follow && !options.signal.aborted);
}

async function readFrom(path: string, position: number, mustExist: boolean): Promise<{ content: string; end: number }> {
  try {
    await using file = await open(path, "r");
    const { size } = await file.stat();
    const start = size < position ? 0 : position; // a new file took its place
    const buffer = Buffer.alloc(size - start);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    return { content: buffer.subarray(0, bytesRead).toString("utf8"), end: start + bytesRead };
  } catch (error) {
    if (systemCode(error) !== "ENOENT") {
      throw error;
    }
    if (mustExist) {
      throw new CliError("NoLog", `There is no log at ${path}: no server has been started with this data folder.`);
    }
    return { content: "", end: 0 };
  }
}

function lastLines(text: string, count: number): string {
  const lines = text.split("\n");
  const ending = text.endsWith("\n") ? 1 : 0;
  return lines.slice(Math.max(0, lines.length - count - ending)).join("\n");
}
