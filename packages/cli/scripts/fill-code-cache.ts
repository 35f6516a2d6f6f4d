/** `node fill-code-cache.ts <rad.js> <args>` runs a command, and writes what V8 compiled for it beside the chunks. */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";

interface Loader {
  readonly loadedChunks: ReadonlyMap<string, { codeFile: string; script: { createCachedData(): Buffer } }>;
}

const [, , entry = "", ...args] = process.argv;
process.argv = [process.execPath, entry, ...args];
const { loadedChunks } = createRequire(import.meta.url)(entry) as Loader;

// At the end, because V8 compiles a function when it is first called.
process.on("exit", () => {
  for (const { codeFile, script } of loadedChunks.values()) {
    writeFileSync(codeFile, script.createCachedData());
  }
});
