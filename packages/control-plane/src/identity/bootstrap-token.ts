import { hash } from "node:crypto";
import { unlink } from "node:fs/promises";
import { type JsonObject, type Logger, objectMember } from "@rad/core";
import { type Store, StoreError } from "@rad/store";
import { createOnce, newToken, readToken, replaceFile, requirePrivate } from "./token-file.ts";

/** Outside of every plane: the hash of the token, which all processes of an installation accept. */
const documentId = "/system/bootstrapToken";
const bootstrapTokenType = "System.Radius/bootstrapTokens";
const apiVersion = "2023-10-01-preview";

export interface BootstrapToken {
  readonly sha256: string;
  /** Whether the file on this machine holds the token. */
  readonly isHere: boolean;
}

/**
 * Makes the first administrator's token of an installation whose processes share a database. The store decides: of several
 * processes that start at once, on whatever machines, the hash of one is written, and its file stays. The token reaches
 * the disk first, so a crash in between is repaired with what is there.
 */
export async function ensureBootstrapToken(store: Store, file: string): Promise<BootstrapToken> {
  requirePrivate(file);
  const stored = await readBootstrapToken(store);
  if (stored !== undefined) {
    return { sha256: stored, isHere: (await hashIn(file)) === stored };
  }
  const created = await createOnce(file, `${newToken()}\n`);
  const sha256 = (await hashIn(file)) ?? "";
  try {
    await write(store, sha256, "absent");
    return { sha256, isHere: true };
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "EtagMismatch")) {
      throw error;
    }
  }
  const winner = (await readBootstrapToken(store)) ?? "";
  if (created && winner !== sha256) {
    await unlink(file); // another machine has the token
  }
  return { sha256: winner, isHere: winner === sha256 };
}

/** Makes another token in the place of the one there was; every process takes it over by itself. */
export async function renewBootstrapToken(store: Store, file: string): Promise<void> {
  const token = newToken();
  await replaceFile(file, `${token}\n`);
  await write(store, hash("sha256", token, "hex"), "any");
}

/** Calls `use` when the token was renewed, by whichever process. */
export function followBootstrapToken(store: Store, use: (sha256: string) => void, log: Logger): Disposable {
  const type = bootstrapTokenType.toLowerCase();
  return store.subscribe((event) => {
    if (event.kind === "document" && (event.type === type || event.type === "*")) {
      readBootstrapToken(store).then(
        (sha256) => sha256 !== undefined && use(sha256),
        (error: unknown) => log.error("the renewed token cannot be read, so the one before still counts", { error }),
      );
    }
  });
}

export async function readBootstrapToken(store: Store): Promise<string | undefined> {
  const document = await store.get(documentId);
  const { sha256 } = document === undefined ? {} : objectMember(document.body, "properties");
  return typeof sha256 === "string" ? sha256 : undefined;
}

async function hashIn(file: string): Promise<string | undefined> {
  const token = await readToken(file);
  return token === undefined ? undefined : hash("sha256", token, "hex");
}

async function write(store: Store, sha256: string, expect: "absent" | "any"): Promise<void> {
  const properties: JsonObject = { sha256 };
  const body: JsonObject = { id: documentId, name: "bootstrapToken", type: bootstrapTokenType, properties };
  const input = { id: documentId, type: bootstrapTokenType, apiVersion, body, secrets: {} };
  await store.write({ document: { kind: "put", input, expect } });
}
