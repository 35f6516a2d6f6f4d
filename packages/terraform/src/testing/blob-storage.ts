import { createHmac, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { createCa, createLeaf, startWebServer } from "@rad/artifacts/testing";
import type { Certificate } from "@rad/artifacts/testing";
import { startHostProxy } from "./host-proxy.ts";
import { forward } from "./tls-front.ts";
import { installedAzurite } from "./tools/azurite.ts";
import { startChildServer } from "./tools/child-server.ts";

/** A storage account on this machine, reached under its public name through a proxy. */
export interface BlobStorage extends AsyncDisposable {
  readonly account: string;
  /** Of the account; requests that are signed with another one are refused. */
  readonly key: string;
  /** That exists. */
  readonly container: string;
  /** For `HTTPS_PROXY`; it leads to the account and to nothing else. */
  readonly proxyUrl: string;
  readonly caFile: string;
  /** `METHOD path` of requests, in order. */
  readonly requests: readonly string[];
  /** Hosts that clients asked the proxy for and that are not the account's. */
  readonly refusedHosts: readonly string[];
  /** Names of what is in the container. */
  blobs(): Promise<string[]>;
  /** Content of a blob. */
  read(name: string): Promise<string>;
}

export async function startBlobStorage(options: { readonly ca?: Certificate } = {}): Promise<BlobStorage> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), "rad-blobs-"));
  stack.defer(async () => await rm(folder, { recursive: true, force: true }));
  const ca = options.ca ?? createCa("authority of the storage account");
  const caFile = path.join(folder, "ca.pem");
  await writeFile(caFile, ca.cert);
  const account = `rad${randomBytes(6).toString("hex")}`;
  const key = randomBytes(64).toString("base64");
  const publicHost = `${account}.blob.core.windows.net`;

  const azurite = stack.use(
    await startChildServer(
      process.execPath,
      [
        `--import=data:text/javascript,process.stdin.resume().on("end",()=>process.exit())`,
        await installedAzurite(),
        "--blobPort",
        "0",
        "--inMemoryPersistence",
        "--skipApiVersionCheck",
        "--disableTelemetry",
        "--silent",
      ],
      {
        address: /successfully listens on http:\/\/127\.0\.0\.1:(\d+)/u,
        cwd: folder,
        env: { AZURITE_ACCOUNTS: `${account}:${key}` },
      },
    ),
  );
  const server = { host: "127.0.0.1", port: Number(azurite.address) };
  const requests: string[] = [];
  const front = stack.use(
    await startWebServer(
      (incoming, response) => {
        requests.push(`${incoming.method} ${incoming.url}`);
        buffer(incoming)
          .then((body) => forward(incoming, response, server, body))
          .catch((error: Error) => response.destroy(error));
      },
      createLeaf(publicHost, ca, { names: [publicHost] }),
    ),
  );
  const proxy = stack.use(
    await startHostProxy({ portOf: (host) => (host === `${publicHost}:443` ? front.port : undefined) }),
  );

  /** As the account's owner, past the front. */
  async function own(method: string, url: string, parameters: Readonly<Record<string, string>>): Promise<Response> {
    const headers = signed(method, url, parameters, { account, key });
    const query = new URLSearchParams(parameters).toString();
    const target = `http://127.0.0.1:${server.port}/${account}${url}${query === "" ? "" : `?${query}`}`;
    const response = await fetch(target, { method, headers });
    if (!response.ok) {
      throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    }
    return response;
  }

  const container = "states";
  await own("PUT", `/${container}`, { restype: "container" });
  const owned = stack.move();
  return {
    account,
    key,
    container,
    proxyUrl: proxy.url,
    caFile,
    requests,
    refusedHosts: proxy.refusedHosts,
    blobs: async () => {
      const list = await (await own("GET", `/${container}`, { comp: "list", restype: "container" })).text();
      return [...list.matchAll(/<Name>([^<]+)<\/Name>/gu)].map((match) => match[1] ?? "");
    },
    read: async (name) => await (await own("GET", `/${container}/${name}`, {})).text(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Headers of a request without content, in the scheme SharedKey. */
function signed(
  method: string,
  url: string,
  parameters: Readonly<Record<string, string>>,
  { account, key }: { readonly account: string; readonly key: string },
): Record<string, string> {
  const headers = { "x-ms-date": new Date().toUTCString(), "x-ms-version": "2021-12-02" };
  const canonicalHeaders = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const query = Object.entries(parameters)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, value]) => `\n${name}:${value}`);
  // Paths of azurite begin with the account, which the signature has once more.
  const resource = `/${account}/${account}${url}${query.join("")}`;
  const text = `${method}${"\n".repeat(12)}${canonicalHeaders.join("")}${resource}`;
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
  return { ...headers, authorization: `SharedKey ${account}:${signature}` };
}
