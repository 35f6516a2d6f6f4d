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

/** Chunks that lie in one file, by the file's name. The bundle fills this in. */
declare const RAD_PACKS: Readonly<Record<string, readonly string[]>>;

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

interface LoadedFile {
  readonly codeFile: string;
  readonly script: Script;
}

type Pack = Readonly<Record<string, ChunkFunction>>;

const folder = join(__dirname, "chunks");
const modules = new Map<string, ChunkModule>();
const packs = new Map<string, Pack>();

/** By file name. For the build, which asks each script for its compiled code. */
export const loadedChunks = new Map<string, LoadedFile>();

requireFromChunk("./main.js");

/** Chunks name one another by `./name.js`; anything else is a built-in module, or a package that may be missing. */
function requireFromChunk(id: string): unknown {
  return id.startsWith("./") ? loadChunk(id.slice("./".length)) : require(id);
}

function loadChunk(name: string): unknown {
  const known = modules.get(name);
  if (known !== undefined) {
    return known.exports;
  }
  const filename = join(folder, name);
  const module: ChunkModule = {
    exports: {},
    get url() {
      return pathToFileURL(filename).href;
    },
  };
  modules.set(name, module);
  chunkFunction(name).call(module.exports, module.exports, requireFromChunk, module, filename, folder);
  return module.exports;
}

function chunkFunction(name: string): ChunkFunction {
  const file = Object.keys(RAD_PACKS).find((pack) => RAD_PACKS[pack]?.includes(name));
  if (file === undefined) {
    return runScript(name) as ChunkFunction;
  }
  const pack = packs.get(file) ?? (runScript(file) as Pack);
  packs.set(file, pack);
  return pack[name] as ChunkFunction;
}

function runScript(name: string): unknown {
  const filename = join(folder, name);
  const codeFile = `${filename}.code`;
  const script = new Script(readFileSync(filename, "utf8"), { filename, cachedData: readIfThere(codeFile) });
  loadedChunks.set(name, { codeFile, script });
  return script.runInThisContext();
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
