import { connect } from "node:net";
import type { FuzzRequest } from "./requests.ts";

export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Sends exactly these bytes, which no HTTP client would, and reads to the end of the connection. */
export function sendRaw(url: string, request: FuzzRequest, timeoutMs = 60_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const lines = [`${request.method} ${request.target === "" ? "/" : request.target} HTTP/1.1`];
  lines.push(
    ...request.headers.map(([key, value]) => `${key}: ${value}`),
    `content-length: ${request.body.length}`,
    "",
    "",
  );
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const received: Buffer[] = [];
  const socket = connect(Number(port), hostname, () => {
    socket.write(Buffer.concat([Buffer.from(lines.join("\r\n"), "latin1"), request.body]));
  });
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error("no answer came")));
  socket.on("data", (chunk: Buffer) => received.push(chunk));
  socket.on("error", (error: NodeJS.ErrnoException) => {
    // A server that has answered may leave while more bytes are on their way.
    if (received.length === 0 || error.code !== "ECONNRESET") {
      reject(error);
    }
  });
  socket.on("close", () => {
    try {
      resolve(parse(Buffer.concat(received)));
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
  return promise;
}

function parse(bytes: Buffer): RawAnswer {
  let text = bytes.toString("latin1");
  while (text.startsWith("HTTP/1.1 100")) {
    text = text.slice(text.indexOf("\r\n\r\n") + 4);
  }
  const end = text.indexOf("\r\n\r\n");
  const match = /^HTTP\/1\.1 (\d{3}) /.exec(text);
  if (match === null || end < 0) {
    throw new Error(`no answer: ${JSON.stringify(text.slice(0, 200))}`);
  }
  const head = text.slice(0, end).toLowerCase();
  const body = text.slice(end + 4);
  const [, contentType = ""] = /\r\ncontent-type: ([^\r]*)/.exec(head) ?? [];
  const isChunked = head.includes("\r\ntransfer-encoding: chunked");
  return {
    status: Number(match[1]),
    contentType,
    body: Buffer.from(isChunked ? joined(body) : body, "latin1").toString("utf8"),
  };
}

function joined(chunked: string): string {
  let rest = chunked;
  let all = "";
  for (;;) {
    const end = rest.indexOf("\r\n");
    const length = Number.parseInt(rest.slice(0, end), 16);
    if (!(length > 0)) {
      return all;
    }
    all += rest.slice(end + 2, end + 2 + length);
    rest = rest.slice(end + 4 + length);
  }
}
