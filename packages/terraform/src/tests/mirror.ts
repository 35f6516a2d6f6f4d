import { hash } from "node:crypto";
import type { RequestListener } from "node:http";
import { createCa, createLeaf, startWebServer } from "@rad/artifacts/testing";
import type { Certificate, WebServer } from "@rad/artifacts/testing";
import { createMessage, generateKey, readPrivateKey, sign } from "openpgp";
import { machinePlatform } from "../platform.ts";
import type { Product } from "../product.ts";
import { releaseUrls } from "../release/release-layout.ts";
import { releaseZip } from "./stand-in.ts";

/** Made once per process: keys cost more than the tests. */
export const ca = createCa("test authority");
const leaf = createLeaf("127.0.0.1", ca);

export interface ReleaseKey {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly revocationCertificate: string;
}

export async function createReleaseKey(
  name: string,
  options: { from?: Date; seconds?: number } = {},
): Promise<ReleaseKey> {
  return await generateKey({
    userIDs: [{ name }],
    ...(options.from === undefined ? {} : { date: options.from }),
    ...(options.seconds === undefined ? {} : { keyExpirationTime: options.seconds }),
  });
}

export async function signatureOf(content: string, key: ReleaseKey, date?: Date): Promise<Buffer> {
  const signingKeys = await readPrivateKey({ armoredKey: key.privateKey });
  const signature = await sign({
    message: await createMessage({ binary: Buffer.from(content) }),
    signingKeys,
    detached: true,
    format: "binary",
    ...(date === undefined ? {} : { date }),
  });
  return Buffer.from(signature);
}

export interface Mirror extends AsyncDisposable {
  readonly url: string;
  readonly server: WebServer;
  /** Paths with queries, in order. */
  readonly requests: string[];
  /** By path. */
  readonly files: Map<string, Buffer | string | RequestListener>;
  /** Publishes a whole release and its signed sums. @returns the archive's checksum */
  publish(version: string, options: PublishOptions): Promise<string>;
}

export interface PublishOptions {
  readonly product?: Product;
  readonly key: ReleaseKey;
  readonly archive?: Buffer;
}

/** An HTTPS server with release layouts on this machine. */
export async function startMirror(certificate: Certificate = leaf): Promise<Mirror> {
  const requests: string[] = [];
  const files: Mirror["files"] = new Map();
  const server = await startWebServer((request, response) => {
    const { url = "" } = request;
    requests.push(url);
    const file = files.get(url.split("?")[0] ?? "");
    if (typeof file === "function") {
      file(request, response);
    } else if (file === undefined) {
      response.writeHead(404).end("not here");
    } else {
      response.writeHead(200, { etag: '"1"' }).end(file);
    }
  }, certificate);
  return {
    url: server.url,
    server,
    requests,
    files,
    publish: async (version, { product = "terraform", key, archive = releaseZip(version, product) }) => {
      const urls = releaseUrls(product, version, machinePlatform(), { baseUrl: server.url });
      const checksum = hash("sha256", archive);
      const sums = `${"0".repeat(64)}  other.zip\n${checksum}  ${urls.archiveName}\n`;
      files.set(pathOf(urls.archive), archive);
      files.set(pathOf(urls.sums), sums);
      files.set(pathOf(urls.signature), await signatureOf(sums, key));
      return checksum;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export function pathOf(url: string): string {
  return new URL(url).pathname;
}
