import { posix } from "node:path";
import type { Product } from "../product.ts";
import { entryOf } from "../release/release-layout.ts";
import { isReleaseVersion } from "../release/version.ts";

/** Which binary a folder of the volume is for. */
export interface BinaryName {
  readonly product: Product;
  readonly version: string;
}

const tofuPrefix = "opentofu-";

/** `<version>` for Terraform, `opentofu-<version>` for OpenTofu: equal version numbers never meet. */
export function folderOf({ product, version }: BinaryName): string {
  if (!isReleaseVersion(version)) {
    throw new Error("not a version, so not the name of a folder");
  }
  return product === "terraform" ? version : `${tofuPrefix}${version}`;
}

/** Where `current` and `previous` lead, from the root. */
export function linkTargetOf(name: BinaryName): string {
  return posix.join(folderOf(name), entryOf(name.product));
}

export function nameOfFolder(folder: string): BinaryName | undefined {
  const product = folder.startsWith(tofuPrefix) ? "opentofu" : "terraform";
  const version = product === "terraform" ? folder : folder.slice(tofuPrefix.length);
  return isReleaseVersion(version) ? { product, version } : undefined;
}

export function nameOfLinkTarget(target: string): BinaryName | undefined {
  const name = nameOfFolder(posix.dirname(target));
  return name !== undefined && linkTargetOf(name) === target ? name : undefined;
}
