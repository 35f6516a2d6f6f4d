import { randomBytes } from "node:crypto";
import { link, open, readFile, stat, unlink } from "node:fs/promises";
import { StoreError } from "../store.ts";
import type { KeyRingSource, SealingKey } from "./key-ring.ts";

/**
 * Reads a key file: one `id base64` per line, the current key first and previous ones after it.
 * @throws StoreError `CannotOpen` when it is missing, malformed, or readable by other users.
 */
export async function readKeyFile(path: string): Promise<KeyRingSource> {
  const text = await readPrivate(path);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) {
    throw new StoreError("CannotOpen", `The key file '${path}' is empty.`);
  }
  return { keys: lines.map((line, index) => parseLine(path, line, index + 1)) };
}

/**
 * Makes a key and its file, which appears complete or not at all.
 * @throws StoreError `CannotOpen` when the file exists already, `NotWritable` when it cannot be written.
 */
export async function createKeyFile(path: string): Promise<KeyRingSource> {
  const key: SealingKey = { id: randomBytes(4).toString("hex"), secret: randomBytes(32) };
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  try {
    await writeDurably(draft, `${key.id} ${Buffer.from(key.secret).toString("base64")}\n`);
    // Unlike a rename, a link never replaces a key that somebody else has just made.
    try {
      await link(draft, path);
    } finally {
      await unlink(draft);
    }
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === "EEXIST";
    const message = exists ? `The key file '${path}' exists already.` : `The key file '${path}' cannot be written.`;
    throw new StoreError(exists ? "CannotOpen" : "NotWritable", message, { cause });
  }
  return { keys: [key] };
}

async function readPrivate(path: string): Promise<string> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new StoreError("CannotOpen", `The key file '${path}' is open to other users; run: chmod 600 '${path}'`);
    }
    return await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof StoreError) {
      throw cause;
    }
    const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    const what = missing
      ? "is missing. Restore it from a backup: without it nobody can decrypt the secret values in the database. " +
        `For a new database, create one: (umask 077; echo "k1 $(openssl rand -base64 32)" > '${path}')`
      : "cannot be read.";
    throw new StoreError("CannotOpen", `The key file '${path}' ${what}`, { cause });
  }
}

function parseLine(path: string, line: string, number: number): SealingKey {
  const [id, base64, ...rest] = line.trim().split(/\s+/);
  const secret = Buffer.from(base64 ?? "", "base64");
  if (id === undefined || rest.length > 0 || secret.length !== 32) {
    // The line itself stays out of the message: it may hold a key.
    throw new StoreError("CannotOpen", `Line ${number} of the key file '${path}' is not an id and 32 bytes in base64.`);
  }
  return { id, secret };
}

async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(text);
  await file.sync();
}
