import { Readable, Writable } from "node:stream";
import { runCli } from "@rad/cli";

export interface RadResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `rad` in this process, with a home folder in which it also runs. */
export async function runRad(home: string, args: readonly string[]): Promise<RadResult> {
  const output = { stdout: "", stderr: "" };
  const into = (stream: keyof typeof output): Writable =>
    new Writable({
      write: (chunk, _, done) => {
        output[stream] += String(chunk);
        done();
      },
    });
  const code = await runCli(args, {
    env: {},
    cwd: home,
    home,
    stdin: Readable.from([]),
    stdout: into("stdout"),
    stderr: into("stderr"),
    signal: new AbortController().signal,
  });
  return { code, ...output };
}
