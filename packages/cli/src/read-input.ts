import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { systemCode } from "./cli-error.ts";
import type { CliHost } from "./host.ts";
import { unreadableFile } from "./unreadable-file.ts";

/** A file's text; `-` reads stdin. */
export async function readInput(host: CliHost, file: string): Promise<string> {
  if (file === "-") {
    return readAll(host.stdin);
  }
  try {
    return await readFile(resolve(host.cwd, file), "utf8");
  } catch (error) {
    throw unreadableFile(file, systemCode(error));
  }
}

export async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
  }
  return Buffer.concat(chunks).toString("utf8");
}
