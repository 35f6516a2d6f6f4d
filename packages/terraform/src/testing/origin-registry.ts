import { hash } from "node:crypto";
import { readKey } from "openpgp";
import { machinePlatform } from "../platform.ts";
import { createReleaseKey, signatureOf } from "../tests/mirror.ts";
import { startFileServer } from "./file-server.ts";
import type { FileServerOptions } from "./file-server.ts";
import type { ProviderPackage } from "./provider-mirror.ts";

/**
 * The origin registry of providers on this machine, in the public protocol with signed checksums: what Terraform asks where
 * no mirror is configured, as in environments with `recipeConfig`.
 */
export interface OriginRegistry extends AsyncDisposable {
  readonly caFile: string;
  /** @returns the address for `required_providers`: `127.0.0.1:port/NAMESPACE/TYPE` */
  publish(provider: ProviderPackage): Promise<string>;
}

export async function startOriginRegistry(options: Pick<FileServerOptions, "ca"> = {}): Promise<OriginRegistry> {
  const server = await startFileServer(options);
  const { files, host, url } = server;
  const { os, arch } = machinePlatform();
  const key = await createReleaseKey("Providers of the registry");
  const keyId = (await readKey({ armoredKey: key.publicKey })).getKeyID().toHex().toUpperCase();
  const json = (path: string, value: unknown): void => {
    files.set(path, {
      content: Buffer.from(JSON.stringify(value)),
      headers: { "content-type": "application/json" },
    });
  };
  json("/.well-known/terraform.json", { "providers.v1": "/v1/providers/" });
  return {
    caFile: server.caFile,
    publish: async ({ address, version, archive }) => {
      const [namespace = "", type = ""] = address.split("/").slice(-2);
      const folder = `/v1/providers/${namespace}/${type}`;
      const name = `terraform-provider-${type}_${version}_${os}_${arch}.zip`;
      const checksum = hash("sha256", archive);
      const sums = `${checksum}  ${name}\n`;
      json(`${folder}/versions`, { versions: [{ version, protocols: ["5.0"], platforms: [{ os, arch }] }] });
      json(`${folder}/${version}/download/${os}/${arch}`, {
        protocols: ["5.0"],
        os,
        arch,
        filename: name,
        download_url: `${url}/files/${name}`,
        shasums_url: `${url}/files/${version}_SHA256SUMS`,
        shasums_signature_url: `${url}/files/${version}_SHA256SUMS.sig`,
        shasum: checksum,
        signing_keys: { gpg_public_keys: [{ key_id: keyId, ascii_armor: key.publicKey }] },
      });
      files.set(`/files/${name}`, { content: archive });
      files.set(`/files/${version}_SHA256SUMS`, { content: Buffer.from(sums) });
      files.set(`/files/${version}_SHA256SUMS.sig`, { content: await signatureOf(sums, key) });
      return `${host}/${namespace}/${type}`;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
