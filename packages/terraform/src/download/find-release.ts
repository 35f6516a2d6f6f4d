import type { Network } from "@rad/artifacts/download";
import type { Clock } from "@rad/core";
import { InstallError } from "../install-error.ts";
import type { Platform } from "../platform.ts";
import { productNames } from "../product.ts";
import type { Product } from "../product.ts";
import { checksumOf } from "../release/checksums.ts";
import { newestRelease } from "../release/release-index.ts";
import { readReleaseKeys } from "../release/release-keys.ts";
import { indexUrlOf } from "../release/release-layout.ts";
import type { ReleaseSource, ReleaseUrls } from "../release/release-layout.ts";
import { checkSignature } from "../release/signature.ts";
import { fetchReleaseFile } from "./fetch-release-file.ts";

export interface ReleaseLookup {
  readonly network: Network;
  readonly source: ReleaseSource;
  readonly platform: Platform;
  readonly totalMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const maxIndexBytes = 64 << 20;
const maxSumsBytes = 1 << 20;
const maxSignatureBytes = 64 << 10;

/** @throws ArtifactError, InstallError */
export async function findNewestRelease(product: Product, lookup: ReleaseLookup): Promise<string> {
  const { network, source, platform, ...rest } = lookup;
  const index = await fetchReleaseFile(network, {
    ...rest,
    url: indexUrlOf(product, source),
    what: `the index of ${productNames[product]} releases`,
    maxBytes: maxIndexBytes,
  });
  return await newestRelease(product, Buffer.from(index).toString("utf8"), platform);
}

/** The checksum of a release's archive, from `SHA256SUMS` after its signature was checked. @throws ArtifactError, InstallError */
export async function findSignedChecksum(
  product: Product,
  version: string,
  urls: ReleaseUrls,
  lookup: ReleaseLookup,
): Promise<string> {
  const { network, source, ...rest } = lookup;
  const name = `${productNames[product]} ${version}`;
  // First: without a key nothing has to be downloaded to know that this ends here.
  const keys = await readReleaseKeys(product, source.keys ?? []);
  const [content, signature] = await Promise.all([
    fetchReleaseFile(network, {
      ...rest,
      url: urls.sums,
      what: `the SHA256SUMS of ${name}`,
      maxBytes: maxSumsBytes,
    }),
    fetchReleaseFile(network, {
      ...rest,
      url: urls.signature,
      what: `the signature of the SHA256SUMS of ${name}`,
      maxBytes: maxSignatureBytes,
    }),
  ]).catch((error: unknown) => {
    throw error instanceof InstallError && error.code === "NotPublished"
      ? new InstallError("NotPublished", `${error.message} Check the version, or give the checksum of the archive.`)
      : error;
  });
  await checkSignature({ content, signature, keys, now: lookup.clock.now() });
  return checksumOf(Buffer.from(content).toString("utf8"), urls.archiveName);
}
