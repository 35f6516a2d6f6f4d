import { unwatchFile, watchFile } from "node:fs";

/** How often to look: files that are replaced by a rename or by another link are not reliably announced. */
const lookMs = 2_000;

/** Calls `use` after any of the files was changed or replaced, until the result is disposed. */
export function followFiles(files: readonly string[], use: () => void): Disposable {
  for (const file of files) {
    watchFile(file, { interval: lookMs, persistent: false }, use);
  }
  return { [Symbol.dispose]: () => files.forEach((file) => unwatchFile(file, use)) };
}
