/**
 * `rad.js` of the bundle: loads chunks as `require` loads files, but with the code that V8 compiled for them before.
 * Node's own compile cache would not do: it keeps what is compiled when a file is loaded, which is next to nothing,
 * since V8 compiles a function when it is first called; and each user has to fill one of his own.
 *
 * Code that another version of V8 made, or none at all, is no error. V8 says no to it and compiles the chunk itself.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";

interface ChunkModule {
  exports: unknown;
  /** In place of `import.meta.url`. */
  readonly url: string;
}

type ChunkFunction = (
  exports: unknown,
  require: (id: string) => unknown,
  module: ChunkModule,
  filename: string,
  dirname: string,
) => void;

interface LoadedChunk {
  readonly codeFile: string;
  readonly script: Script;
  readonly module: ChunkModule;
}

const folder = join(__dirname, "chunks");

/** By name. For the build, which asks each script for its compiled code. */
export const loadedChunks = new Map<string, LoadedChunk>();

requireFromChunk("./main.js");

/** Chunks name one another by `./name.js`; anything else is a built-in module, or a package that may be missing. */
function requireFromChunk(id: string): unknown {
  return id.startsWith("./") ? loadChunk(id.slice("./".length)) : require(id);
}

function loadChunk(name: string): unknown {
  const known = loadedChunks.get(name);
  if (known !== undefined) {
    return known.module.exports;
  }
  const filename = join(folder, name);
  const codeFile = `${filename}.code`;
  const script = new Script(readFileSync(filename, "utf8"), { filename, cachedData: readIfThere(codeFile) });
  const module: ChunkModule = {
    exports: {},
    get url() {
      return pathToFileURL(filename).href;
    },
  };
  loadedChunks.set(name, { codeFile, script, module });
  const run = script.runInThisContext() as ChunkFunction;
  run.call(module.exports, module.exports, requireFromChunk, module, filename, folder);
  return module.exports;
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
