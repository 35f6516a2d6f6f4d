import type {
  ExtensionNamespace,
  ExtensionResolution,
  Features,
  ReferenceProblem,
  Resolution,
} from "../semantics/index.ts";
import { builtInExtension } from "./built-in-extensions.ts";
import type { BuiltInTypes } from "./built-in-extensions.ts";
import type { Configuration } from "./configuration.ts";
import { readProblem } from "./file-loader.ts";
import type { BicepHost, FileRead, ManifestTypes } from "./host.ts";
import { checkLocalPath } from "./local-path.ts";
import { extensionOf, folderOf, nameOf, resolvePath } from "./paths.ts";
import { problems } from "./problems.ts";
import { parseReference } from "./references.ts";
import type { ArtifactReference } from "./references.ts";
import { radiusExtension } from "./radius-extension.ts";
import { readTypeDocuments, readTypePackage } from "./type-package.ts";
import type { TypePackage } from "./type-package.ts";

export interface ExtensionFiles {
  read(path: string): FileRead;
  readPackage: BicepHost["readPackage"];
  /** Where a restored package lies. */
  artifact(reference: ArtifactReference): string | undefined;
  /** What to say about a package that was not restored. */
  absent(reference: ArtifactReference): ReferenceProblem;
  manifestTypes(folder: string): ManifestTypes | undefined;
}

/** Finds the namespaces of extensions and keeps the packages that were read. */
export class ExtensionResolver {
  readonly #types: BuiltInTypes;
  readonly #packages = new Map<string, Resolution<TypePackage>>();
  /** `extension radius` by the package that it comes from. */
  readonly #layered = new WeakMap<TypePackage, ExtensionNamespace>();
  readonly #builtIns = new Map<string, ExtensionNamespace | undefined>();

  constructor(types: BuiltInTypes) {
    this.#types = types;
  }

  /** `specification` is a name of the configuration, or a reference in so many words. */
  resolve(
    specification: string,
    folder: string,
    configuration: Configuration,
    files: ExtensionFiles,
  ): ExtensionResolution {
    if (isReference(specification)) {
      return this.#referenced(specification, folder, configuration, files);
    }
    const setting = configuration.extensions.get(specification);
    if (setting === undefined) {
      return { problem: problems.unknownExtension(specification) };
    }
    const isBuiltIn = setting.value === "builtin:";
    const found = isBuiltIn
      ? { problem: problems.notBuiltIn(specification) }
      : this.#referenced(setting.value, setting.folder, configuration, files);
    if ("value" in found) {
      return specification === "radius" ? { value: this.#withRegistered(found.value) } : found;
    }
    const builtIn = isBuiltIn ? this.#builtIn(specification, configuration.features) : undefined;
    if (builtIn !== undefined) {
      return { value: builtIn };
    }
    // We know the types of Radius ourselves, so nobody needs the network for them.
    const standIn =
      specification === "radius" && absentCodes.has(found.problem.code)
        ? this.#builtIn(specification, configuration.features)
        : undefined;
    return standIn === undefined ? found : { value: standIn, warning: problems.standIn(found.problem) };
  }

  #withRegistered(defined: TypePackage): ExtensionNamespace {
    let layered = this.#layered.get(defined);
    if (layered === undefined) {
      layered = radiusExtension(defined, this.#types.radiusLayers());
      this.#layered.set(defined, layered);
    }
    return layered;
  }

  forget(path: string): void {
    this.#packages.delete(path);
    this.#packages.delete(folderOf(path));
  }

  #builtIn(name: string, features: Features): ExtensionNamespace | undefined {
    const key = `${name} ${JSON.stringify(features)}`;
    if (!this.#builtIns.has(key)) {
      this.#builtIns.set(key, builtInExtension(name, features, this.#types));
    }
    return this.#builtIns.get(key);
  }

  #referenced(
    text: string,
    folder: string,
    configuration: Configuration,
    files: ExtensionFiles,
  ): Resolution<TypePackage> {
    const parsed = parseReference(text, configuration);
    if ("problem" in parsed) {
      return parsed;
    }
    if (parsed.value.kind === "local") {
      const wrong = checkLocalPath(text);
      return wrong === undefined ? this.#local(resolvePath(folder, text), text, files) : { problem: wrong };
    }
    const path = files.artifact(parsed.value);
    return path === undefined ? { problem: files.absent(parsed.value) } : this.#archive(path, parsed.value.text, files);
  }

  /** A folder with an index or with manifests, the index itself, or an archive. */
  #local(path: string, text: string, files: ExtensionFiles): Resolution<TypePackage> {
    if (isArchive(path)) {
      return this.#archive(path, text, files);
    }
    const folder = nameOf(path) === "index.json" ? folderOf(path) : path;
    const index = files.read(resolvePath(folder, "index.json"));
    if (!("bytes" in index)) {
      const manifests = files.manifestTypes(folder);
      return manifests === undefined ? { problem: readProblem(text, index) } : this.#manifests(folder, manifests);
    }
    return this.#read(folder, (entry) => {
      const read = files.read(resolvePath(folder, entry));
      return "bytes" in read ? read.bytes : undefined;
    });
  }

  #manifests(folder: string, manifests: ManifestTypes): Resolution<TypePackage> {
    if ("error" in manifests) {
      return { problem: problems.badExtensionPackage(manifests.error) };
    }
    const known = this.#packages.get(folder) ?? readTypeDocuments(manifests.documents);
    this.#packages.set(folder, known);
    return known;
  }

  #archive(path: string, text: string, files: ExtensionFiles): Resolution<TypePackage> {
    const known = this.#packages.get(path);
    if (known !== undefined) {
      return known;
    }
    const unpacked = files.readPackage(path);
    if ("problem" in unpacked) {
      return { problem: readProblem(text, unpacked) };
    }
    return this.#read(path, (entry) => unpacked.entries.get(entry));
  }

  #read(key: string, readEntry: (entry: string) => Uint8Array | undefined): Resolution<TypePackage> {
    let found = this.#packages.get(key);
    if (found === undefined) {
      found = readTypePackage(readEntry);
      this.#packages.set(key, found);
    }
    return found;
  }
}

const absentCodes = new Set(["BCP190", "BCP192"]);

/** Whether a path is that of a packed type package, which is not looked into for manifests. */
export function isArchive(path: string): boolean {
  return extensionOf(path) === ".tgz" || path.toLowerCase().endsWith(".tar.gz");
}

function isReference(specification: string): boolean {
  return specification.includes(":") || specification.includes("/") || specification.includes(".");
}
