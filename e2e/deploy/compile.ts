import path from "node:path";
import { Readable, Writable } from "node:stream";
import { runCli } from "@rad/cli";
import type { JsonObject } from "@rad/core";

/** The template that `rad bicep build` makes of a file. */
export async function compile(file: string): Promise<JsonObject> {
  const output = { stdout: "", stderr: "" };
  const into = (stream: keyof typeof output): Writable =>
    new Writable({
      write: (chunk, _, done) => {
        output[stream] += String(chunk);
        done();
      },
    });
  const folder = path.dirname(file);
  const code = await runCli(["bicep", "build", file, "--stdout"], {
    env: {},
    cwd: folder,
    home: folder,
    stdin: Readable.from([]),
    stdout: into("stdout"),
    stderr: into("stderr"),
    signal: new AbortController().signal,
  });
  if (code !== 0) {
    throw new Error(`${file} does not compile:\n${output.stderr}`);
  }
  return JSON.parse(output.stdout) as JsonObject;
}
