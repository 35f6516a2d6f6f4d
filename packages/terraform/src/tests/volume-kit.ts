import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@rad/core";
import type { Clock } from "@rad/core";
import { createBinaryVolume } from "../volume/disk-volume.ts";
import type { BinaryVolumeOptions } from "../volume/disk-volume.ts";
import type { BinaryVolume, InstallOrder } from "../volume/binary-volume.ts";
import { ca } from "./mirror.ts";

/** Waits for nothing, so that retries cost no time. */
export const eagerClock: Clock = { ...systemClock, sleep: async (_ms, signal) => signal?.throwIfAborted() };

export interface TestFolder extends AsyncDisposable {
  readonly path: string;
  readonly root: string;
  /** A file with this content, beside the root. */
  file(name: string, content: string | Buffer): Promise<string>;
}

export async function testFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), "rad-volume-"));
  return {
    path,
    root: join(path, "root"),
    file: async (name, content) => {
      await writeFile(join(path, name), content);
      return join(path, name);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** A volume that trusts the mirrors of the tests. */
export function testVolume(root: string, options: Partial<BinaryVolumeOptions> = {}): BinaryVolume {
  return createBinaryVolume({ root, clock: eagerClock, caBundle: ca.cert, ...options });
}

export async function install(volume: BinaryVolume, order: Partial<InstallOrder>) {
  return await volume.install({ product: "terraform", ...order }, { signal: AbortSignal.timeout(60_000) });
}

/** Every file and link below a folder with its content, to see what a failure changed. */
export async function snapshot(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isSymbolicLink()) {
      return [name, `-> ${await readlink(path)}`] as const;
    }
    return [name, entry.isFile() ? await readFile(path, "latin1") : "folder"] as const;
  });
  return Object.fromEntries((await Promise.all(found)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
