import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { TypePackage } from "@rad/resource-types/bicep";
import { CliError } from "../cli-error.ts";
import type { CliHost } from "../host.ts";

export interface PackageTarget {
  readonly target: string;
  /** Replaces a file that is there. */
  readonly force?: boolean;
}

/** The file that a type package goes to. @throws CliError for what is no file, or one that is there already. */
export function packagePath(host: CliHost, { target, force }: PackageTarget): string {
  if (/^(br|ts|oci|https?)[:/]/i.test(target)) {
    throw new CliError(
      "TargetNotSupported",
      `Packages cannot be published to a registry yet: ${target}. Write one to a file, such as \`--target types.tgz\`, and name that file in bicepconfig.json.`,
    );
  }
  if (!/\.(tgz|tar\.gz)$/i.test(target)) {
    throw new CliError("InvalidUsage", `The target must be a .tgz file, by which compilers know a package: ${target}.`);
  }
  const path = resolve(host.cwd, target);
  if (force !== true && existsSync(path)) {
    throw new CliError("FileExists", `${target} is there already. Use \`--force\` to replace it.`);
  }
  return path;
}

/** Writes a type package as compilers read it: a gzipped tar archive with `index.json` at its root. */
export async function writePackage(path: string, { paths, document }: TypePackage): Promise<void> {
  const [{ writeTarGzip }, { writeOutput }] = await Promise.all([
    import("@rad/artifacts/archives"),
    import("./output-file.ts"),
  ]);
  const files = new Map(paths.map((name) => [name, `${JSON.stringify(document(name), undefined, 2)}\n`]));
  await writeOutput(path, writeTarGzip(files));
}
