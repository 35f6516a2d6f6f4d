import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { artifactFolder } from "@rad/bicep";
import type {
  ArtifactKind,
  ArtifactReference,
  BicepHost,
  FileProblem,
  FileRead,
  ReadDocument,
  YamlRead,
} from "@rad/bicep";
import { systemCode } from "../cli-error.ts";
import { toCompilerPath } from "./compiler-path.ts";
import { readTar } from "./tar-reader.ts";

export interface DiskHostOptions {
  /** Folders that may be read, and nothing outside of them. Without any, every file of the user may. */
  readonly roots?: readonly string[] | undefined;
  /** Where restored artifacts lie. */
  readonly cacheFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly maxFileBytes?: number;
  /** Of an archive with types, unpacked. */
  readonly maxPackageBytes?: number;
}

/** A host on the disk of this machine. */
export interface DiskHost extends BicepHost {
  /** Whether a file asked for YAML while no reader was there: set one and compile again. */
  readonly wantedYaml: boolean;
  setYamlReader(parse: (text: string) => YamlRead): void;
  /** Hands in the types of a built-in extension, before anything that declares it is checked. */
  setBuiltInTypes(extension: string, documents: ReadDocument): void;
  /** Tells why an artifact could not be restored, for the diagnostic at its reference. */
  setRestoreProblem(reference: string, reason: string): void;
}

const defaultMaxFileBytes = 8 * 1024 * 1024;
const defaultMaxPackageBytes = 256 * 1024 * 1024;

export function createDiskHost(options: DiskHostOptions): DiskHost {
  return new Disk(options);
}

class Disk implements DiskHost {
  readonly #roots: readonly Root[] | undefined;
  readonly #cacheFolder: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #maxFileBytes: number;
  readonly #maxPackageBytes: number;
  /** Restored artifacts that were handed out: they lie outside of the roots and may be read all the same. */
  readonly #granted = new Set<string>();
  readonly #restoreProblems = new Map<string, string>();
  readonly #builtInTypes = new Map<string, ReadDocument>();
  #yamlReader: ((text: string) => YamlRead) | undefined;
  #wantedYaml = false;

  /** A field, because it is handed on without its object. */
  readonly parseYaml = (text: string): YamlRead => {
    if (this.#yamlReader === undefined) {
      this.#wantedYaml = true;
      return { error: "No YAML reader is loaded." };
    }
    return this.#yamlReader(text);
  };

  constructor(options: DiskHostOptions) {
    this.#roots = options.roots?.map(rootOf);
    this.#cacheFolder = options.cacheFolder;
    this.#env = options.env;
    this.#maxFileBytes = options.maxFileBytes ?? defaultMaxFileBytes;
    this.#maxPackageBytes = options.maxPackageBytes ?? defaultMaxPackageBytes;
  }

  get wantedYaml(): boolean {
    return this.#wantedYaml;
  }

  setYamlReader(parse: (text: string) => YamlRead): void {
    this.#yamlReader = parse;
  }

  setBuiltInTypes(extension: string, documents: ReadDocument): void {
    this.#builtInTypes.set(extension, documents);
  }

  builtInTypes(extension: string): ReadDocument | undefined {
    return this.#builtInTypes.get(extension);
  }

  setRestoreProblem(reference: string, reason: string): void {
    this.#restoreProblems.set(reference, reason);
  }

  restoreProblem(reference: ArtifactReference): string | undefined {
    return this.#restoreProblems.get(reference.text);
  }

  readFile(path: string): FileRead {
    return this.#readFile(path, this.#maxFileBytes);
  }

  listDirectory(path: string): ReturnType<BicepHost["listDirectory"]> {
    const place = this.#locate(path);
    if ("problem" in place) {
      return { problem: place.problem === "directory" || place.problem === "tooLarge" ? "denied" : place.problem };
    }
    try {
      const entries = readdirSync(place.path, { withFileTypes: true });
      return { files: entries.filter((entry) => entry.isFile()).map((entry) => entry.name) };
    } catch (error) {
      const problem = problemOf(error);
      return { problem: systemCode(error) === "ENOTDIR" ? "file" : problem === "missing" ? "missing" : "denied" };
    }
  }

  readPackage(path: string): ReturnType<BicepHost["readPackage"]> {
    const read = this.#readFile(path, this.#maxPackageBytes);
    if ("problem" in read) {
      return read;
    }
    const entries = new Map<string, Uint8Array>();
    try {
      // Loaded only now: most files use no package, and every start would pay for it.
      const { gunzipSync } = process.getBuiltinModule("node:zlib");
      const archive = gunzipSync(read.bytes, { maxOutputLength: this.#maxPackageBytes });
      for (const { path: name, content } of readTar(archive)) {
        entries.set(name, content);
      }
    } catch (error) {
      // Something other than gzip is an archive with nothing in it, which the compiler reports as a broken package.
      if (systemCode(error) === "ERR_BUFFER_TOO_LARGE") {
        return { problem: "tooLarge" };
      }
    }
    return { entries };
  }

  artifact(reference: ArtifactReference, kind: ArtifactKind, cacheRoot: string | undefined): string | undefined {
    if (cacheRoot !== undefined && "problem" in this.#locateLexically(cacheRoot)) {
      return undefined;
    }
    const path = artifactPath(cacheRoot ?? this.#cacheFolder, reference, kind);
    try {
      if (!lstatSync(path).isFile()) {
        return undefined;
      }
    } catch {
      return undefined;
    }
    const name = toCompilerPath(path);
    this.#granted.add(name);
    return name;
  }

  environmentVariable(name: string): string | undefined {
    return this.#env[name];
  }

  #readFile(path: string, maxBytes: number): FileRead {
    const place = this.#granted.has(path) ? { path } : this.#locate(path);
    return "problem" in place ? place : readBounded(place.path, maxBytes);
  }

  /** The real path of a file that may be read. */
  #locate(path: string): { readonly path: string } | { readonly problem: FileProblem } {
    const roots = this.#roots;
    if (roots === undefined) {
      return { path };
    }
    const lexical = this.#locateLexically(path);
    if ("problem" in lexical) {
      return lexical;
    }
    try {
      const real = realpathSync(lexical.path);
      return roots.some((root) => isInside(root.real, real)) ? { path: real } : { problem: "outside" };
    } catch (error) {
      // Whether a link that leads nowhere would have led outside is nobody's business either.
      return { problem: hasLink(roots, lexical.path) ? "outside" : problemOf(error) };
    }
  }

  #locateLexically(path: string): { readonly path: string } | { readonly problem: FileProblem } {
    const absolute = resolve(path);
    const isAllowed =
      this.#roots === undefined ||
      this.#roots.some((root) => isInside(root.given, absolute) || isInside(root.real, absolute));
    return isAllowed ? { path: absolute } : { problem: "outside" };
  }
}

/** The content of an artifact below a cache folder. */
export function artifactPath(cacheFolder: string, reference: ArtifactReference, kind: ArtifactKind): string {
  return join(cacheFolder, artifactFolder(reference), kind === "module" ? "main.json" : "types.tgz");
}

interface Root {
  readonly given: string;
  readonly real: string;
}

function rootOf(folder: string): Root {
  const given = resolve(folder);
  try {
    return { given, real: realpathSync(given) };
  } catch {
    return { given, real: given }; // a root that does not exist holds nothing
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!way.startsWith(`..${sep}`) && way !== ".." && !isAbsolute(way));
}

/** Whether a part of the path below its root is a link. */
function hasLink(roots: readonly Root[], path: string): boolean {
  const root = roots.find((candidate) => isInside(candidate.given, path) || isInside(candidate.real, path));
  const stops = new Set([root?.given ?? path, root?.real ?? path, resolve("/")]);
  for (let at = path; !stops.has(at); at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      return true;
    }
  }
  return false;
}

/** Reads at most `maxBytes`. Does not wait for pipes or devices, and follows no link that replaced the file meanwhile. */
function readBounded(path: string, maxBytes: number): FileRead {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const status = fstatSync(file);
    if (status.isDirectory()) {
      return { problem: "directory" };
    }
    if (!status.isFile()) {
      return { problem: "denied" };
    }
    if (status.size > maxBytes) {
      return { problem: "tooLarge" };
    }
    const bytes = new Uint8Array(status.size);
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(file, bytes, filled, bytes.length - filled, null);
      if (count === 0) {
        break;
      }
      filled += count;
    }
    return { bytes: bytes.subarray(0, filled) };
  } catch (error) {
    return { problem: problemOf(error) };
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
}

function problemOf(error: unknown): FileProblem {
  switch (systemCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
    case "ENAMETOOLONG":
      return "missing";
    case "EISDIR":
      return "directory";
    default:
      return "denied";
  }
}
