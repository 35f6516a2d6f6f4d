import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { createCa, createLeaf, startWebServer } from "@rad/artifacts/testing";
import type { Certificate } from "@rad/artifacts/testing";
import { signatureProblem } from "./s3-signature.ts";
import { forward } from "./tls-front.ts";
import { startChildServer } from "./tools/child-server.ts";
import { ownGoTool } from "./tools/go-tool.ts";

/** S3 on this machine, over HTTPS, with buckets in the path. */
export interface S3Storage extends AsyncDisposable {
  /** For the endpoint of a client. */
  readonly url: string;
  readonly caFile: string;
  /** That exists. */
  readonly bucket: string;
  readonly accessKeyId: string;
  /** Requests that are signed with another one are refused. */
  readonly secretAccessKey: string;
  /** Arguments of a backend, but for the keys. */
  readonly backend: Readonly<Record<string, string | boolean | { readonly s3: string }>>;
  /** `METHOD path status` of requests, in order. */
  readonly requests: readonly string[];
  /** Names of what is in the bucket. */
  keys(): Promise<string[]>;
  /** Content of an object. */
  read(key: string): Promise<string>;
}

/** The path of `tools/s3-server`, which is built once. */
export async function builtS3Server(): Promise<string> {
  return await ownGoTool({
    folder: "s3-server",
    what: "s3-server, the buckets of the tests",
    cost: "about half a minute on two idle cores",
    packages: 200,
  });
}

export interface S3StorageOptions {
  /** Of its certificate; one of its own if left out. */
  readonly ca?: Certificate;
  /** A random one if left out. */
  readonly secretAccessKey?: string;
}

export async function startS3Storage(options: S3StorageOptions = {}): Promise<S3Storage> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), "rad-s3-"));
  stack.defer(async () => await rm(folder, { recursive: true, force: true }));
  const ca = options.ca ?? createCa("authority of the buckets");
  const caFile = path.join(folder, "ca.pem");
  await writeFile(caFile, ca.cert);
  const bucket = "states";
  const keys = {
    accessKeyId: `AKIA${randomBytes(8).toString("hex").toUpperCase()}`,
    secretAccessKey: options.secretAccessKey ?? randomBytes(30).toString("base64"),
  };
  const child = stack.use(
    await startChildServer(await builtS3Server(), [bucket], { address: /^127\.0\.0\.1:(\d+)$/u }),
  );
  const server = { host: "127.0.0.1", port: Number(child.address) };
  const requests: string[] = [];
  const front = stack.use(
    await startWebServer(
      (incoming, response) => {
        const { method = "", url = "", headers } = incoming;
        response.on("finish", () => requests.push(`${method} ${url} ${response.statusCode}`));
        const answer = async () => {
          const body = await buffer(incoming);
          const problem = signatureProblem({ method, url, headers, body }, keys);
          if (problem === undefined) {
            await forward(incoming, response, server, decoded(incoming, body));
          } else {
            const content = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${problem}</Code></Error>`;
            response.writeHead(403, { "content-type": "application/xml" }).end(content);
          }
        };
        answer().catch((error: Error) => response.destroy(error));
      },
      createLeaf("127.0.0.1", ca),
    ),
  );
  const own = async (url: string) => await (await fetch(`http://127.0.0.1:${server.port}/${bucket}${url}`)).text();
  const owned = stack.move();
  return {
    url: front.url,
    caFile,
    bucket,
    ...keys,
    backend: {
      bucket,
      key: "recipes",
      region: "eu-central-1",
      endpoints: { s3: front.url },
      useLockfile: true,
      usePathStyle: true,
      skipCredentialsValidation: true,
      skipMetadataApiCheck: true,
      skipRegionValidation: true,
      skipRequestingAccountId: true,
    },
    requests,
    keys: async () => [...(await own("")).matchAll(/<Key>([^<]+)<\/Key>/gu)].map((match) => match[1] ?? ""),
    read: async (key) => await own(`/${key}`),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Content without the chunks that clients send over HTTPS, in which a checksum follows the content: the server behind
 * takes content as it comes. Changes the headers of the request accordingly.
 */
function decoded(incoming: IncomingMessage, body: Buffer): Buffer {
  const { headers } = incoming;
  if (headers["x-amz-decoded-content-length"] === undefined) {
    return body;
  }
  for (const name of ["content-encoding", "x-amz-decoded-content-length", "x-amz-trailer", "x-amz-content-sha256"]) {
    delete headers[name];
  }
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const end = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.subarray(at, end).toString("latin1"), 16);
    if (end === -1 || !(size > 0)) {
      return Buffer.concat(parts);
    }
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
