import { hash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { machinePlatform } from "../platform.ts";
import type { Product } from "../product.ts";
import { indexUrlOf, releaseUrls } from "../release/release-layout.ts";
import { createReleaseKey, signatureOf } from "../tests/mirror.ts";
import { releaseZip } from "../tests/stand-in.ts";
import { startFileServer } from "./file-server.ts";
import type { MirrorRequest } from "./file-server.ts";
import type { ActiveFault, FaultOptions, MirrorFault } from "./mirror-fault.ts";
import type { RealBinary } from "./real-binaries.ts";

/** One release on the mirror. */
export interface PublishedRelease {
  readonly product: Product;
  readonly version: string;
  /** URL of the archive. */
  readonly url: string;
  /** SHA-256 of the archive, in 64 hexadecimal digits. */
  readonly checksum: string;
  /** How often the archive was asked for, ranges included. */
  downloads(): number;
}

/**
 * An HTTPS mirror of release files on this machine, with a certificate authority and an OpenPGP key of its own. It serves
 * `SHA256SUMS`, their signatures and the indexes of both products, and answers ranges.
 */
export interface ReleaseMirror extends AsyncDisposable {
  readonly url: string;
  /** Of its authority, in PEM form. */
  readonly ca: string;
  readonly caFile: string;
  /** Of the OpenPGP public key that releases are signed with. */
  readonly keyFile: string;
  /** The configuration of a control plane that uses this mirror for both products: `terraform.installer`. */
  readonly settings: MirrorSettings;
  /** In order. */
  readonly requests: readonly MirrorRequest[];
  /** Publishes a small stand-in that answers `version` and `version -json`, or an archive that the test has made. */
  publish(product: Product, version: string, archive?: Buffer): Promise<PublishedRelease>;
  publishReal(binary: RealBinary): Promise<PublishedRelease>;
  /** Requests for paths that match meet the fault, the oldest first. */
  fault(paths: RegExp, fault: MirrorFault, options?: FaultOptions): ActiveFault;
}

interface SourceSettings {
  readonly defaultSourceUrl: string;
  readonly keys: readonly string[];
}

interface MirrorSettings extends SourceSettings {
  readonly caBundle: string;
  readonly opentofu: SourceSettings;
}

export async function startReleaseMirror(): Promise<ReleaseMirror> {
  const server = await startFileServer();
  const { url, files, requests } = server;
  const key = await createReleaseKey("Releases of the mirror");
  const keyFile = path.join(server.folder, "releases.asc");
  await writeFile(keyFile, key.publicKey);
  const versions: Record<Product, string[]> = { terraform: [], opentofu: [] };
  const source = { defaultSourceUrl: url, keys: [keyFile] };

  async function publish(product: Product, version: string, archive: Buffer): Promise<PublishedRelease> {
    const urls = releaseUrls(product, version, machinePlatform(), { baseUrl: url });
    const checksum = hash("sha256", archive);
    const sums = `${"0".repeat(64)}  another.zip\n${checksum}  ${urls.archiveName}\n`;
    const { pathname } = new URL(urls.archive);
    files.set(pathname, { content: archive });
    files.set(new URL(urls.sums).pathname, { content: Buffer.from(sums) });
    files.set(new URL(urls.signature).pathname, { content: await signatureOf(sums, key) });
    versions[product].push(version);
    files.set(new URL(indexUrlOf(product, { baseUrl: url })).pathname, {
      content: indexOf(product, versions[product]),
    });
    return {
      product,
      version,
      url: urls.archive,
      checksum,
      downloads: () => requests.filter((request) => request.path === pathname).length,
    };
  }

  return {
    url,
    ca: server.ca,
    caFile: server.caFile,
    keyFile,
    settings: { ...source, caBundle: server.caFile, opentofu: source },
    requests,
    publish: (product, version, archive = releaseZip(version, product)) => publish(product, version, archive),
    publishReal: async ({ product, version, archive }) => await publish(product, version, await readFile(archive)),
    fault: (paths, fault, options) => server.fault(paths, fault, options),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function indexOf(product: Product, versions: readonly string[]): Buffer {
  const { os, arch } = machinePlatform();
  const index =
    product === "terraform"
      ? { name: "terraform", versions: Object.fromEntries(versions.map((v) => [v, { builds: [{ os, arch }] }])) }
      : { versions: versions.map((id) => ({ id, files: [`tofu_${id}_${os}_${arch}.zip`] })) };
  return Buffer.from(JSON.stringify(index));
}
