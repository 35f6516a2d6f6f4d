import type { Manifest } from "@rad/resource-types";
import { CliError } from "../cli-error.ts";
import type { CliHost } from "../host.ts";
import { readInput } from "../read-input.ts";

/** Reads and checks a manifest; all its problems are reported at once, each on a line of its own. */
export async function readManifest(host: CliHost, file: string): Promise<Manifest> {
  const text = await readInput(host, file);
  const { ManifestError, parseManifest } = await import("@rad/resource-types");
  try {
    return parseManifest(text, file === "-" ? "stdin" : file);
  } catch (error) {
    if (error instanceof ManifestError) {
      throw new CliError(error.code, error.message);
    }
    throw error;
  }
}
