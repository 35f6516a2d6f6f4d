import { hash, randomBytes } from "node:crypto";
import { machinePlatform } from "../platform.ts";
import { createReleaseKey, signatureOf } from "../tests/mirror.ts";
import { startFileServer } from "./file-server.ts";
import type { FileServerOptions, MirrorRequest } from "./file-server.ts";
import { startHostProxy } from "./host-proxy.ts";
import type { ActiveFault, FaultOptions, MirrorFault } from "./mirror-fault.ts";
import type { ProviderPackage, PublishedProvider } from "./provider-mirror.ts";

/**
 * Terraform's public registry of providers on this machine, in the public protocol: what `direct` installation asks. It is
 * reached under its own name through a proxy, which leads nowhere else.
 */
export interface ProviderRegistry extends AsyncDisposable {
  /** For `HTTPS_PROXY`. */
  readonly proxyUrl: string;
  readonly requests: readonly MirrorRequest[];
  /** Connections to the registry that the proxy made. */
  readonly reachedHosts: readonly string[];
  /** Hosts that clients asked the proxy for, and that are not the registry. */
  readonly refusedHosts: readonly string[];
  /** Publishes a version with its signed sums. */
  publish(provider: ProviderPackage): Promise<PublishedProvider>;
  fault(paths: RegExp, fault: MirrorFault, options?: FaultOptions): ActiveFault;
}

const publicHost = "registry.terraform.io";

export async function startProviderRegistry(options: Pick<FileServerOptions, "ca"> = {}): Promise<ProviderRegistry> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startFileServer({ ...options, names: [publicHost] }));
  const { files, requests } = server;
  const port = Number(new URL(server.url).port);
  const proxy = stack.use(
    await startHostProxy({ portOf: (host) => (host === `${publicHost}:443` ? port : undefined) }),
  );
  const key = await createReleaseKey("Publisher of the providers");
  const { os, arch } = machinePlatform();
  const versions = new Map<string, Set<string>>();
  files.set("/.well-known/terraform.json", json({ "providers.v1": "/v1/providers/" }));
  const owned = stack.move();
  return {
    proxyUrl: proxy.url,
    requests,
    reachedHosts: proxy.reachedHosts,
    refusedHosts: proxy.refusedHosts,
    publish: async ({ address, version, archive }) => {
      const known = versions.get(address) ?? new Set<string>();
      versions.set(address, known.add(version));
      const filename = `terraform-provider-${address.split("/").at(-1)}_${version}_${os}_${arch}.zip`;
      const place = `/open/${randomBytes(12).toString("hex")}`;
      const sums = `${hash("sha256", archive)}  ${filename}\n`;
      files.set(`${place}/${filename}`, { content: archive });
      files.set(`${place}/SHA256SUMS`, { content: Buffer.from(sums) });
      files.set(`${place}/SHA256SUMS.sig`, { content: await signatureOf(sums, key) });
      const protocols = ["5.0"];
      const list = [...known].map((each) => ({ version: each, protocols, platforms: [{ os, arch }] }));
      files.set(`/v1/providers/${address}/versions`, json({ versions: list }));
      files.set(
        `/v1/providers/${address}/${version}/download/${os}/${arch}`,
        json({
          protocols,
          os,
          arch,
          filename,
          download_url: `${place}/${filename}`,
          shasums_url: `${place}/SHA256SUMS`,
          shasums_signature_url: `${place}/SHA256SUMS.sig`,
          shasum: hash("sha256", archive),
          signing_keys: { gpg_public_keys: [{ key_id: "", ascii_armor: key.publicKey }] },
        }),
      );
      return {
        downloads: () =>
          requests.filter(({ method, path }) => method === "GET" && path === `${place}/${filename}`).length,
      };
    },
    fault: (paths, fault, faultOptions) => server.fault(paths, fault, faultOptions),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function json(value: unknown) {
  return { content: Buffer.from(JSON.stringify(value)), headers: { "content-type": "application/json" } };
}
