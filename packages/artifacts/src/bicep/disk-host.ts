import { lstatSync, readdirSync } from "node:fs";
import type {
  ArtifactKind,
  ArtifactReference,
  BicepHost,
  FileRead,
  ManifestTypes,
  ReadDocument,
  YamlRead,
} from "@rad/bicep";
import { ArtifactError } from "../artifact-error.ts";
import { readTarGzip } from "../archives/tar-reader.ts";
import { artifactPath } from "../cache/artifact-path.ts";
import { problemOf, readBounded } from "../files/bounded-read.ts";
import { toCompilerPath } from "../files/compiler-path.ts";
import { confinedFiles } from "../files/confined-files.ts";
import type { ConfinedFiles } from "../files/confined-files.ts";
import { systemCode } from "../system-code.ts";

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
  /** Hands in the types that a control plane has registered. */
  setRegisteredTypes(documents: ReadDocument): void;
  /** Hands in what the manifests of a folder describe. */
  setManifestTypes(folder: string, types: ManifestTypes): void;
  /** Tells why an artifact could not be restored, for the diagnostic at its reference. */
  setRestoreProblem(reference: string, reason: string): void;
}

const defaultMaxFileBytes = 8 * 1024 * 1024;
const defaultMaxPackageBytes = 256 * 1024 * 1024;
/** Types repeat themselves, so their packages are small for what is in them; gzip itself ends at a ratio of 1032. */
const packageLimits = { maxEntries: 50_000, maxRatio: 500 };

export function createDiskHost(options: DiskHostOptions): DiskHost {
  return new Disk(options);
}

class Disk implements DiskHost {
  readonly #confined: ConfinedFiles | undefined;
  readonly #cacheFolder: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #maxFileBytes: number;
  readonly #maxPackageBytes: number;
  /** Restored artifacts of our own cache that were handed out: they may be read although they lie outside of the roots. */
  readonly #granted = new Set<string>();
  readonly #restoreProblems = new Map<string, string>();
  readonly #builtInTypes = new Map<string, ReadDocument>();
  readonly #manifestTypes = new Map<string, ManifestTypes>();
  #registeredTypes: ReadDocument | undefined;
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
    this.#confined = options.roots === undefined ? undefined : confinedFiles(options.roots);
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

  setRegisteredTypes(documents: ReadDocument): void {
    this.#registeredTypes = documents;
  }

  registeredTypes(): ReadDocument | undefined {
    return this.#registeredTypes;
  }

  setManifestTypes(folder: string, types: ManifestTypes): void {
    this.#manifestTypes.set(folder, types);
  }

  manifestTypes(folder: string): ManifestTypes | undefined {
    return this.#manifestTypes.get(folder);
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
    return this.#confined === undefined ? listFolder(path) : this.#confined.listFolder(path);
  }

  readPackage(path: string): ReturnType<BicepHost["readPackage"]> {
    const read = this.#readFile(path, this.#maxPackageBytes);
    if ("problem" in read) {
      return read;
    }
    try {
      const limits = { ...packageLimits, maxTotalBytes: this.#maxPackageBytes, maxEntryBytes: this.#maxPackageBytes };
      return { entries: new Map(readTarGzip(read.bytes, limits).map(({ path: name, content }) => [name, content])) };
    } catch (error) {
      if (!(error instanceof ArtifactError)) {
        throw error;
      }
      // An archive with nothing in it is what the compiler reports as a broken package.
      return error.code === "ArchiveTooLarge" ? { problem: "tooLarge" } : { entries: new Map() };
    }
  }

  artifact(reference: ArtifactReference, kind: ArtifactKind, cacheRoot: string | undefined): string | undefined {
    const path = toCompilerPath(artifactPath(cacheRoot ?? this.#cacheFolder, reference, kind));
    if (cacheRoot !== undefined && this.#confined !== undefined) {
      // The files that are compiled chose this folder, so it is read like any other of theirs.
      return this.#confined.hasFile(path) ? path : undefined;
    }
    if (!isFile(path)) {
      return undefined;
    }
    this.#granted.add(path);
    return path;
  }

  environmentVariable(name: string): string | undefined {
    return this.#env[name];
  }

  #readFile(path: string, maxBytes: number): FileRead {
    return this.#confined === undefined || this.#granted.has(path)
      ? readBounded(path, maxBytes)
      : this.#confined.readFile(path, maxBytes);
  }
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

function listFolder(path: string): ReturnType<BicepHost["listDirectory"]> {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return { files: entries.filter((entry) => entry.isFile()).map((entry) => entry.name) };
  } catch (error) {
    if (systemCode(error) === "ENOTDIR") {
      return { problem: "file" };
    }
    return { problem: problemOf(error) === "missing" ? "missing" : "denied" };
  }
}
