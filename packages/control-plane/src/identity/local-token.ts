import { fileExposure } from "@rad/store";
import { hash, randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface LocalToken {
  readonly sha256: string;
  /** Whether this call made the token. */
  readonly created: boolean;
  readonly tokenFile: string;
}

/** A token file in the folder is not as we would have written it. */
class LocalTokenError extends Error {
  override readonly name = "LocalTokenError";
  readonly code = "InvalidLocalToken";
}

/**
 * Makes the token of a standalone server at its first start: `token` for the user's tools, readable by its owner only,
 * and `token.sha256` for the server, which from then on needs nothing else. The user may move `token` away.
 *
 * The token reaches the disk before its hash does, so a crash in between is repaired by hashing what is there; and
 * neither file ever shows up half-written. To get a new token, delete both files.
 */
export async function ensureLocalToken(directory: string): Promise<LocalToken> {
  const tokenFile = join(directory, "token");
  const hashFile = join(directory, "token.sha256");
  const danger = fileExposure(tokenFile) ?? fileExposure(hashFile);
  if (danger !== undefined) {
    throw new LocalTokenError(`The token of this server may be known to others: ${danger}`);
  }
  const known = await readIfPresent(hashFile);
  if (known !== undefined) {
    return { sha256: parse(known, /^[0-9a-f]{64}$/, hashFile), created: false, tokenFile };
  }
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const created = await createOnce(tokenFile, `rad_${randomBytes(32).toString("base64url")}\n`);
  const token = parse(await readFile(tokenFile, "utf8"), /^rad_[\w-]{43}$/, tokenFile);
  await syncDirectory(directory);
  const sha256 = hash("sha256", token, "hex");
  await replace(hashFile, `${sha256}\n`);
  return { sha256, created, tokenFile };
}

/** Writes the file unless it exists, also when two processes try at once: of two links only one is made. */
async function createOnce(file: string, text: string): Promise<boolean> {
  const written = await writeBeside(file, text);
  try {
    await link(written, file);
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

async function replace(file: string, text: string): Promise<void> {
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

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}

function parse(text: string, pattern: RegExp, file: string): string {
  const value = text.trim();
  if (!pattern.test(value)) {
    throw new LocalTokenError(
      `${file} is damaged; delete token and token.sha256 to get a new token at the next start.`,
    );
  }
  return value;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
