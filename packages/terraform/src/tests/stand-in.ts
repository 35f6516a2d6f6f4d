import { zipOf } from "@rad/artifacts/testing";
import { machinePlatform } from "../platform.ts";
import type { Product } from "../product.ts";
import { entryOf } from "../release/release-layout.ts";

const { os, arch } = machinePlatform();

export interface StandInOptions {
  readonly product?: Product;
  /** As `version -json` says it. */
  readonly platform?: string;
}

/** A small program that answers `version` as the real ones do. */
export function standIn(version: string, { product = "terraform", platform = `${os}_${arch}` }: StandInOptions = {}) {
  const name = product === "terraform" ? "Terraform" : "OpenTofu";
  return `#!/bin/sh
case "$*" in
  "version -json") echo '{"terraform_version":"${version}","platform":"${platform}"}' ;;
  version) echo "${name} v${version}" ;;
  *) exit 2 ;;
esac
`;
}

/** A release archive, with the license that real ones carry. */
export function releaseZip(version: string, product: Product = "terraform"): Buffer {
  return zipOf([
    ["LICENSE.txt", "License text"],
    [entryOf(product), standIn(version, { product }), { mode: 0o100755 }],
  ]);
}
