import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { CliError, systemCode } from "./cli-error.ts";
import type { CliHost } from "./host.ts";

/** A file's text; `-` reads stdin. */
export async function readInput(host: CliHost, file: string): Promise<string> {
  if (file === "-") {
    return readAll(host.stdin);
  }
  try {
    return await readFile(resolve(host.cwd, file), "utf8");
  } catch (error) {
    throw unreadable(file, systemCode(error));
  }
}

/** Why a file could not be read, once and without the system's own sentence. */
function unreadable(file: string, code: string | undefined): CliError {
  switch (code) {
    case "ENOENT":
      return new CliError("FileUnreadable", `${file} does not exist.`, { missing: { kind: "files", name: file } });
    case "EISDIR":
      return new CliError("FileUnreadable", `${file} is a folder, and a file was expected.`);
    case "EACCES":
      return new CliError("FileUnreadable", `${file} cannot be read: permission denied.`);
    default:
      return new CliError("FileUnreadable", `${file} cannot be read (${code ?? "unknown error"}).`);
  }
}

export async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
  }
  return Buffer.concat(chunks).toString("utf8");
}
