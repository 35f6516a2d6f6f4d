import { createModel } from "../check/index.ts";
import { orderDiagnostics } from "../diagnostic.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { emitParametersFile, emitTemplate } from "../emit/index.ts";
import type { EmitOptions, EmitResult, ParametersResult } from "../emit/index.ts";
import { checkLimits } from "../limits/index.ts";
import { applyPragmas, lint } from "../lint/index.ts";
import type { SemanticModel, SourceFile, TemplateSource } from "../semantics/index.ts";
import { LineMap } from "../syntax/index.ts";
import type { SyntaxFile } from "../syntax/index.ts";
import { readArmTemplate } from "./arm-template.ts";
import { isBuiltIn } from "./built-in-extensions.ts";
import { CompilationEnvironment } from "./compilation-environment.ts";
import { cacheRootOf, isArmFile } from "./compilation-paths.ts";
import type { Configuration } from "./configuration.ts";
import { loadConfiguration } from "./configuration-loader.ts";
import type { LoadedConfiguration } from "./configuration-loader.ts";
import { ExtensionResolver, isArchive } from "./extensions.ts";
import { readProblem } from "./file-loader.ts";
import { orderFiles } from "./file-graph.ts";
import type { FileOrder } from "./file-graph.ts";
import type { ArtifactKind, BicepHost, FileRead } from "./host.ts";
import { InputTracker } from "./input-tracker.ts";
import { folderOf, nameOf, resolvePath } from "./paths.ts";
import { problems } from "./problems.ts";
import { parseReference } from "./references.ts";
import type { ArtifactReference } from "./references.ts";
import { withoutRepeatedWarnings } from "./repeated-warnings.ts";
import { defaultLimits, SourceStore } from "./source-store.ts";
import type { CompilationCounters, CompilationLimits } from "./source-store.ts";
import { decodeText } from "./text.ts";
import { readTypeDocuments } from "./type-package.ts";
import type { TypePackage } from "./type-package.ts";
import { writtenReferences } from "./written-references.ts";

export interface CompilationOptions {
  readonly host: BicepHost;
  readonly limits?: Partial<CompilationLimits>;
  /** `false` leaves the linter out, so that no rule keeps a file from being emitted. */
  readonly lint?: boolean;
}

/** What there is to say about one file. */
export interface FileDiagnostics {
  readonly path: string;
  readonly text: string;
  readonly lineMap: LineMap;
  /** In the order in which users see them. */
  readonly diagnostics: readonly Diagnostic[];
}

/** An artifact that some file of a compilation names. */
export interface NeededArtifact {
  readonly reference: ArtifactReference;
  readonly kind: ArtifactKind;
  /** The cache folder that the configuration asks for. */
  readonly cacheRoot: string | undefined;
  readonly restored: boolean;
}

/** What is kept about a file until it, or something that it was made from, changes. */
interface Checked {
  readonly model: SemanticModel;
  readonly template: TemplateSource;
  diagnostics: readonly Diagnostic[] | undefined;
  /** Of a parameters file; made to find out what is wrong with its values, and kept because it is costly. */
  parameters: ParametersResult | undefined;
}

/**
 * Compiles files that refer to each other. Everything that was read, parsed or checked is kept; after a change, call
 * `update` with the path, and only what depends on it is made again.
 */
export class Compilation {
  readonly #host: BicepHost;
  readonly #limits: CompilationLimits;
  readonly #lints: boolean;
  readonly #sources: SourceStore;
  readonly #inputs = new InputTracker();
  readonly #extensions: ExtensionResolver;
  readonly #registeredUses = new Set<string>();
  readonly #environment: CompilationEnvironment;
  readonly #configurations = new Map<string, LoadedConfiguration>();
  readonly #checked = new Map<string, Checked>();
  readonly #armTemplates = new Map<string, TemplateSource>();
  readonly #references = new Map<string, readonly string[]>();
  readonly #orders = new Map<string, FileOrder>();
  /** An order that was made for one file tells about circles and depths of all that it reaches. */
  readonly #circles = new Map<string, FileOrder>();

  readonly #fileLoader = (file: SourceFile) => this.#environment.fileLoader(file);

  constructor(options: CompilationOptions) {
    this.#host = options.host;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#lints = options.lint !== false;
    this.#sources = new SourceStore(options.host, this.#limits);
    this.#extensions = new ExtensionResolver({
      packageOf: (extension) => this.#host.builtInTypes?.(extension),
      radiusLayers: () => ({
        registered: this.#registeredTypes(),
        onRegisteredUse: (type) => this.#registeredUses.add(type),
      }),
    });
    this.#environment = new CompilationEnvironment({
      host: this.#host,
      maxChain: this.#limits.maxChain,
      extensions: this.#extensions,
      configurationOf: (path) => this.configuration(path),
      read: (user, path) => this.#read(user, path),
      recordInput: (user, input) => this.#inputs.record(user, input),
      templateOf: (path) => this.#templateOf(path),
      referencesOf: (path) => this.#referencesOf(path),
      circlesAround: (path) => this.#circles.get(path) ?? this.#orderOf(path),
      exceeded: () => this.#sources.exceeded,
    });
  }

  get counters(): CompilationCounters {
    return { ...this.#sources.counters };
  }

  /** The configuration that applies to a file. */
  configuration(path: string): Configuration {
    const folder = folderOf(path);
    let loaded = this.#configurations.get(folder);
    if (loaded === undefined) {
      loaded = loadConfiguration(folder, {
        readFile: (file) => this.#sources.read(file),
        listDirectory: (directory) => this.#host.listDirectory(directory),
      });
      this.#configurations.set(folder, loaded);
    }
    for (const input of loaded.inputs) {
      this.#inputs.record(path, input);
    }
    return loaded.configuration;
  }

  /** What a Bicep or parameters file means; nothing when it cannot be read. */
  model(path: string): SemanticModel | undefined {
    return this.#check(path)?.model;
  }

  /** What is wrong with one file, not with the files that it uses. */
  fileDiagnostics(path: string): FileDiagnostics {
    this.#checkLeavesFirst(path);
    return this.#fileDiagnostics(path);
  }

  /** What is wrong with a file and with every Bicep file that it uses, the file itself first. */
  diagnostics(path: string): readonly FileDiagnostics[] {
    const order = this.#checkLeavesFirst(path);
    return withoutRepeatedWarnings(order.toReversed().map((file) => this.#fileDiagnostics(file)));
  }

  hasErrors(path: string): boolean {
    return hasError(this.fileDiagnostics(path).diagnostics);
  }

  /** The template of a Bicep file; nothing when the file, or one that it uses, has errors. */
  emitTemplate(path: string, options: Omit<EmitOptions, "fileLoader">): EmitResult | undefined {
    if (this.hasErrors(path)) {
      return undefined;
    }
    const model = this.model(path);
    return model === undefined ? undefined : emitTemplate(model, { ...options, fileLoader: this.#fileLoader });
  }

  /** The values of a parameters file; nothing when the file, or one that it uses, has errors. */
  emitParameters(path: string): ParametersResult | undefined {
    return this.hasErrors(path) ? undefined : this.#checked.get(path)?.parameters;
  }

  /** The registry artifacts that a file and the files it uses name, each once. */
  artifacts(path: string): readonly NeededArtifact[] {
    const found = new Map<string, NeededArtifact>();
    for (const file of this.#orderOf(path).leavesFirst) {
      for (const artifact of this.#artifactsOf(file)) {
        found.set(`${artifact.kind} ${artifact.reference.text}`, artifact);
      }
    }
    return Array.from(found.values());
  }

  /**
   * The built-in extensions that a file and the files it uses take types from. The host may load the types of these
   * before anything is checked. An extension whose package is there is none of them.
   */
  builtInExtensions(path: string): readonly string[] {
    const found = new Set<string>();
    for (const file of this.#orderOf(path).leavesFirst) {
      for (const name of this.#extensionsOf(file)) {
        if (isBuiltIn(name) && this.#lacksPackage(name, this.configuration(file))) {
          found.add(name);
        }
      }
    }
    return Array.from(found);
  }

  /** The extensions that a file and the files it uses name, or have without naming them. */
  extensionNames(path: string): ReadonlySet<string> {
    return new Set(this.#orderOf(path).leavesFirst.flatMap((file) => Array.from(this.#extensionsOf(file))));
  }

  /** The folders that these files take an extension's types from, and that have no index: only manifests. */
  manifestFolders(path: string): readonly string[] {
    const found = new Set<string>();
    for (const file of this.#orderOf(path).leavesFirst) {
      for (const name of this.#extensionsOf(file)) {
        const folder = this.#localExtension(name, this.configuration(file));
        if (folder !== undefined && !("bytes" in this.#sources.read(resolvePath(folder, "index.json")))) {
          found.add(folder);
        }
      }
    }
    return Array.from(found);
  }

  /** The types, with their versions, that were checked as a control plane has registered them. */
  get registeredTypesUsed(): readonly string[] {
    return Array.from(this.#registeredUses).sort();
  }

  /**
   * Tells that a file was changed, added or removed. Also takes the text of an artifact reference (`br:…`) that has
   * been restored meanwhile.
   */
  update(path: string): void {
    this.#sources.forget(path);
    this.#armTemplates.delete(path);
    this.#extensions.forget(path);
    this.#drop(path);
    for (const input of [path, `${folderOf(path)}/`]) {
      for (const user of this.#inputs.takeUsers(input)) {
        this.#drop(user);
      }
    }
    for (const [folder, { inputs }] of this.#configurations) {
      if (inputs.includes(path)) {
        this.#configurations.delete(folder);
      }
    }
    this.#orders.clear();
    this.#circles.clear();
  }

  #drop(path: string): void {
    this.#checked.delete(path);
    this.#references.delete(path);
  }

  #read(user: string, path: string): FileRead {
    this.#inputs.record(user, path);
    return this.#sources.read(path);
  }

  #check(path: string): Checked | undefined {
    const known = this.#checked.get(path);
    if (known !== undefined) {
      return known;
    }
    const parsed = this.#sources.parsed(path);
    if (parsed === undefined) {
      return undefined;
    }
    const { features, implicitExtensions } = this.configuration(path);
    const file: SourceFile = { path, syntax: parsed.syntax, features, implicitExtensions };
    const model = createModel(file, this.#environment);
    const checked: Checked = {
      model,
      template: model.asTemplate(() => hasError(this.#diagnosticsOf(path))),
      diagnostics: undefined,
      parameters: undefined,
    };
    this.#checked.set(path, checked);
    this.#sources.counters.filesChecked += 1;
    return checked;
  }

  #templateOf(path: string): TemplateSource | undefined {
    if (!isArmFile(path)) {
      return this.#check(path)?.template;
    }
    let template = this.#armTemplates.get(path);
    const read = this.#sources.read(path);
    if (template === undefined && "bytes" in read) {
      template = readArmTemplate(path, decodeText(read.bytes).text);
      this.#armTemplates.set(path, template);
    }
    return template;
  }

  /** Checks files before those that use them, because a chain of files may be longer than the stack is deep. */
  #checkLeavesFirst(path: string): readonly string[] {
    const order = this.#orderOf(path).leavesFirst;
    for (const file of order) {
      this.#diagnosticsOf(file);
    }
    return order;
  }

  #fileDiagnostics(path: string): FileDiagnostics {
    const parsed = this.#sources.parsed(path);
    const diagnostics = this.#diagnosticsOf(path);
    const text = parsed?.syntax.text ?? "";
    return { path, text, lineMap: parsed?.syntax.lineMap ?? new LineMap(text), diagnostics };
  }

  #diagnosticsOf(path: string): readonly Diagnostic[] {
    const checked = this.#check(path);
    if (checked === undefined) {
      return this.#unreadable(path);
    }
    checked.diagnostics ??= this.#assemble(path, checked);
    return checked.diagnostics;
  }

  #assemble(path: string, checked: Checked): readonly Diagnostic[] {
    const { model } = checked;
    const { syntax } = model.file;
    if (syntax.kind === "params") {
      checked.parameters = emitParametersFile(model, { fileLoader: this.#fileLoader });
    }
    const configuration = this.configuration(path);
    const invalidAt = this.#sources.parsed(path)?.invalidAt;
    const fixed = [
      ...configuration.problems.map((problem) => ({ ...problem, span: startOfFile })),
      ...this.#implicitProblems(model.file, configuration),
      ...syntax.scannerDiagnostics,
      ...syntax.parserDiagnostics,
    ];
    const found = [
      ...(invalidAt === undefined
        ? []
        : [{ ...problems.invalidUtf8(), span: { start: invalidAt, end: invalidAt + 1 } }]),
      ...model.diagnostics(),
      ...checkLimits(model),
      ...(this.#lints ? lint(model, configuration.analyzers) : []),
      ...(checked.parameters?.diagnostics ?? []),
    ];
    return orderDiagnostics([...fixed, ...applyPragmas(syntax, found)]);
  }

  /** A package that no statement names has no better place for its problems than the start of the file. */
  *#implicitProblems(file: SourceFile, configuration: Configuration): Iterable<Diagnostic> {
    for (const name of implicitOf(file.syntax, configuration)) {
      const resolution = this.#environment.extension(file, name);
      const problem = "problem" in resolution ? resolution.problem : resolution.warning;
      if (problem !== undefined) {
        yield { ...problem, span: startOfFile };
      }
    }
  }

  #unreadable(path: string): readonly Diagnostic[] {
    const read = this.#sources.read(path);
    if ("bytes" in read) {
      return [];
    }
    const problem = this.#sources.exceeded ?? readProblem(nameOf(path), read);
    return [{ ...problem, span: startOfFile }];
  }

  #orderOf(path: string): FileOrder {
    let order = this.#orders.get(path);
    if (order === undefined) {
      order = orderFiles(path, (file) => this.#referencesOf(file));
      this.#orders.set(path, order);
      for (const file of order.leavesFirst) {
        this.#circles.set(file, order);
      }
    }
    return order;
  }

  /** The local Bicep files that a file names, whether they can be used or not. */
  #referencesOf(path: string): readonly string[] {
    const known = this.#references.get(path);
    if (known !== undefined) {
      return known;
    }
    const parsed = this.#sources.parsed(path);
    const found = new Set<string>();
    if (parsed !== undefined) {
      const configuration = this.configuration(path);
      for (const text of writtenReferences(parsed.syntax).files) {
        const reference = parseReference(text, configuration);
        if ("value" in reference && reference.value.kind === "local") {
          const target = resolvePath(folderOf(path), reference.value.path);
          this.#inputs.record(path, target);
          if (!isArmFile(target) && "bytes" in this.#sources.read(target)) {
            found.add(target);
          }
        }
      }
    }
    const references = Array.from(found);
    this.#references.set(path, references);
    return references;
  }

  *#artifactsOf(path: string): Iterable<NeededArtifact> {
    const parsed = this.#sources.parsed(path);
    if (parsed === undefined) {
      return;
    }
    const configuration = this.configuration(path);
    for (const text of writtenReferences(parsed.syntax).files) {
      yield* this.#artifact(text, "module", configuration);
    }
    for (const name of this.#extensionsOf(path)) {
      const text = configuration.extensions.get(name)?.value ?? name;
      yield* this.#artifact(text, "extension", configuration);
    }
  }

  /** The extensions that a file names or has without naming them. */
  #extensionsOf(path: string): ReadonlySet<string> {
    const parsed = this.#sources.parsed(path);
    return parsed === undefined
      ? new Set()
      : new Set([
          ...writtenReferences(parsed.syntax).extensions,
          ...implicitOf(parsed.syntax, this.configuration(path)),
        ]);
  }

  #lacksPackage(extension: string, configuration: Configuration): boolean {
    const text = configuration.extensions.get(extension)?.value;
    if (text === undefined || text === "builtin:") {
      return text !== undefined;
    }
    const [artifact] = this.#artifact(text, "extension", configuration);
    return extension === "radius" && artifact?.restored === false;
  }

  /** The folder that an extension's setting names; nothing when it names an archive, an index or a registry. */
  #localExtension(name: string, configuration: Configuration): string | undefined {
    const setting = configuration.extensions.get(name);
    if (setting === undefined || setting.value === "builtin:") {
      return undefined;
    }
    const reference = parseReference(setting.value, configuration);
    const path = resolvePath(setting.folder, setting.value);
    const isLocal = "value" in reference && reference.value.kind === "local";
    return isLocal && !isArchive(path) && nameOf(path) !== "index.json" ? path : undefined;
  }

  #registeredTypes(): TypePackage | undefined {
    const documents = this.#host.registeredTypes?.();
    const read = documents === undefined ? undefined : readTypeDocuments(documents, { anyMethods: true });
    return read !== undefined && "value" in read ? read.value : undefined;
  }

  *#artifact(text: string, kind: ArtifactKind, configuration: Configuration): Iterable<NeededArtifact> {
    const parsed = parseReference(text, configuration);
    if ("value" in parsed && parsed.value.kind !== "local") {
      const reference = parsed.value;
      const cacheRoot = cacheRootOf(configuration);
      const restored = this.#host.artifact(reference, kind, cacheRoot) !== undefined;
      yield { reference, kind, cacheRoot, restored };
    }
  }
}

const startOfFile = { start: 0, end: 0 };

/** The extensions that a template has without naming them, Azure aside. */
function implicitOf(syntax: SyntaxFile, { implicitExtensions, extensions }: Configuration): readonly string[] {
  if (syntax.kind === "params") {
    return [];
  }
  const names = implicitExtensions.filter((name) => name !== "az" && extensions.has(name));
  return names.length === 0 ? names : names.filter((name) => !writtenReferences(syntax).extensions.includes(name));
}

function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.level === "error");
}
