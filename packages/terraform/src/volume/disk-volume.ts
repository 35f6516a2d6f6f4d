import { lstat, mkdir, readdir, rename, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { displayUrl } from "@rad/artifacts/download";
import type { DownloadedFile, Network, NetworkOptions } from "@rad/artifacts/download";
import { makeFolder, syncFolder } from "@rad/artifacts/files";
import type { Clock } from "@rad/core";
import { downloadArchive } from "../download/download-archive.ts";
import { findNewestRelease, findSignedChecksum } from "../download/find-release.ts";
import { installerNetwork } from "../download/installer-network.ts";
import { asInstallError, InstallError } from "../install-error.ts";
import { machinePlatform } from "../platform.ts";
import type { Platform } from "../platform.ts";
import type { Product } from "../product.ts";
import { entryOf, releaseUrls, versionInUrl } from "../release/release-layout.ts";
import type { ReleaseSource } from "../release/release-layout.ts";
import { readActiveLink, removeLink, removeLinks, repairLinks, switchLinks } from "./active-links.ts";
import { folderOf, linkTargetOf, nameOfFolder } from "./binary-folder.ts";
import type { BinaryName } from "./binary-folder.ts";
import type { BinaryVolume, InstalledBinary, InstallOptions, InstallOrder } from "./binary-volume.ts";
import { extractBinary, writeBinary } from "./extract-binary.ts";
import { hashFile } from "./hash-file.ts";
import { readManifest, writeManifest } from "./manifest.ts";
import { finishPlacing, packageName, placeBinary } from "./place-binary.ts";
import { proveBinary } from "./prove-binary.ts";
import { createTemporaryFolder, removeAbandoned } from "./temporary-folder.ts";

export interface InstallLimits {
  readonly maxArchiveBytes: number;
  readonly maxBinaryBytes: number;
  /** Of one download, from the first look-up to the last byte. */
  readonly downloadMs: number;
  /** Of a download without a single byte. */
  readonly idleMs: number;
  /** Of one run of a binary that is to say its version. */
  readonly runMs: number;
}

export interface BinaryVolumeOptions {
  /** Made when it is first needed. A link to a folder will do. */
  readonly root: string;
  readonly clock: Clock;
  /** Without `keys` those in `<root>/keys/<product>` count. */
  readonly sources?: Readonly<Partial<Record<Product, ReleaseSource>>>;
  /** Certificates in PEM form that are trusted for every download, besides the system's. */
  readonly caBundle?: string | undefined;
  readonly proxy?: NetworkOptions["proxy"];
  /** Finds the addresses of hosts; the system does unless a test says otherwise. */
  readonly lookup?: NetworkOptions["resolve"];
  readonly limits?: Partial<InstallLimits> | undefined;
  /** Of the machine that will run the binaries; this one, if left out. */
  readonly platform?: Platform;
}

const defaultLimits: InstallLimits = {
  maxArchiveBytes: 512 << 20,
  maxBinaryBytes: 1 << 30,
  downloadMs: 30 * 60_000,
  idleMs: 60_000,
  runMs: 60_000,
};

/** Costs nothing until it is used: neither the folder nor the HTTP client is touched. */
export function createBinaryVolume(options: BinaryVolumeOptions): BinaryVolume {
  return new DiskVolume(options);
}

/** Where an archive comes from, and what it must be. */
interface Origin {
  readonly url: string;
  readonly checksum: string | undefined;
}

class DiskVolume implements BinaryVolume {
  readonly root: string;
  readonly #options: BinaryVolumeOptions;
  readonly #limits: InstallLimits;
  readonly #platform: Platform;
  #sharedNetwork: Network | undefined;

  constructor(options: BinaryVolumeOptions) {
    this.root = resolve(options.root);
    this.#options = options;
    const given = Object.entries(options.limits ?? {}).filter(([, value]) => value !== undefined);
    this.#limits = { ...defaultLimits, ...Object.fromEntries(given) };
    this.#platform = options.platform ?? machinePlatform();
  }

  async resolve(order: InstallOrder, { signal }: { readonly signal: AbortSignal }): Promise<InstallOrder> {
    return await this.#explained(() => this.#resolve(order, this.#network(order), signal));
  }

  async archive(...[release, { signal }]: Parameters<BinaryVolume["archive"]>): Promise<InstalledBinary["source"]> {
    const { product, version, platform } = release;
    return await this.#explained(async () => {
      const lookup = { ...this.#lookup(product, this.#network({ product }), signal), platform };
      const urls = releaseUrls(product, version, platform, lookup.source);
      return {
        url: displayUrl(new URL(urls.archive)),
        checksum: await findSignedChecksum(product, version, urls, lookup),
      };
    });
  }

  async current(): Promise<InstalledBinary | undefined> {
    return await this.#linked("current");
  }

  async previous(): Promise<InstalledBinary | undefined> {
    return await this.#linked("previous");
  }

  async isHealthy({ product, version, path, sha256, size }: InstalledBinary): Promise<boolean> {
    try {
      const found = await lstat(path);
      if (!found.isFile() || found.size !== size || (await hashFile(path)) !== sha256) {
        return false;
      }
      await this.#prove(path, { product, version });
      return true;
    } catch (error) {
      if (asInstallError(error, this.root) instanceof InstallError) {
        return false;
      }
      throw error;
    }
  }

  async find(product: Product, version: string): Promise<InstalledBinary | undefined> {
    return await this.#explained(() => readManifest(this.root, { product, version }));
  }

  async list(): Promise<readonly InstalledBinary[]> {
    return await this.#explained(async () => {
      const folders = await readdir(this.root).catch(nothingThere);
      const names = folders.flatMap((folder) => nameOfFolder(folder) ?? []);
      const binaries = await Promise.all(names.map((name) => readManifest(this.root, name)));
      return binaries.filter((binary) => binary !== undefined);
    });
  }

  async install(order: InstallOrder, { signal, progress = () => {} }: InstallOptions): Promise<InstalledBinary> {
    return await this.#explained(async () => {
      await this.#prepareRoot();
      progress("resolve", 0, undefined);
      const network = this.#network(order);
      const { product, version } = await this.#resolve(order, network, signal);
      const origin = await this.#originOf({ ...order, version }, network, signal);
      await using temporary = await createTemporaryFolder(this.root);
      const archive = join(temporary.path, "archive");

      progress("download", 0, undefined);
      const downloaded = await downloadArchive(network, {
        url: origin.url,
        path: archive,
        sha256: origin.checksum,
        maxBytes: this.#limits.maxArchiveBytes,
        totalMs: this.#limits.downloadMs,
        idleMs: this.#limits.idleMs,
        signal,
        clock: this.#options.clock,
        onProgress: ({ bytes, totalBytes }) => progress("download", bytes, totalBytes),
      });

      progress("unpack", downloaded.bytes, downloaded.bytes);
      const target = await this.#packagedBinary(temporary.path, product);
      const binary = await extractBinary({
        product,
        archive,
        downloaded,
        target,
        maxBytes: this.#limits.maxBinaryBytes,
        signal,
      });

      progress("prove", downloaded.bytes, downloaded.bytes);
      const proven = await this.#prove(target, { product, version }, signal);

      progress("place", downloaded.bytes, downloaded.bytes);
      return await this.#place(temporary.path, binary, {
        product,
        version: proven,
        source: { url: displayUrl(new URL(origin.url)), checksum: downloaded.sha256 },
        verified: origin.checksum !== undefined,
        installedAt: this.#options.clock.now().toISOString(),
      });
    });
  }

  async fill(
    binary: InstalledBinary,
    content: AsyncIterable<Uint8Array>,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<InstalledBinary> {
    return await this.#explained(async () => {
      await this.#prepareRoot();
      await using temporary = await createTemporaryFolder(this.root);
      const target = await this.#packagedBinary(temporary.path, binary.product);
      const written = await writeBinary(target, atMost(content, binary.size), signal);
      if (written.sha256 !== binary.sha256) {
        const message = `The binary has the digest sha256:${written.sha256} instead of sha256:${binary.sha256}.`;
        throw new InstallError("ChecksumMismatch", message);
      }
      await this.#prove(target, binary, signal);
      return await this.#place(temporary.path, written, binary);
    });
  }

  async activate(binary: BinaryName): Promise<void> {
    await this.#explained(async () => {
      const path = join(this.root, linkTargetOf(binary));
      if (!(await lstat(path)).isFile()) {
        throw new InstallError("VolumeUnusable", `${path} is not a file. Remove it and install again.`);
      }
      await using temporary = await createTemporaryFolder(this.root);
      await switchLinks(this.root, temporary.path, binary);
    });
  }

  async deactivate(): Promise<void> {
    await this.#explained(async () => {
      if (await isFolder(this.root)) {
        await removeLinks(this.root);
      }
    });
  }

  async remove(product: Product, version: string): Promise<void> {
    await this.#explained(async () => {
      const name = { product, version };
      const folder = join(this.root, folderOf(name));
      if (!(await exists(folder))) {
        return;
      }
      if (await this.#isLinked("current", name)) {
        throw new Error("an active binary is not removed");
      }
      if (await this.#isLinked("previous", name)) {
        await removeLink(this.root, "previous");
      }
      // Out of sight by one rename, so that no crash leaves half of it under its name.
      await using temporary = await createTemporaryFolder(this.root);
      await rename(folder, join(temporary.path, "removed"));
      await syncFolder(this.root);
    });
  }

  async repair(): Promise<void> {
    await this.#explained(async () => {
      if (await isFolder(this.root)) {
        await removeAbandoned(this.root, (folder) => finishPlacing(this.root, folder));
        await repairLinks(this.root);
      }
    });
  }

  async #resolve(order: InstallOrder, network: Network, signal: AbortSignal): Promise<InstallOrder> {
    const { product, url } = order;
    if (order.version !== undefined) {
      return order;
    }
    const version = url === undefined ? await this.#newest(product, network, signal) : versionInUrl(product, url);
    return version === undefined ? order : { ...order, version };
  }

  async #newest(product: Product, network: Network, signal: AbortSignal): Promise<string> {
    return await findNewestRelease(product, this.#lookup(product, network, signal));
  }

  /** The version of an order without a URL is known by now. */
  async #originOf(order: InstallOrder, network: Network, signal: AbortSignal): Promise<Origin> {
    const { product, version = "", url, checksum } = order;
    if (url !== undefined) {
      return { url, checksum };
    }
    const lookup = this.#lookup(product, network, signal);
    const urls = releaseUrls(product, version, this.#platform, lookup.source);
    return {
      url: urls.archive,
      checksum: checksum ?? (await findSignedChecksum(product, version, urls, lookup)),
    };
  }

  #lookup(product: Product, network: Network, signal: AbortSignal) {
    const given = this.#options.sources?.[product];
    const source = { ...given, keys: given?.keys ?? [join(this.root, "keys", product)] };
    const { clock } = this.#options;
    return { network, source, platform: this.#platform, totalMs: this.#limits.downloadMs, signal, clock };
  }

  /** Orders without certificates of their own share one: its authorities are parsed once. */
  #network({ caBundle }: InstallOrder): Network {
    const { caBundle: configured, proxy, lookup: resolve } = this.#options;
    if (caBundle !== undefined) {
      return installerNetwork({ ca: [configured, caBundle], proxy, resolve });
    }
    this.#sharedNetwork ??= installerNetwork({ ca: [configured], proxy, resolve });
    return this.#sharedNetwork;
  }

  async #packagedBinary(temporary: string, product: Product): Promise<string> {
    const folder = join(temporary, packageName);
    await mkdir(folder, { mode: 0o755 });
    return join(folder, entryOf(product));
  }

  async #prove(
    path: string,
    { product, version }: Pick<InstallOrder, "product" | "version">,
    signal?: AbortSignal,
  ): Promise<string> {
    const expected = { product, version, platform: this.#platform };
    return await proveBinary(path, expected, { timeoutMs: this.#limits.runMs, signal });
  }

  async #place(
    temporary: string,
    { bytes, sha256 }: DownloadedFile,
    about: Omit<InstalledBinary, "path" | "sha256" | "size">,
  ): Promise<InstalledBinary> {
    const binary = { ...about, sha256, size: bytes };
    await writeManifest(join(temporary, packageName), binary);
    await placeBinary(this.root, temporary, about);
    return { ...binary, path: join(this.root, linkTargetOf(about)) };
  }

  async #linked(link: "current" | "previous"): Promise<InstalledBinary | undefined> {
    return await this.#explained(async () => {
      const name = await readActiveLink(this.root, link);
      return name === undefined ? undefined : await readManifest(this.root, name);
    });
  }

  async #isLinked(link: "current" | "previous", name: BinaryName): Promise<boolean> {
    const linked = await readActiveLink(this.root, link);
    return linked !== undefined && folderOf(linked) === folderOf(name);
  }

  async #prepareRoot(): Promise<void> {
    const link = await lstat(this.root).catch(() => undefined);
    if (link?.isSymbolicLink() === true && !(await isFolder(this.root))) {
      throw new InstallError(
        "VolumeUnusable",
        `The volume ${this.root} is a link that leads to no folder. Mount the volume, or correct the link.`,
      );
    }
    await makeFolder(this.root);
  }

  /** Runs what may fail because of the disk or the network, and says so in words for users. */
  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw asInstallError(error, this.root);
    }
  }
}

async function* atMost(content: AsyncIterable<Uint8Array>, maxBytes: number): AsyncIterable<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new InstallError(
        "ChecksumMismatch",
        `The binary is larger than the ${maxBytes} bytes that it should have.`,
      );
    }
    yield chunk;
  }
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function nothingThere(error: unknown): string[] {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") {
    return [];
  }
  throw error;
}
