import type {
  ExtensionResolution,
  ModelEnvironment,
  ReferenceProblem,
  Resolution,
  SourceFile,
  TemplateSource,
  TemplateUse,
} from "../semantics/index.ts";
import type { FileLoader } from "../types/index.ts";
import { cacheRootOf, isArmFile } from "./compilation-paths.ts";
import type { Configuration } from "./configuration.ts";
import type { ExtensionResolver } from "./extensions.ts";
import { wayBetween } from "./file-graph.ts";
import type { FileOrder } from "./file-graph.ts";
import { createFileLoader, readProblem } from "./file-loader.ts";
import type { ArtifactKind, BicepHost, FileRead } from "./host.ts";
import { extensionOf, folderOf, nameOf, resolvePath } from "./paths.ts";
import { problems } from "./problems.ts";
import { parseReference } from "./references.ts";
import type { ArtifactReference } from "./references.ts";

export interface EnvironmentParts {
  readonly host: BicepHost;
  readonly maxChain: number;
  readonly extensions: ExtensionResolver;
  readonly configurationOf: (path: string) => Configuration;
  /** Reads a file on behalf of another, which is made again when it changes. */
  readonly read: (user: string, path: string) => FileRead;
  readonly recordInput: (user: string, input: string) => void;
  readonly templateOf: (path: string) => TemplateSource | undefined;
  readonly referencesOf: (path: string) => Iterable<string>;
  readonly circlesAround: (path: string) => Pick<FileOrder, "circle" | "depth">;
  /** Set when a limit on all files together was reached. */
  readonly exceeded: () => ReferenceProblem | undefined;
}

/** Answers the questions of models, and remembers who asked about what. */
export class CompilationEnvironment implements ModelEnvironment {
  readonly #parts: EnvironmentParts;
  readonly #loaders = new Map<string, FileLoader>();

  constructor(parts: EnvironmentParts) {
    this.#parts = parts;
  }

  template(file: SourceFile, path: string, use: TemplateUse): Resolution<TemplateSource> {
    const configuration = this.#parts.configurationOf(file.path);
    const parsed = parseReference(path, configuration);
    if ("problem" in parsed) {
      return parsed;
    }
    return parsed.value.kind === "local"
      ? this.#localTemplate(file, parsed.value.path, use)
      : this.#restoredTemplate(file, parsed.value, configuration);
  }

  templateSpecId(file: SourceFile, path: string): string | undefined {
    const parsed = parseReference(path, this.#parts.configurationOf(file.path));
    if ("problem" in parsed || parsed.value.kind !== "templateSpec") {
      return undefined;
    }
    const { subscription, resourceGroup, name, version } = parsed.value;
    return `/subscriptions/${subscription}/resourceGroups/${resourceGroup}/providers/Microsoft.Resources/templateSpecs/${name}/versions/${version}`;
  }

  extension(file: SourceFile, specification: string): ExtensionResolution {
    const { host, extensions, configurationOf, read, recordInput } = this.#parts;
    const configuration = configurationOf(file.path);
    return extensions.resolve(specification, folderOf(file.path), configuration, {
      read: (path) => read(file.path, path),
      readPackage: (path) => {
        recordInput(file.path, path);
        return host.readPackage(path);
      },
      artifact: (reference) => this.#artifact(file, reference, "extension", configuration),
      absent: (reference) => absent(reference, host),
      manifestTypes: (folder) => {
        recordInput(file.path, `${folder}/`);
        return host.manifestTypes?.(folder);
      },
    });
  }

  fileLoader(file: SourceFile): FileLoader {
    let loader = this.#loaders.get(file.path);
    if (loader === undefined) {
      const { host, read, recordInput } = this.#parts;
      loader = createFileLoader(folderOf(file.path), {
        readFile: (path) => read(file.path, path),
        listDirectory: (path) => {
          recordInput(file.path, `${path}/`);
          return host.listDirectory(path);
        },
        parseYaml: host.parseYaml,
      });
      this.#loaders.set(file.path, loader);
    }
    return loader;
  }

  environmentVariable(name: string): string | undefined {
    return this.#parts.host.environmentVariable(name);
  }

  #localTemplate(file: SourceFile, path: string, use: TemplateUse): Resolution<TemplateSource> {
    const { read, templateOf, exceeded } = this.#parts;
    const target = resolvePath(folderOf(file.path), path);
    if (target === file.path) {
      const isParameters = use === "using" || use === "extends";
      return { problem: isParameters ? problems.parametersItself() : problems.moduleItself() };
    }
    const content = read(file.path, target);
    if (!("bytes" in content)) {
      return { problem: exceeded() ?? readProblem(path, content) };
    }
    const wrong = wrongKind(target, use) ?? this.#circleOrChain(file.path, target);
    if (wrong !== undefined) {
      return { problem: wrong };
    }
    const template = templateOf(target);
    return template === undefined ? { problem: problems.fileUnreadable(path, "missing") } : { value: template };
  }

  #circleOrChain(from: string, to: string): ReferenceProblem | undefined {
    const { maxChain, circlesAround, referencesOf } = this.#parts;
    const { circle, depth } = circlesAround(from);
    if (circle.has(to) && circle.get(from) === circle.get(to)) {
      const way = wayBetween(to, from, referencesOf);
      return problems.fileCycle([from, ...way].map((path) => nameOf(path)));
    }
    return (depth.get(to) ?? 0) >= maxChain ? problems.chainTooLong(maxChain) : undefined;
  }

  #restoredTemplate(
    file: SourceFile,
    reference: ArtifactReference,
    configuration: Configuration,
  ): Resolution<TemplateSource> {
    const path = this.#artifact(file, reference, "module", configuration);
    if (path === undefined) {
      return { problem: absent(reference, this.#parts.host) };
    }
    const content = this.#parts.read(file.path, path);
    if (!("bytes" in content)) {
      return { problem: problems.restoreFailed(reference.text, readProblem(path, content).message) };
    }
    const template = this.#parts.templateOf(path);
    return template === undefined ? { problem: problems.notRestored(reference.text) } : { value: template };
  }

  #artifact(
    file: SourceFile,
    reference: ArtifactReference,
    kind: ArtifactKind,
    configuration: Configuration,
  ): string | undefined {
    this.#parts.recordInput(file.path, reference.text);
    return this.#parts.host.artifact(reference, kind, cacheRootOf(configuration));
  }
}

function absent(reference: ArtifactReference, host: BicepHost): ReferenceProblem {
  const reason = host.restoreProblem?.(reference);
  return reason === undefined ? problems.notRestored(reference.text) : problems.restoreFailed(reference.text, reason);
}

/** Whether the file at the end of a reference is of a kind that the statement can use. */
function wrongKind(target: string, use: TemplateUse): ReferenceProblem | undefined {
  const isParameters = extensionOf(target) === ".bicepparam";
  switch (use) {
    case "extends":
      return isParameters ? undefined : problems.notAParametersFile();
    case "using":
      return isParameters ? problems.notATemplate() : undefined;
    case "import":
    case "module":
      return isParameters ? problems.notAModule() : undefined;
    case "test":
      return isParameters || isArmFile(target) ? problems.notAModule() : undefined;
    default:
      return use satisfies never;
  }
}
