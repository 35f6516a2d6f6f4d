import { ApiError } from "@rad/core";
import { ManifestError } from "@rad/resource-types";
import { readKeyFile, StoreError } from "@rad/store";
import { ConfigError, type ServerConfig } from "../config/index.ts";
import { loadTlsOptions } from "../identity/index.ts";
import { readManifestFolder } from "../registry/read-manifest-folder.ts";

/**
 * Reads the files that a configuration names, as a start would, without touching the database or the network.
 * @throws ConfigError with all problems at once.
 */
export async function checkConfigFiles(config: ServerConfig): Promise<void> {
  const { keyFile } = config.encryption;
  const { manifestDirectory } = config.initialization;
  const { kubeConfig, context } = config.kubernetes;
  const checks: readonly (readonly [key: string, check: () => Promise<unknown>])[] = [
    ["server.tlsCertificateDirectory", () => loadTlsOptions(config)],
    ...(keyFile === undefined ? [] : [["encryption.keyFile", () => readKeyFile(keyFile)] as const]),
    ...(manifestDirectory === undefined
      ? []
      : [["initialization.manifestDirectory", () => readManifestFolder(manifestDirectory)] as const]),
    ...(kubeConfig === undefined
      ? []
      : [["kubernetes.kubeConfig", () => openKubeConfig(kubeConfig, context)] as const]),
  ];
  const problems: string[] = [];
  for (const [key, check] of checks) {
    try {
      await check();
    } catch (error) {
      problems.push(`${key}: ${problemOf(error)}`);
    }
  }
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
}

/** Makes no connection. */
async function openKubeConfig(file: string, context: string | undefined): Promise<void> {
  const { openObjectTarget } = await import("@rad/kubernetes");
  await using _ = await openObjectTarget({ kind: "kubeConfig", file, context });
}

function problemOf(error: unknown): string {
  if (
    error instanceof ApiError ||
    error instanceof ConfigError ||
    error instanceof ManifestError ||
    error instanceof StoreError
  ) {
    return error.message;
  }
  throw error;
}
