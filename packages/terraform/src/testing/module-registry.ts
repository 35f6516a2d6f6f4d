import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { tarOf, zipOf } from "@rad/artifacts/testing";
import { startFileServer } from "./file-server.ts";
import type { FileServerOptions, MirrorRequest } from "./file-server.ts";
import type { ActiveFault, FaultOptions, MirrorFault } from "./mirror-fault.ts";

/** Text of files by their paths: `{ "main.tf": "…" }`. */
export type ModuleFiles = Readonly<Record<string, string>>;

export interface PublishedModule {
  /** For `source`: `127.0.0.1:port/NAMESPACE/NAME/SYSTEM`. */
  readonly source: string;
  /** How often the archive of this version was asked for. */
  downloads(): number;
}

/** A registry of modules on this machine, in the public protocol, and a server of module archives. */
export interface ModuleRegistry extends AsyncDisposable {
  readonly url: string;
  /** `127.0.0.1:port`, as `credentials` blocks and sources name it. */
  readonly host: string;
  readonly ca: string;
  readonly caFile: string;
  readonly requests: readonly MirrorRequest[];
  /** @param address `NAMESPACE/NAME/SYSTEM` */
  publish(address: string, version: string, files: ModuleFiles): PublishedModule;
  /** A version that is kept elsewhere. @param location such as `git::https://…` @returns its source */
  publishAt(address: string, version: string, location: string): string;
  /** Serves a zip without asking for the token. @returns its URL, which is a module source */
  publishArchive(name: string, files: ModuleFiles): string;
  /** Content that was sent so far, answers of the protocol included. */
  bytes(): number;
  setToken(token: string | undefined): void;
  fault(paths: RegExp, fault: MirrorFault, options?: FaultOptions): ActiveFault;
}

export async function startModuleRegistry(options: FileServerOptions = {}): Promise<ModuleRegistry> {
  const server = await startFileServer(options);
  const { files, requests } = server;
  const versions = new Map<string, Set<string>>();

  files.set("/.well-known/terraform.json", json({ "modules.v1": "/v1/modules/" }));

  const publishAt: ModuleRegistry["publishAt"] = (address, version, location) => {
    const known = versions.get(address) ?? new Set<string>();
    versions.set(address, known.add(version));
    const list = [...known].map((each) => ({ version: each }));
    files.set(`/v1/modules/${address}/versions`, json({ modules: [{ versions: list }] }));
    files.set(`/v1/modules/${address}/${version}/download`, {
      status: 204,
      headers: { "x-terraform-get": location },
      content: Buffer.alloc(0),
    });
    return `${server.host}/${address}`;
  };

  return {
    url: server.url,
    host: server.host,
    ca: server.ca,
    caFile: server.caFile,
    requests,
    publish: (address, version, content) => {
      // Terraform sends no token for the archive, so its path is what nobody can guess.
      const archive = `/open/${randomBytes(12).toString("hex")}/${address}/${version}.tar.gz`;
      files.set(archive, { content: gzipSync(tarOf(content)) });
      return {
        source: publishAt(address, version, `${server.url}${archive}?archive=tar.gz`),
        downloads: () => requests.filter((request) => request.method === "GET" && request.path === archive).length,
      };
    },
    publishAt,
    publishArchive: (name, content) => {
      const archive = `/open/archives/${name}.zip`;
      files.set(archive, { content: zipOf(Object.entries(content)) });
      return `${server.url}${archive}`;
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
