import { open } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject } from "@rad/core";
import { entryOf } from "../release/release-layout.ts";
import { folderOf } from "./binary-folder.ts";
import type { BinaryName } from "./binary-folder.ts";
import type { InstalledBinary } from "./binary-volume.ts";

export const manifestName = "manifest.json";

const maxBytes = 64 << 10;
const sha256 = /^[0-9a-f]{64}$/u;

/** Writes what is known about a binary beside it, durably. */
export async function writeManifest(folder: string, binary: Omit<InstalledBinary, "path">): Promise<void> {
  const { product, version, sha256: digest, size, source, verified, installedAt } = binary;
  const { url, checksum } = source;
  const content = { product, version, sha256: digest, size, source: { url, checksum }, verified, installedAt };
  await using file = await open(join(folder, manifestName), "wx", 0o644);
  await file.writeFile(`${JSON.stringify(content, undefined, 2)}\n`);
  await file.sync();
}

/** Nothing where there is no manifest, or one that is not of this binary: then nobody knows what the binary is. */
export async function readManifest(root: string, name: BinaryName): Promise<InstalledBinary | undefined> {
  const folder = join(root, folderOf(name));
  const content = await readSmall(join(folder, manifestName));
  const manifest = content === undefined ? undefined : parse(content);
  const isOfBinary = manifest?.product === name.product && manifest.version === name.version;
  return isOfBinary ? { ...manifest, path: join(folder, entryOf(name.product)) } : undefined;
}

/** As `writeManifest` left it in a folder. */
export async function readLooseManifest(folder: string): Promise<Omit<InstalledBinary, "path"> | undefined> {
  const content = await readSmall(join(folder, manifestName));
  return content === undefined ? undefined : parse(content);
}

async function readSmall(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, "r");
    const { size } = await file.stat();
    return size > maxBytes ? undefined : await file.readFile("utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR", "EISDIR"].includes(String(error.code))) {
      return undefined;
    }
    throw error;
  }
}

function parse(content: string): Omit<InstalledBinary, "path"> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return undefined;
  }
  return isManifest(value) ? value : undefined;
}

function isManifest(value: unknown): value is Omit<InstalledBinary, "path"> {
  if (!isJsonObject(value) || !isJsonObject(value["source"])) {
    return false;
  }
  const { product, version, sha256: digest, size, source, verified, installedAt } = value;
  return (
    (product === "terraform" || product === "opentofu") &&
    [version, installedAt, source["url"], source["checksum"]].every((text) => typeof text === "string") &&
    typeof digest === "string" &&
    sha256.test(digest) &&
    typeof size === "number" &&
    typeof verified === "boolean"
  );
}
