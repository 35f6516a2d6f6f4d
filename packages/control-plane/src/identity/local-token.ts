import { hash } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "@rad/core";
import { followFiles } from "./follow-files.ts";
import {
  createOnce,
  newToken,
  parseLine,
  readIfPresent,
  readToken,
  replaceFile,
  requirePrivate,
  TokenFileError,
} from "./token-file.ts";

export interface LocalToken {
  readonly sha256: string;
  /** Whether this call made the token. */
  readonly created: boolean;
  readonly tokenFile: string;
}

/**
 * Makes the token of a standalone server at its first start: `token` for the user's tools, readable by its owner only,
 * and `token.sha256` for the server, which from then on needs nothing else. The user may move `token` away.
 *
 * The token reaches the disk before its hash does, so a crash in between is repaired by hashing what is there; and
 * neither file ever shows up half-written.
 */
export async function ensureLocalToken(directory: string): Promise<LocalToken> {
  const { tokenFile, hashFile } = filesIn(directory);
  const known = await readLocalTokenHash(directory);
  if (known !== undefined) {
    return { sha256: known, created: false, tokenFile };
  }
  const created = await createOnce(tokenFile, `${newToken()}\n`);
  const token = await readToken(tokenFile);
  if (token === undefined) {
    throw new TokenFileError(`${tokenFile} was removed while it was read.`);
  }
  const sha256 = hash("sha256", token, "hex");
  await replaceFile(hashFile, `${sha256}\n`);
  return { sha256, created, tokenFile };
}

/** Makes another token in the place of the one there was. A server that runs takes it over by itself. */
export async function renewLocalToken(directory: string): Promise<string> {
  const { tokenFile, hashFile } = filesIn(directory);
  if ((await readIfPresent(hashFile)) === undefined) {
    throw new TokenFileError(`'${directory}' has no token yet: the first start of a server on it makes one.`);
  }
  const token = newToken();
  await replaceFile(tokenFile, `${token}\n`);
  await replaceFile(hashFile, `${hash("sha256", token, "hex")}\n`);
  return tokenFile;
}

/** Calls `use` when the token was renewed, so that the old one counts no more. */
export function followLocalToken(directory: string, use: (sha256: string) => void, log: Logger): Disposable {
  return followFiles([filesIn(directory).hashFile], () => {
    readLocalTokenHash(directory).then(
      (sha256) => sha256 !== undefined && use(sha256),
      (error: unknown) => log.error("the renewed token cannot be read, so the one before still counts", { error }),
    );
  });
}

/** What the server knows of the token. @throws TokenFileError */
async function readLocalTokenHash(directory: string): Promise<string | undefined> {
  const { tokenFile, hashFile } = filesIn(directory);
  requirePrivate(tokenFile, hashFile);
  const known = await readIfPresent(hashFile);
  return known === undefined ? undefined : parseLine(known, /^[0-9a-f]{64}$/, hashFile);
}

export function tokenFileIn(directory: string): string {
  return filesIn(directory).tokenFile;
}

function filesIn(directory: string): { tokenFile: string; hashFile: string } {
  return { tokenFile: join(directory, "token"), hashFile: join(directory, "token.sha256") };
}
