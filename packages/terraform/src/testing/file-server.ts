import { hash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createCa, createLeaf, startWebServer } from "@rad/artifacts/testing";
import type { Certificate } from "@rad/artifacts/testing";
import { ArmedFault, sendFaulty } from "./mirror-fault.ts";
import type { ActiveFault, FaultOptions, MirrorFault } from "./mirror-fault.ts";

/** A request as a server of files saw it. */
export interface MirrorRequest {
  readonly method: string;
  readonly path: string;
  /** With its question mark; empty if there is none. */
  readonly query: string;
  readonly authorization: string | undefined;
  readonly status: number;
  /** Of the content that was to be sent. */
  readonly bytes: number;
}

export interface ServedFile {
  readonly content: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** 200 if left out; ranges are answered then. */
  readonly status?: number;
}

export interface FileServerOptions {
  /** Of the server's certificate; one of its own if left out. Servers that one client meets share one. */
  readonly ca?: Certificate;
  /** What `Authorization: Bearer` must carry; anybody may read if left out. Not asked for below `/open/` and by discovery. */
  readonly token?: string;
  /** Further names of the server in its certificate. */
  readonly names?: readonly string[];
}

/** An HTTPS server of files on this machine that has faults when a test asks for them. */
export interface FileServer extends AsyncDisposable {
  /** `https://127.0.0.1:port` */
  readonly url: string;
  /** `127.0.0.1:port` */
  readonly host: string;
  /** Of its authority, in PEM form. */
  readonly ca: string;
  readonly caFile: string;
  /** Where a test may put files beside the authority's; removed in the end. */
  readonly folder: string;
  /** By path. */
  readonly files: Map<string, ServedFile>;
  /** In order. */
  readonly requests: readonly MirrorRequest[];
  /** Changes what is asked for as `Authorization: Bearer`. */
  setToken(token: string | undefined): void;
  /** Requests for paths that match meet the fault, the oldest first. */
  fault(paths: RegExp, fault: MirrorFault, options?: FaultOptions): ActiveFault;
}

export async function startFileServer(options: FileServerOptions = {}): Promise<FileServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "rad-mirror-"));
  const ca = options.ca ?? createCa("authority of the mirror");
  const caFile = path.join(folder, "ca.pem");
  await writeFile(caFile, ca.cert);
  const files = new Map<string, ServedFile>();
  const requests: (MirrorRequest & { status: number; bytes: number })[] = [];
  const faults = new Set<ArmedFault>();
  let { token } = options;

  const server = await startWebServer(
    (request, response) => {
      const { pathname, search } = new URL(request.url ?? "/", "https://mirror");
      const { authorization } = request.headers;
      const seen = { method: request.method ?? "", path: pathname, query: search, authorization, status: 0, bytes: 0 };
      requests.push(seen);
      const isKnown =
        token === undefined || /^\/(?:open|\.well-known)\//u.test(pathname) || authorization === `Bearer ${token}`;
      if (!isKnown) {
        seen.status = 401;
        response.writeHead(401).end("the token is missing or wrong");
        return;
      }
      const armed = [...faults].find((fault) => fault.meets(pathname));
      const sent = (bytes: number) => {
        seen.status = response.statusCode;
        seen.bytes = request.method === "HEAD" ? 0 : bytes;
      };
      answer(request, response, files.get(pathname), armed, sent).catch((error: Error) => response.destroy(error));
    },
    createLeaf("127.0.0.1", ca, { names: options.names ?? [] }),
  );
  return {
    url: server.url,
    host: server.host,
    ca: ca.cert,
    caFile,
    folder,
    files,
    requests,
    setToken: (wanted) => {
      token = wanted;
    },
    fault: (paths, fault, faultOptions = {}) => {
      const armed = new ArmedFault(paths, fault, faultOptions, (ended) => faults.delete(ended));
      faults.add(armed);
      return armed;
    },
    [Symbol.asyncDispose]: async () => {
      for (const armed of faults) {
        armed[Symbol.dispose]();
      }
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  file: ServedFile | undefined,
  armed: ArmedFault | undefined,
  sent: (bytes: number) => void,
): Promise<void> {
  if (armed !== undefined) {
    armed.met += 1;
  }
  const refuse = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) => {
    response.writeHead(status, headers).end(text);
    sent(0);
  };
  if (armed?.fault.kind === "status") {
    refuse(armed.fault.status, "the mirror has a bad day");
    return;
  }
  if (armed?.fault.kind === "redirect") {
    refuse(302, "", { location: armed.fault.to });
    return;
  }
  if (file === undefined) {
    refuse(404, "there is no such file");
    return;
  }
  if (file.status !== undefined) {
    response.writeHead(file.status, file.headers).end(file.content);
    sent(file.content.length);
    return;
  }
  const part = writeContentHead(request, response, file);
  sent(part.length);
  if (armed === undefined) {
    response.end(part);
  } else {
    await sendFaulty(response, part, armed);
  }
}

/** @returns what is to be sent: the rest from where the request asks, if the content is still the same */
function writeContentHead(request: IncomingMessage, response: ServerResponse, file: ServedFile): Buffer {
  const { content } = file;
  const etag = `"${hash("sha1", content.subarray(0, 4096))}-${content.length}"`;
  const { range = "", "if-range": condition = etag } = request.headers;
  const start = Number(/^bytes=(\d+)-$/u.exec(range)?.[1] ?? 0);
  const headers = { ...file.headers, etag, "accept-ranges": "bytes", "content-length": content.length - start };
  if (start === 0 || condition !== etag || start >= content.length) {
    response.writeHead(200, { ...headers, "content-length": content.length });
    return content;
  }
  response.writeHead(206, {
    ...headers,
    "content-range": `bytes ${start}-${content.length - 1}/${content.length}`,
  });
  return content.subarray(start);
}
