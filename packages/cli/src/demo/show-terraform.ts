import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CliHost } from "../host.ts";
import { findTerraform } from "./find-terraform.ts";
import { startTerraformMirror } from "./terraform-mirror.ts";

export interface TerraformPart {
  readonly host: CliHost;
  /** Where the commands run. */
  readonly folder: string;
  /** Whether the control plane's configuration names a mirror. */
  readonly hasMirror: boolean;
  readonly say: (line: string) => void;
  /** Runs `rad`. @returns its exit code */
  readonly run: (...args: readonly string[]) => Promise<number>;
}

const authorityFile = "mirror-ca.pem";

/**
 * Installs Terraform into the demo's control plane where nothing has to be downloaded from elsewhere for it.
 * @returns whether it is there
 */
export async function showTerraform(part: TerraformPart): Promise<boolean> {
  const { host, folder, hasMirror, say, run } = part;
  if (hasMirror) {
    say("\nRecipes run Terraform. The control plane installs it, here from the mirror that the configuration names.\n");
    return await installed(part, await run("terraform", "install", "--wait"));
  }
  const found = await findTerraform(host);
  if (found === undefined) {
    say(
      "\nRecipes run Terraform, which the control plane installs. There is no terraform or tofu on the PATH to show it with, and nothing was downloaded. To get one: `rad terraform install --version <version> --wait`.",
    );
    return false;
  }
  const { product, command, version, path } = found;
  await using mirror = await startTerraformMirror(path);
  await writeFile(join(folder, authorityFile), mirror.authority);
  say(
    `\nRecipes run Terraform. The control plane installs it, here from a mirror that this demo has started: it offers the ${command} of your PATH.\n`,
  );
  const url = `${mirror.url}/${command}`;
  const source = ["--url", url, "--checksum", mirror.checksum, "--ca-bundle", authorityFile];
  return await installed(
    part,
    await run("terraform", "install", "--product", product, "--version", version, ...source, "--wait"),
  );
}

/** A wrapper does not run elsewhere, and the rest of the demo does not need it. */
async function installed({ run, say }: TerraformPart, code: number): Promise<boolean> {
  if (code === 0) {
    await run("terraform", "status");
  } else {
    say("\nTerraform was not installed; see above. The demo goes on without it.");
  }
  return code === 0;
}
