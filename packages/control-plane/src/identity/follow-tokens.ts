import type { Logger } from "@rad/core";
import type { Store } from "@rad/store";
import { bootstrapTokenType, readBootstrapToken } from "./bootstrap-token.ts";
import { followFiles } from "./follow-files.ts";
import { filesIn, readLocalTokenHash } from "./local-token.ts";

/** Calls `use` when the token of a data folder was renewed, so that the old one counts no more. */
export function followLocalToken(directory: string, use: (sha256: string) => void, log: Logger): Disposable {
  return followFiles([filesIn(directory).hashFile], () => pass(readLocalTokenHash(directory), use, log));
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
