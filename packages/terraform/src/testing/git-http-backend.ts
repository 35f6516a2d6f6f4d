import { execFile, spawn } from "node:child_process";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";

export interface BackendAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

let program: Promise<string> | undefined;

/** Lets git's own CGI program answer a request for a repository below `root`. */
export async function askHttpBackend(
  root: string,
  request: IncomingMessage,
  { pathname, search }: URL,
): Promise<BackendAnswer> {
  program ??= promisify(execFile)("git", ["--exec-path"]).then(({ stdout }) =>
    path.join(stdout.trim(), "git-http-backend"),
  );
  const { headers } = request;
  const child = spawn(await program, {
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: headers["content-type"] ?? "",
      CONTENT_LENGTH: headers["content-length"] ?? "",
      HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
      REMOTE_ADDR: "127.0.0.1",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => {}); // it may close its input before all of a request is read
  request.pipe(child.stdin);
  return readAnswer(await buffer(child.stdout));
}

function readAnswer(output: Buffer): BackendAnswer {
  const end = output.indexOf("\r\n\r\n");
  if (end < 0) {
    return { status: 500, headers: {}, content: output };
  }
  const lines = output.subarray(0, end).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const { status = "200", ...rest } = headers;
  return { status: Number.parseInt(status, 10), headers: rest, content: output.subarray(end + 4) };
}
