import { randomBytes } from "node:crypto";
import { fileExposure } from "@rad/store";
import { link, mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** A file with a token, or its hash, is not as we would have written it. */
export class TokenFileError extends Error {
  override readonly name = "TokenFileError";
  readonly code = "InvalidLocalToken";
}

const tokenPattern = /^rad_[\w-]{43}$/;

export function newToken(): string {
  return `rad_${randomBytes(32).toString("base64url")}`;
}

/** @throws TokenFileError for a file that other users may have read or written. */
export function requirePrivate(...files: readonly string[]): void {
  const danger = files.map((file) => fileExposure(file)).find((text) => text !== undefined);
  if (danger !== undefined) {
    throw new TokenFileError(`The token of this server may be known to others: ${danger}`);
  }
}

/** @throws TokenFileError for anything but a token of ours. */
export async function readToken(file: string): Promise<string | undefined> {
  const text = await readIfPresent(file);
  return text === undefined ? undefined : parseLine(text, tokenPattern, file);
}

export function parseLine(text: string, pattern: RegExp, file: string): string {
  const value = text.trim();
  if (!pattern.test(value)) {
    throw new TokenFileError(`${file} is damaged. Run \`rad server token --renew\` to replace the token.`);
  }
  return value;
}

/** Writes the file unless it exists, also when two processes try at once: of two links only one is made. */
export async function createOnce(file: string, text: string): Promise<boolean> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const written = await writeBeside(file, text);
  try {
    await link(written, file);
    await syncDirectory(dirname(file));
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") {
      throw error;
    }
    return false;
  } finally {
    await unlink(written);
  }
}

/** A reader, and a crash at any instant, sees the old content or the new. */
export async function replaceFile(file: string, text: string): Promise<void> {
  await rename(await writeBeside(file, text), file);
  await syncDirectory(dirname(file));
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") {
    return; // folders cannot be opened there
  }
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function writeBeside(file: string, text: string): Promise<string> {
  const beside = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  const handle = await open(beside, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return beside;
}

export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
