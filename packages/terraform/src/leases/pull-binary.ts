import { downloadFile } from "@rad/artifacts/download";
import type { Clock } from "@rad/core";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { installerNetwork } from "../download/installer-network.ts";
import { asInstallError } from "../install-error.ts";
import type { BinaryVolume, InstalledBinary } from "../volume/binary-volume.ts";
import { createTemporaryFolder } from "../volume/temporary-folder.ts";

/** A control plane that has the active binary on its volume. */
export interface PullSource {
  /** Base URL of its API. */
  readonly url: string;
  /** File with a token that has the permission `Radius.Core/installer/read`; read for every pull. */
  readonly tokenFile?: string | undefined;
  /** File with certificates that are trusted besides the system's. */
  readonly caFile?: string | undefined;
}

/** Behind a load balancer the next process may have what this one has not. */
const attempts = 5;
const pauseMs = 500;
const limits = { totalMs: 10 * 60_000, idleMs: 60_000 };

/** Puts the binary on the volume, verified by its SHA-256. @throws InstallError */
export async function pullBinary(
  binary: InstalledBinary,
  volume: BinaryVolume,
  source: PullSource,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await pullOnce(binary, volume, source, signal);
      return;
    } catch (error) {
      if (signal.aborted || attempt === attempts) {
        throw asInstallError(error, volume.root);
      }
      await clock.sleep(pauseMs, signal);
    }
  }
}

async function pullOnce(
  binary: InstalledBinary,
  volume: BinaryVolume,
  { url, tokenFile, caFile }: PullSource,
  signal: AbortSignal,
): Promise<void> {
  const [token, ca] = await Promise.all([readOptional(tokenFile), readOptional(caFile)]);
  const { sha256, size } = binary;
  await using temporary = await createTemporaryFolder(volume.root);
  const path = join(temporary.path, "binary");
  await downloadFile(installerNetwork({ ca: [ca], proxy: undefined, resolve: undefined }), {
    url: `${url.replace(/\/+$/u, "")}/installer/terraform/binaries/${sha256}`,
    plainHttp: "loopback",
    headers: token === undefined ? {} : { authorization: `Bearer ${token.trim()}` },
    path,
    temporary: true,
    sha256,
    maxBytes: size,
    signal,
    ...limits,
  });
  await volume.fill(binary, createReadStream(path), { signal });
}

async function readOptional(file: string | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : await readFile(file, "utf8");
}
