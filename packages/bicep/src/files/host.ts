import type { LiteralValue } from "../types/index.ts";
import { folderOf, resolvePath } from "./paths.ts";
import type { ArtifactReference } from "./references.ts";
import type { ReadDocument } from "./type-files.ts";

/** Why a file cannot be read. `outside` is a file that the host is not allowed to touch. */
export type FileProblem = "missing" | "directory" | "denied" | "tooLarge" | "outside";

export type FileRead = { readonly bytes: Uint8Array } | { readonly problem: FileProblem };

export type DirectoryRead =
  | { readonly files: readonly string[] }
  | { readonly problem: Exclude<FileProblem, "directory" | "tooLarge"> | "file" };

export type PackageRead = { readonly entries: ReadonlyMap<string, Uint8Array> } | { readonly problem: FileProblem };

/**
 * All that the compiler asks of the world. Paths are absolute with `/` between segments. Answers come at once and
 * nothing throws: what cannot be had is a problem, which becomes a diagnostic.
 */
export interface BicepHost {
  readFile(path: string): FileRead;
  /** The names of the files (not the folders) directly inside of a folder. */
  listDirectory(path: string): DirectoryRead;
  /** The files inside of a gzipped tar archive, by path without a leading `./`. */
  readPackage(path: string): PackageRead;
  /**
   * Where the content of a registry artifact lies: the template of a module, the archive of an extension. Nothing when
   * it was never restored; the compiler itself does not go to the network. `cacheRoot` is a folder that the
   * configuration asks for instead of the host's own.
   */
  artifact(reference: ArtifactReference, kind: ArtifactKind, cacheRoot: string | undefined): string | undefined;
  /** Why an artifact could not be restored, when somebody has tried. */
  restoreProblem?(reference: ArtifactReference): string | undefined;
  /**
   * The types of an extension that needs no package from elsewhere, as the parsed files of a type package. A host that
   * has none leaves this out, or answers nothing: then resources of the extension take any properties.
   */
  builtInTypes?(extension: string): ReadDocument | undefined;
  /** The types that a control plane has registered, in the same form; `extension radius` has them too. */
  registeredTypes?(): ReadDocument | undefined;
  /** The types that the manifests of a folder describe, or what is wrong there; nothing when the host reads none. */
  manifestTypes?(folder: string): ManifestTypes | undefined;
  environmentVariable(name: string): string | undefined;
  /** Reads YAML; a host that has no reader leaves this out. */
  readonly parseYaml?: ((text: string) => YamlRead) | undefined;
}

/** What the manifests of a folder come to. `error` is a sentence; the host itself reports what is wrong with each file. */
export type ManifestTypes = { readonly documents: ReadDocument } | { readonly error: string };

export type ArtifactKind = "module" | "extension";

export type YamlRead = { readonly value: LiteralValue } | { readonly error: string };

export interface MemoryHostOptions {
  /** Content by absolute path; strings are UTF-8. The map may change later: tell the compilation with `update`. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** Unpacked archives by path. */
  readonly packages?: ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>;
  /** Restored artifacts: the text of the reference (`br:host/path:tag`) to the path of the content. */
  readonly artifacts?: ReadonlyMap<string, string>;
  /** Parsed files of type packages by the name of a built-in extension. */
  readonly builtInTypes?: Readonly<Record<string, ReadDocument>>;
  readonly registeredTypes?: ReadDocument;
  /** By folder. */
  readonly manifestTypes?: ReadonlyMap<string, ManifestTypes>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly parseYaml?: (text: string) => YamlRead;
}

/** A host whose files are a map: for tests, browsers, and sources that never were on a disk. */
export function createMemoryHost(options: MemoryHostOptions): BicepHost {
  const {
    files,
    packages = new Map(),
    artifacts = new Map(),
    builtInTypes = {},
    registeredTypes,
    manifestTypes = new Map(),
    environment = {},
    parseYaml,
  } = options;
  const isFolder = (path: string) => {
    const prefix = path.endsWith("/") ? path : `${path}/`;
    for (const name of files.keys()) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  };
  return {
    readFile: (path) => {
      const content = files.get(resolvePath("/", path));
      if (content === undefined) {
        return { problem: isFolder(path) ? "directory" : "missing" };
      }
      return { bytes: typeof content === "string" ? new TextEncoder().encode(content) : content };
    },
    listDirectory: (path) => {
      if (files.has(path)) {
        return { problem: "file" };
      }
      if (!isFolder(path)) {
        return { problem: "missing" };
      }
      const names = Array.from(files.keys()).filter((name) => folderOf(name) === path);
      return { files: names.map((name) => name.slice(name.lastIndexOf("/") + 1)) };
    },
    readPackage: (path) => {
      const entries = packages.get(path);
      return entries === undefined ? { problem: "missing" } : { entries };
    },
    artifact: (reference) => artifacts.get(reference.text),
    builtInTypes: (extension) => builtInTypes[extension],
    registeredTypes: () => registeredTypes,
    manifestTypes: (folder) => manifestTypes.get(folder),
    environmentVariable: (name) => environment[name],
    parseYaml,
  };
}
