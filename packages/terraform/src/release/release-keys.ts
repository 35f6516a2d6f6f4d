import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Key } from "openpgp";
import { InstallError } from "../install-error.ts";
import { productNames } from "../product.ts";
import type { Product } from "../product.ts";

const maxFileBytes = 1 << 20;
const armor = /-----BEGIN PGP PUBLIC KEY BLOCK-----[\s\S]*?-----END PGP PUBLIC KEY BLOCK-----/gu;

/**
 * The keys that releases of a product may be signed with, from files and folders of files. They are read anew each time,
 * so that a key can be replaced while the control plane runs.
 * @throws InstallError `KeyMissing`
 */
export async function readReleaseKeys(product: Product, places: readonly string[]): Promise<readonly Key[]> {
  const files = (await Promise.all(places.map(filesAt))).flat();
  const keys = (await Promise.all(files.map(readKeyFile))).flat();
  if (keys.length === 0) {
    throw new InstallError(
      "KeyMissing",
      `There is no key to check ${productNames[product]} releases with. Put the OpenPGP public key of the publisher into ` +
        `${places[0] ?? "a file"}, name its file in ${settingOf(product)}, or give the checksum of the archive.`,
    );
  }
  return keys;
}

function settingOf(product: Product): string {
  return product === "terraform" ? "terraform.installer.keys" : `terraform.installer.${product}.keys`;
}

/** A folder stands for all its files, except hidden ones: mounted Kubernetes volumes hold their versions in such. */
async function filesAt(place: string): Promise<string[]> {
  const found = await stat(place).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    return found === undefined ? [] : [place];
  }
  const names = await readdir(place).catch(() => []);
  return names
    .filter((name) => !name.startsWith("."))
    .toSorted()
    .map((name) => join(place, name));
}

async function readKeyFile(file: string): Promise<Key[]> {
  const { readKeys } = await import("openpgp");
  try {
    const { size } = await stat(file);
    if (size > maxFileBytes) {
      throw new Error("too large for a key");
    }
    const content = await readFile(file);
    const blocks = content.toString("latin1").match(armor);
    return blocks === null
      ? await readKeys({ binaryKeys: content })
      : (await Promise.all(blocks.map((armoredKeys) => readKeys({ armoredKeys })))).flat();
  } catch (error) {
    throw new InstallError("KeyMissing", `${file} holds no OpenPGP public key that can be read.`, { cause: error });
  }
}
