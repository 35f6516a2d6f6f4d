import { hash, randomBytes } from "node:crypto";
import { machinePlatform } from "../platform.ts";
import { startFileServer } from "./file-server.ts";
import type { FileServerOptions, MirrorRequest } from "./file-server.ts";
import type { ActiveFault, FaultOptions, MirrorFault } from "./mirror-fault.ts";

/** A provider as a zip, such as `testProvider()` and `realProvider()` give. */
export interface ProviderPackage {
  /** `hashicorp/aws`, below both public registries, or with a host: `registry.terraform.io/hashicorp/aws`. */
  readonly address: string;
  readonly version: string;
  readonly archive: Buffer;
  /** `linux_arm64`; that of this machine when absent. */
  readonly platform?: string;
}

export interface PublishedProvider {
  /** How often the archive was asked for. */
  downloads(): number;
}

/** A provider network mirror on this machine, in the public protocol. */
export interface ProviderMirror extends AsyncDisposable {
  /** For `network_mirror { url = … }`. */
  readonly url: string;
  /** `127.0.0.1:port`, as `credentials` blocks name it. */
  readonly host: string;
  readonly ca: string;
  readonly caFile: string;
  readonly requests: readonly MirrorRequest[];
  /** Publishes a version, or puts other content in its place. */
  publish(provider: ProviderPackage): PublishedProvider;
  /** Content of archives and indexes that was sent so far. */
  bytes(): number;
  setToken(token: string | undefined): void;
  /** `status` for what is missing, `corrupt` for content that is not what its hash says, `stall`. */
  fault(paths: RegExp, fault: MirrorFault, options?: FaultOptions): ActiveFault;
}

/** The registries whose providers a short address means, by Terraform and by OpenTofu. */
const publicHosts = ["registry.terraform.io", "registry.opentofu.org"];

export async function startProviderMirror(options: FileServerOptions = {}): Promise<ProviderMirror> {
  const server = await startFileServer(options);
  const { files, requests } = server;
  const { os, arch } = machinePlatform();
  const versions = new Map<string, Set<string>>();
  const archivesOf = new Map<string, Record<string, { url: string; hashes: string[] }>>();

  function publishAt(address: string, { version, archive, platform = `${os}_${arch}` }: ProviderPackage): string {
    const folder = `/providers/${address}`;
    const name = `terraform-provider-${address.split("/").at(-1)}_${version}_${platform}.zip`;
    const known = versions.get(address) ?? new Set<string>();
    versions.set(address, known.add(version));
    // Terraform sends no token for the archive, so its path is what nobody can guess.
    const place = `/open/${randomBytes(12).toString("hex")}/${name}`;
    const archives = archivesOf.get(`${address} ${version}`) ?? {};
    archives[platform] = { url: place, hashes: [`zh:${hash("sha256", archive)}`] };
    archivesOf.set(`${address} ${version}`, archives);
    files.set(`${folder}/index.json`, json({ versions: Object.fromEntries([...known].map((key) => [key, {}])) }));
    files.set(`${folder}/${version}.json`, json({ archives }));
    files.set(place, { content: archive });
    return place;
  }

  return {
    url: `${server.url}/providers/`,
    host: server.host,
    ca: server.ca,
    caFile: server.caFile,
    requests,
    publish: (provider) => {
      const { address } = provider;
      const hasHost = address.split("/").length === 3;
      const addresses = hasHost ? [address] : publicHosts.map((host) => `${host}/${address}`);
      const paths = addresses.map((full) => publishAt(full, provider));
      return {
        downloads: () => requests.filter((request) => request.method === "GET" && paths.includes(request.path)).length,
      };
    },
    bytes: () => requests.reduce((sum, request) => sum + request.bytes, 0),
    setToken: (token) => server.setToken(token),
    fault: (paths, fault, faultOptions) => server.fault(paths, fault, faultOptions),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function json(value: unknown) {
  return { content: Buffer.from(JSON.stringify(value)), headers: { "content-type": "application/json" } };
}
