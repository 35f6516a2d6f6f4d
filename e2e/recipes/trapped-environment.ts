import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/** A home, a `PATH` and variables that would lead a run astray. */
export interface TrappedEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** A file that is there when the program on the `PATH` was used. */
  readonly used: string;
}

/** @param folder that does not exist */
export async function trappedEnvironment(folder: string): Promise<TrappedEnvironment> {
  const used = path.join(folder, "used");
  await mkdir(path.join(folder, "bin"), { recursive: true });
  const program = path.join(folder, "bin", "terraform");
  await writeFile(program, `#!/bin/sh\ntouch '${used}'\nexit 1\n`);
  await chmod(program, 0o755);
  const wrong = `provider_installation {\n  filesystem_mirror {\n    path = "${folder}"\n  }\n}\n`;
  for (const file of [".terraformrc", ".tofurc", "other.tfrc"]) {
    await writeFile(path.join(folder, file), wrong);
  }
  const variables = {
    HOME: folder,
    PATH: `${path.dirname(program)}${path.delimiter}${process.env["PATH"] ?? ""}`,
    TF_CLI_CONFIG_FILE: path.join(folder, "other.tfrc"),
    TF_PLUGIN_CACHE_DIR: folder,
    TF_WORKSPACE: "of-the-server",
    TF_VAR_context: "of-the-server",
    AWS_SECRET_ACCESS_KEY: "of-the-server",
    KUBE_TOKEN: "of-the-server",
  };
  return { variables, used };
}
