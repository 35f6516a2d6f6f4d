import type { Platform } from "../platform.ts";
import type { Product } from "../product.ts";
import { isReleaseVersion } from "./version.ts";

/** Where the releases of a product are, each part replaceable by configuration. */
export interface ReleaseSource {
  /** An https URL; the product's own place if left out. */
  readonly baseUrl?: string | undefined;
  /** Of the list of all releases. Below `baseUrl` if left out. */
  readonly indexUrl?: string | undefined;
  /** Files with OpenPGP public keys, armored or binary, and folders of such files. */
  readonly keys?: readonly string[] | undefined;
}

/** The files of one release. */
export interface ReleaseUrls {
  readonly archive: string;
  /** Name of the archive, as `SHA256SUMS` lists it. */
  readonly archiveName: string;
  readonly sums: string;
  readonly signature: string;
}

interface ProductLayout {
  /** The binary's name, in the archive and on the volume. */
  readonly entry: string;
  readonly filePrefix: string;
  readonly baseUrl: string;
  readonly releasePath: (version: string) => string;
  readonly signatureSuffix: string;
  /** Below a base that was configured. */
  readonly indexPath: string;
  /** Beside the product's own base. */
  readonly indexUrl: string;
}

const layouts: Readonly<Record<Product, ProductLayout>> = {
  terraform: {
    entry: "terraform",
    filePrefix: "terraform",
    baseUrl: "https://releases.hashicorp.com",
    releasePath: (version) => `terraform/${version}`,
    signatureSuffix: ".sig",
    indexPath: "terraform/index.json",
    indexUrl: "https://releases.hashicorp.com/terraform/index.json",
  },
  opentofu: {
    entry: "tofu",
    filePrefix: "tofu",
    baseUrl: "https://github.com/opentofu/opentofu/releases/download",
    releasePath: (version) => `v${version}`,
    signatureSuffix: ".gpgsig",
    indexPath: "api.json",
    indexUrl: "https://get.opentofu.org/tofu/api.json",
  },
};

/** The name of the binary, in the archive and on the volume. */
export function entryOf(product: Product): string {
  return layouts[product].entry;
}

export function indexUrlOf(product: Product, { baseUrl, indexUrl }: ReleaseSource): string {
  const layout = layouts[product];
  return indexUrl ?? (baseUrl === undefined ? layout.indexUrl : below(baseUrl, layout.indexPath));
}

export function releaseUrls(
  product: Product,
  version: string,
  { os, arch }: Platform,
  { baseUrl }: ReleaseSource,
): ReleaseUrls {
  const layout = layouts[product];
  const at = (name: string) => below(baseUrl ?? layout.baseUrl, `${layout.releasePath(version)}/${name}`);
  const archiveName = `${layout.filePrefix}_${version}_${os}_${arch}.zip`;
  const sumsName = `${layout.filePrefix}_${version}_SHA256SUMS`;
  return {
    archive: at(archiveName),
    archiveName,
    sums: at(sumsName),
    signature: at(`${sumsName}${layout.signatureSuffix}`),
  };
}

/** The version in a file name such as `terraform_1.6.4_linux_amd64.zip`. */
export function versionInUrl(product: Product, url: string): string | undefined {
  const name = URL.parse(url)?.pathname.split("/").at(-1) ?? "";
  const [prefix, version = "", ...platform] = decodeName(name).split("_");
  const isRelease = prefix === layouts[product].filePrefix && platform.length >= 2 && isReleaseVersion(version);
  return isRelease ? version : undefined;
}

/** Keeps user, password and query of the base: mirrors may ask for them with every file. */
function below(base: string, path: string): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/u, "")}/${path}`;
  return url.href;
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
