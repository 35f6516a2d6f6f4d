import { compareText } from "@rad/templates";
import type { FunctionSymbol, SemanticModel, TemplateSource, TypeSymbol, VariableSymbol } from "../semantics/index.ts";
import { literalText } from "../syntax/index.ts";
import type { ImportDeclaration } from "../syntax/index.ts";
import { armDeclaration, forEachArmName } from "./arm-imports.ts";
import type { ArmDeclaration, ArmName } from "./arm-imports.ts";
import { isPlainName } from "./arm-expression.ts";
import { FileContext } from "./file-context.ts";
import type { EmitSession } from "./file-context.ts";
import type { ImportNames, ImportTarget } from "./import-names.ts";
import { referencesBelow } from "./import-references.ts";
import { LoadedFiles } from "./loaded-files.ts";
import type { AnyCall } from "./loaded-files.ts";
import type { EmitSettings } from "./settings.ts";

type Exportable = VariableSymbol | TypeSymbol | FunctionSymbol;

/** Something from another file that a template has to contain. */
export interface ImportedItem {
  readonly kind: "variable" | "type" | "function";
  /** The name in the template that imports it. */
  name: string;
  readonly originalName: string;
  /** The file it comes from, as seen from the importing one. */
  readonly sourceTemplate: string;
  readonly content:
    | { readonly kind: "bicep"; readonly file: FileContext; readonly symbol: Exportable }
    | { readonly kind: "arm"; readonly document: ReadonlyMap<string, unknown>; readonly declaration: ArmDeclaration }
    | { readonly kind: "loaded"; readonly file: FileContext; readonly call: AnyCall };
}

/**
 * All that a file imports, with everything that the imported things need themselves. Items that are imported by name
 * keep the name that the importing file gives them; the others get names that cannot clash.
 */
export class ImportClosure implements ImportNames {
  readonly #session: EmitSession;
  readonly #model: SemanticModel;
  readonly #settings: EmitSettings;
  readonly #files = new Map<SemanticModel, FileContext>();
  readonly #bySymbol = new Map<Exportable, ImportedItem>();
  readonly #byDocument = new Map<ReadonlyMap<string, unknown>, Map<string, ImportedItem>>();
  readonly #byVariable = new Map<SemanticModel, Map<string, ImportedItem>>();
  readonly #items: ImportedItem[] = [];
  /** How the importing file writes the sources that do not lie on its disk. */
  readonly #artifacts = new Map<string, string>();

  constructor(session: EmitSession, model: SemanticModel, settings: EmitSettings) {
    this.#session = session;
    this.#model = model;
    this.#settings = settings;
    this.#collect();
  }

  /** In the order of their names in the template. */
  get items(): readonly ImportedItem[] {
    return this.#items;
  }

  ofSymbol(symbol: Exportable): string {
    return this.#bySymbol.get(symbol)?.name ?? symbol.name;
  }

  ofTarget(target: ImportTarget): string {
    const { exported, source } = target;
    const item =
      source.origin.kind === "arm"
        ? this.#byDocument.get(source.origin.document)?.get(keyOf(exported))
        : exported.symbol && this.#bySymbol.get(exported.symbol);
    return item?.name ?? exported.name;
  }

  ofArm(document: ReadonlyMap<string, unknown>, name: ArmName): string {
    return this.#byDocument.get(document)?.get(keyOf(name))?.name ?? name.name;
  }

  ofLoadedFile(model: SemanticModel, variable: string): string {
    return this.#byVariable.get(model)?.get(variable)?.name ?? variable;
  }

  fileOf(target: ImportTarget): FileContext | undefined {
    return target.source.origin.kind === "bicep" ? this.#open(target.source.origin.model) : undefined;
  }

  marksExports(file: FileContext): boolean {
    return file.model === this.#model;
  }

  #open(model: SemanticModel): FileContext {
    let file = this.#files.get(model);
    if (file === undefined) {
      const loaded = new LoadedFiles(model, this.#session.fileLoader?.(model.file));
      file = new FileContext({ session: this.#session, model, settings: this.#settings, names: this, loaded });
      this.#files.set(model, file);
    }
    return file;
  }

  #collect(): void {
    const { imports, wildcards } = this.#model.declarations;
    if (imports.length === 0 && wildcards.length === 0) {
      return;
    }
    for (const symbol of wildcards) {
      this.#noteArtifact(symbol.statement, this.#model.wildcardOf(symbol));
    }
    const named = new Set<ImportedItem>();
    for (const symbol of imports) {
      const target = this.#model.importOf(symbol);
      this.#noteArtifact(symbol.statement, target?.source);
      const item = target && this.#add(target);
      if (item !== undefined) {
        item.name = symbol.name;
        named.add(item);
      }
    }
    if (wildcards.length > 0) {
      for (const target of referencesBelow(this.#model, this.#model.file.syntax.program).imports) {
        this.#add(target);
      }
    }
    this.#nameOthers(named);
    this.#items.sort((left, right) => compareText(left.name, right.name));
  }

  #noteArtifact(statement: ImportDeclaration, source: TemplateSource | undefined): void {
    const path = statement.from.kind === "ImportFrom" ? statement.from.path : undefined;
    const written = path?.kind === "StringExpression" ? literalText(path) : undefined;
    if (written !== undefined && hasScheme(written) && source?.origin.kind === "arm") {
      this.#artifacts.set(source.origin.path, written);
    }
  }

  #nameOthers(named: ReadonlySet<ImportedItem>): void {
    const others = this.#items.filter((item) => !named.has(item));
    const sortKey = (item: ImportedItem) => `${item.sourceTemplate}_${item.originalName}`;
    others.sort((left, right) => compareText(sortKey(left), sortKey(right)));
    const sources = new Map<string, number>();
    let counter = 0;
    const next = () => (counter += 1);
    for (const item of others) {
      const source = sources.get(item.sourceTemplate) ?? next();
      sources.set(item.sourceTemplate, source);
      item.name = `_${source}.${isPlainName(item.originalName) ? item.originalName : `_${next()}`}`;
    }
  }

  #add(target: ImportTarget): ImportedItem | undefined {
    const { exported, source } = target;
    if (source.origin.kind === "arm") {
      return this.#addArm(source.origin.document, exported, this.#sourceName(source.origin.path));
    }
    return exported.symbol && this.#addSymbol(source.origin.model, exported.symbol);
  }

  #addSymbol(model: SemanticModel, symbol: Exportable): ImportedItem {
    const known = this.#bySymbol.get(symbol);
    if (known !== undefined) {
      return known;
    }
    const file = this.#open(model);
    const sourceTemplate = this.#sourceName(model.file.path);
    const item = this.#newItem(symbol.kind, symbol.name, sourceTemplate, { kind: "bicep", file, symbol });
    this.#bySymbol.set(symbol, item);
    const references = referencesBelow(model, symbol.declaration);
    for (const other of references.symbols) {
      this.#addSymbol(model, other);
    }
    for (const target of references.imports) {
      this.#add(target);
    }
    for (const call of references.calls) {
      const variable = file.loaded.variableOf(call);
      if (variable !== undefined) {
        const loaded = this.#newItem("variable", variable, sourceTemplate, { kind: "loaded", file, call });
        entryOf(this.#byVariable, model).set(variable, loaded);
      }
    }
    return item;
  }

  #addArm(document: ReadonlyMap<string, unknown>, name: ArmName, sourceTemplate: string): ImportedItem | undefined {
    const items = entryOf(this.#byDocument, document);
    const known = items.get(keyOf(name));
    if (known !== undefined) {
      return known;
    }
    const declaration = armDeclaration(document, name);
    if (declaration === undefined) {
      return undefined;
    }
    const item = this.#newItem(name.kind, name.name, sourceTemplate, { kind: "arm", document, declaration });
    items.set(keyOf(name), item);
    forEachArmName(declaration, (other) => this.#addArm(document, other, sourceTemplate));
    return item;
  }

  #newItem(
    kind: ImportedItem["kind"],
    originalName: string,
    sourceTemplate: string,
    content: ImportedItem["content"],
  ): ImportedItem {
    const item: ImportedItem = { kind, name: originalName, originalName, sourceTemplate, content };
    this.#items.push(item);
    return item;
  }

  #sourceName(path: string): string {
    return this.#artifacts.get(path) ?? relativePath(this.#model.file.path, path);
  }
}

function keyOf(name: ArmName): string {
  return `${name.kind}:${name.name}`;
}

function entryOf<K, V>(map: Map<K, Map<string, V>>, key: K): Map<string, V> {
  let entry = map.get(key);
  if (entry === undefined) {
    entry = new Map();
    map.set(key, entry);
  }
  return entry;
}

function hasScheme(path: string): boolean {
  return /^(br|ts)[:/]/.test(path);
}

/** The way from the folder of one file to another file. */
function relativePath(from: string, to: string): string {
  const folder = from.split("/").slice(0, -1);
  const target = to.split("/");
  let shared = 0;
  while (shared < folder.length && folder[shared] === target[shared]) {
    shared += 1;
  }
  return [...folder.slice(shared).map(() => ".."), ...target.slice(shared)].join("/");
}
