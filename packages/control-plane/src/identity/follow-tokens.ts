import { unwatchFile, watchFile } from "node:fs";
import type { Logger } from "@rad/core";
import type { Store } from "@rad/store";
import { bootstrapTokenType, readBootstrapToken } from "./bootstrap-token.ts";
import { filesIn, readLocalTokenHash } from "./local-token.ts";

const lookMs = 2_000;

/** Calls `use` when the token of a data folder was renewed, so that the old one counts no more. */
export function followLocalToken(directory: string, use: (sha256: string) => void, log: Logger): Disposable {
  const { hashFile } = filesIn(directory);
  const look = (): void => pass(readLocalTokenHash(directory), use, log);
  watchFile(hashFile, { interval: lookMs, persistent: false }, look);
  return { [Symbol.dispose]: () => unwatchFile(hashFile, look) };
}

/** The same for an installation's bootstrap token, whichever process renewed it. */
export function followBootstrapToken(store: Store, use: (sha256: string) => void, log: Logger): Disposable {
  const type = bootstrapTokenType.toLowerCase();
  return store.subscribe((event) => {
    if (event.kind === "document" && (event.type === type || event.type === "*")) {
      pass(readBootstrapToken(store), use, log);
    }
  });
}

function pass(reading: Promise<string | undefined>, use: (sha256: string) => void, log: Logger): void {
  reading.then(
    (sha256) => sha256 !== undefined && use(sha256),
    (error: unknown) => log.error("the renewed token cannot be read, so the one before still counts", { error }),
  );
}
