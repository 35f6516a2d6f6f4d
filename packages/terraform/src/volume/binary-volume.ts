import type { Platform } from "../platform.ts";
import type { Product } from "../product.ts";

/** What is to be installed, as the API accepted it. */
export interface InstallOrder {
  readonly product: Product;
  /** Left out: the newest release, or what the binary at `url` says of itself. */
  readonly version?: string | undefined;
  /** An https URL. May hold a user, a password and a query, which reach no file and no message. */
  readonly url?: string | undefined;
  /** SHA-256 of the archive: 64 hexadecimal digits in lower case. */
  readonly checksum?: string | undefined;
  /** Certificates in PEM form that are trusted for this download, besides the system's and the configured ones. */
  readonly caBundle?: string | undefined;
}

/** A binary on the volume, as the manifest beside it describes it. */
export interface InstalledBinary {
  readonly product: Product;
  readonly version: string;
  /** `<root>/<version>/terraform` or `<root>/opentofu-<version>/tofu` */
  readonly path: string;
  /** SHA-256 of the binary, in 64 hexadecimal digits. */
  readonly sha256: string;
  readonly size: number;
  readonly source: {
    /** Where the archive was asked for: without user, password and query. */
    readonly url: string;
    /** SHA-256 of the archive, in 64 hexadecimal digits. */
    readonly checksum: string;
  };
  /** Whether the archive was held against a given checksum or a signed one. */
  readonly verified: boolean;
  /** RFC 3339, UTC. */
  readonly installedAt: string;
}

/** The steps of an install, in order. */
export const installSteps = ["resolve", "download", "unpack", "prove", "place"] as const;
export type InstallStep = (typeof installSteps)[number];

export interface InstallOptions {
  readonly signal: AbortSignal;
  /** At the start of each step, and during a download about once per megabyte; bytes are of the archive. */
  readonly progress?: (step: InstallStep, bytes: number, totalBytes: number | undefined) => void;
}

/**
 * Binaries on a disk that several processes may share. `<root>/current` and `<root>/previous` are relative links to
 * binaries, replaced by rename: whoever runs `current` gets a complete, verified binary at every instant, or there is
 * none. Whatever is unfinished lies in `<root>/.temporary`.
 *
 * Errors that a user can act on are `InstallError`s. Aborting `signal` throws its reason.
 */
export interface BinaryVolume {
  readonly root: string;
  /**
   * Names the version where it can be known without the archive: the newest of the release index where neither version
   * nor URL is given, the one in the file name of a URL. Otherwise the order comes back as it is.
   */
  resolve(order: InstallOrder, options: { readonly signal: AbortSignal }): Promise<InstallOrder>;
  /** The archive of a release for any platform, with its signed checksum. @throws InstallError */
  archive(
    release: Pick<InstalledBinary, "product" | "version"> & { readonly platform: Platform },
    options: { readonly signal: AbortSignal },
  ): Promise<InstalledBinary["source"]>;
  /** What `current` leads to, by its manifest. Says nothing about health. */
  current(): Promise<InstalledBinary | undefined>;
  previous(): Promise<InstalledBinary | undefined>;
  /** Healthy: the file is there, has the recorded sha256, and runs as the recorded product and version. */
  isHealthy(binary: InstalledBinary): Promise<boolean>;
  /** On the volume, healthy or not. */
  find(product: Product, version: string): Promise<InstalledBinary | undefined>;
  list(): Promise<readonly InstalledBinary[]>;
  /** Downloads, verifies, unpacks, proves and places a binary without activating it. Repeatable after a kill at any instant. */
  install(order: InstallOrder, options: InstallOptions): Promise<InstalledBinary>;
  /** Places a binary that another volume has, such as the control plane's, from its bytes. */
  fill(
    binary: InstalledBinary,
    content: AsyncIterable<Uint8Array>,
    options: { readonly signal: AbortSignal },
  ): Promise<InstalledBinary>;
  /** Makes `current` lead to a binary on the volume and `previous` to the one before it. Repeatable. */
  activate(binary: Pick<InstalledBinary, "product" | "version">): Promise<void>;
  /** Removes `current` and `previous`; the binaries stay. */
  deactivate(): Promise<void>;
  /** Removes a binary that is not active, and `previous` with it if it leads there. */
  remove(product: Product, version: string): Promise<void>;
  /** Removes temporary files and half-switched links of dead processes. For each start, and before each job. */
  repair(): Promise<void>;
}
