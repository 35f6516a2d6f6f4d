import { join, resolve } from "node:path";
import { createDiskHost } from "@rad/artifacts/bicep";
import type { DiskHost } from "@rad/artifacts/bicep";
import type { RestoreOutcome } from "@rad/artifacts/cache";
import { toCompilerPath } from "@rad/artifacts/files";
import { Compilation } from "@rad/bicep";
import type { FileDiagnostics, NeededArtifact, YamlRead } from "@rad/bicep";
import type { CommandContext } from "../command-context.ts";
import type { CliHost } from "../host.ts";
import { loadRadiusTypes, typeNotices } from "./load-types.ts";
import type { TypeOptions } from "./load-types.ts";
import type { Notice } from "../notice.ts";

export interface CompileOptions extends TypeOptions {
  /** Read nothing outside of this folder. */
  readonly root?: string;
  /** `false` leaves the network alone. */
  readonly restore?: boolean;
  /** `false` leaves the linter out. */
  readonly lint?: boolean;
}

export interface Compiled {
  readonly compilation: Compilation;
  /** As the compiler writes it. */
  readonly path: string;
  /** What it was compiled with, types included. */
  readonly disk: DiskHost;
  /** What is wrong with manifests that the configuration names. */
  readonly manifests: readonly FileDiagnostics[];
  readonly notices: readonly Notice[];
}

/** Checks a file with everything that it uses, and fetches what it needs from registries before that. */
export async function compileFile(context: CommandContext, file: string, options: CompileOptions): Promise<Compiled> {
  const { host } = context;
  const path = toCompilerPath(resolve(host.cwd, file));
  const disk = openDisk(host, options.root);
  let compilation = new Compilation({ host: disk, lint: options.lint !== false });
  const missing = compilation.artifacts(path).filter((artifact) => !artifact.restored);
  if (missing.length > 0 && options.restore !== false) {
    for (const { artifact, error } of await restore(host, missing, false)) {
      if (error !== undefined) {
        disk.setRestoreProblem(artifact.reference.text, error.message);
      }
    }
    compilation = new Compilation({ host: disk, lint: options.lint !== false });
  }
  const folders = compilation.manifestFolders(path);
  const manifests = folders.length === 0 ? [] : await loadManifests(disk, folders);
  const builtIn = compilation.builtInExtensions(path);
  const uses = { radius: compilation.extensionNames(path).has("radius"), builtIn: builtIn.includes("radius") };
  const registered = await loadRadiusTypes(context, disk, uses, options);
  compilation.diagnostics(path);
  if (disk.wantedYaml) {
    // Few files load YAML, and its reader costs as much to load as a small file to compile: so it comes when asked for.
    disk.setYamlReader(await loadYamlReader());
    compilation = new Compilation({ host: disk, lint: options.lint !== false });
    compilation.diagnostics(path);
  }
  const unchecked = builtIn.filter((name) => name === "aws" || name === "kubernetes");
  return { compilation, path, disk, manifests, notices: await typeNotices(compilation, registered, unchecked) };
}

async function loadManifests(disk: DiskHost, folders: readonly string[]): Promise<readonly FileDiagnostics[]> {
  const { loadManifestFolders } = await import("./manifest-folders.ts");
  return await loadManifestFolders(disk, folders);
}

export function openDisk(host: CliHost, root: string | undefined): DiskHost {
  return createDiskHost({
    cacheFolder: cacheFolderOf(host),
    env: host.env,
    roots: root === undefined ? undefined : [resolve(host.cwd, root)],
  });
}

/** Restores artifacts with the credentials of Docker's file, or without any. */
export async function restore(
  host: CliHost,
  artifacts: readonly NeededArtifact[],
  force: boolean,
): Promise<readonly RestoreOutcome[]> {
  const [{ restoreArtifacts }, { createRegistryClient, dockerCredentials }, { createNetwork, fetchBytes }] =
    await Promise.all([
      import("@rad/artifacts/cache"),
      import("@rad/artifacts/oci"),
      import("@rad/artifacts/download"),
    ]);
  const network = createNetwork({ addresses: "loopback", proxy: { env: host.env } });
  const client = createRegistryClient({
    fetch: (request) => fetchBytes(network, request),
    credentials: dockerCredentials(host.env, host.home),
    signal: host.signal,
  });
  return restoreArtifacts(artifacts, { client, cacheFolder: cacheFolderOf(host), signal: host.signal, force });
}

function cacheFolderOf(host: CliHost): string {
  const configured = host.env["BICEP_CACHE_DIRECTORY"] ?? "";
  return configured === "" ? join(host.home, ".bicep") : resolve(host.cwd, configured);
}

async function loadYamlReader(): Promise<(text: string) => YamlRead> {
  const { readYaml } = await import("./read-yaml.ts");
  return readYaml;
}
