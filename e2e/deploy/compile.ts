import path from "node:path";
import type { JsonObject } from "@rad/core";
import { runRad } from "./run-rad.ts";

/** The template that `rad bicep build` makes of a file. */
export async function compile(file: string): Promise<JsonObject> {
  const { code, stdout, stderr } = await runRad(path.dirname(file), ["bicep", "build", file, "--stdout"]);
  if (code !== 0) {
    throw new Error(`${file} does not compile:\n${stderr}`);
  }
  return JSON.parse(stdout) as JsonObject;
}
