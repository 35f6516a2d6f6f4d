import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { systemCode } from "../system-code.ts";

/** Why a file cannot be read. `denied` also stands for what is no ordinary file, `outside` for what may not be touched. */
export type FileProblem = "missing" | "directory" | "denied" | "tooLarge" | "outside";

export type FileContent = { readonly bytes: Uint8Array } | { readonly problem: FileProblem };

/** Reads any file of at most `maxBytes`. Does not wait for pipes or devices. */
export function readBounded(path: string, maxBytes: number): FileContent {
  let file: number | undefined;
  try {
    file = openForReading(path, { followLinks: true });
    return readOpened(file, maxBytes);
  } catch (error) {
    return { problem: problemOf(error) };
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
}

/** Opens a file or a folder. Pipes and devices are left alone: opening one may already do something. */
export function openForReading(path: string, { followLinks }: { readonly followLinks: boolean }): number {
  const status = statSync(path);
  if (!status.isFile() && !status.isDirectory()) {
    throw Object.assign(new Error("not an ordinary file"), { code: "EACCES" });
  }
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants; // nothing, hence no bit, where a system lacks one
  return openSync(path, O_RDONLY | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW));
}

export function readOpened(file: number, maxBytes: number): FileContent {
  const status = fstatSync(file);
  if (!status.isFile()) {
    return { problem: status.isDirectory() ? "directory" : "denied" };
  }
  if (status.size > maxBytes) {
    return { problem: "tooLarge" };
  }
  const bytes = new Uint8Array(status.size);
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(file, bytes, filled, bytes.length - filled, null);
    if (count === 0) {
      break;
    }
    filled += count;
  }
  return { bytes: bytes.subarray(0, filled) };
}

export function problemOf(error: unknown): FileProblem {
  switch (systemCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
    case "ENAMETOOLONG":
      return "missing";
    case "EISDIR":
      return "directory";
    default:
      return "denied";
  }
}
