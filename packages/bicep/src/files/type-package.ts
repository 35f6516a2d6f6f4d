import type { ExtensionNamespace, ReferenceProblem, Resolution } from "../semantics/index.ts";
import { FunctionFlags, functionTable, namespaceOf, overload, parameter } from "../types/index.ts";
import type { FunctionOverload, ResourceReference, ResourceType, Type } from "../types/index.ts";
import { problems } from "./problems.ts";
import { asRecord, asText, typeFiles } from "./type-files.ts";
import type { JsonRecord, ReadDocument, TypeFiles } from "./type-files.ts";
import { anyMethod, extensionResource } from "./extension-resource.ts";
import { parseResourceReference } from "../types/index.ts";

/** Reads an entry of a package, such as `index.json`; nothing when it has no such entry. */
export type ReadEntry = (path: string) => Uint8Array | undefined;

/** The namespace of a package that is there. */
export interface TypePackage extends ExtensionNamespace {
  /** All types that it defines, spelled as there. */
  readonly references: readonly ResourceReference[];
}

/**
 * Reads a Bicep type package. Only its index is looked at now; the files that define types are parsed when one of
 * their types is first used, and each type is built once.
 */
export function readTypePackage(readEntry: ReadEntry): Resolution<TypePackage> {
  return readTypeDocuments((path) => {
    const bytes = readEntry(path);
    return bytes === undefined ? undefined : parse(bytes);
  });
}

/**
 * The same for a package whose files are parsed already. `anyMethods` is for types whose methods nobody has described:
 * they take any.
 */
export function readTypeDocuments(
  readDocument: ReadDocument,
  options: { readonly anyMethods?: boolean } = {},
): Resolution<TypePackage> {
  const files = typeFiles(readDocument);
  const index = asRecord(files.document("index.json"));
  if (index === undefined) {
    return broken(`It has no readable "index.json".`);
  }
  const settings = asRecord(index["settings"]);
  const provider = asText(settings?.["name"]);
  if (settings === undefined || provider === undefined) {
    return broken(`Its index has no "settings" with a "name".`);
  }
  return { value: new PackageNamespace({ files, index, settings, provider, anyMethods: options.anyMethods === true }) };
}

function broken(reason: string): { readonly problem: ReferenceProblem } {
  return { problem: problems.badExtensionPackage(reason) };
}

interface PackageParts {
  readonly files: TypeFiles;
  readonly index: JsonRecord;
  readonly settings: JsonRecord;
  readonly provider: string;
  readonly anyMethods: boolean;
}

class PackageNamespace implements TypePackage {
  readonly provider: string;
  readonly version: string;
  readonly singleton: boolean;
  readonly configuration: Type | undefined;
  readonly namespace: ExtensionNamespace["namespace"];
  readonly #files: TypeFiles;
  /** Where each type is defined, by its lower-cased name. */
  readonly #resources = new Map<string, { readonly reference: ResourceReference; readonly target: string }>();
  readonly #built = new Map<string, ResourceType | undefined>();
  readonly #fallback: string | undefined;
  readonly #anyMethods: boolean;

  constructor({ files, index, settings, provider, anyMethods }: PackageParts) {
    this.#files = files;
    this.#anyMethods = anyMethods;
    this.provider = provider;
    this.version = asText(settings["version"]) ?? "";
    this.singleton = settings["isSingleton"] === true;
    const configuration = reference(settings["configurationType"]);
    this.configuration = configuration === undefined ? undefined : files.type("index.json", configuration);
    this.#fallback = reference(index["fallbackResourceType"]);
    for (const [text, value] of Object.entries(asRecord(index["resources"]) ?? {})) {
      const parsed = parseResourceReference(text);
      const target = reference(value);
      if (parsed !== undefined && target !== undefined) {
        this.#resources.set(text.toLowerCase(), { reference: parsed, target });
      }
    }
    const functions = Array.isArray(index["namespaceFunctions"]) ? index["namespaceFunctions"] : [];
    this.namespace = namespaceOf(provider, {
      functions: functionTable(functions.flatMap((item) => this.#namespaceFunction(reference(item)))),
      decorators: new Map(),
      types: new Map(),
    });
  }

  get references(): readonly ResourceReference[] {
    return Array.from(this.#resources.values(), ({ reference: defined }) => defined);
  }

  resourceType(wanted: ResourceReference, existing: boolean): ResourceType | undefined {
    const name = wanted.text.toLowerCase();
    const key = `${existing} ${name}`;
    if (!this.#built.has(key)) {
      const entry = this.#resources.get(name);
      this.#built.set(key, entry === undefined ? undefined : this.#build(entry.reference, entry.target, existing));
    }
    return this.#built.get(key);
  }

  fallbackType(wanted: ResourceReference, existing: boolean): ResourceType | undefined {
    return this.#fallback === undefined ? undefined : this.#build(wanted, this.#fallback, existing);
  }

  #build(name: ResourceReference, target: string, existing: boolean): ResourceType | undefined {
    const found = this.#files.record("index.json", target);
    if (found?.record["$type"] !== "ResourceType") {
      return undefined;
    }
    const { file, record } = found;
    const body = reference(record["body"]);
    const methods = this.#methods(file, asRecord(record["functions"]));
    return extensionResource({
      reference: name,
      extension: this.provider,
      body: body === undefined ? undefined : this.#files.type(file, body),
      methods: methods.length === 0 && this.#anyMethods ? anyMethod : methods,
      writableScopes: scopes(record["writableScopes"]),
      readableScopes: scopes(record["readableScopes"]),
      existing,
    });
  }

  #methods(file: string, functions: JsonRecord | undefined): readonly FunctionOverload[] {
    return Object.entries(functions ?? {}).flatMap(([name, value]) => {
      const target = reference(asRecord(value)?.["type"]);
      const found = target === undefined ? undefined : this.#files.record(file, target);
      if (found === undefined) {
        return [];
      }
      const output = reference(found.record["output"]);
      return overload(name, {
        parameters: this.#parameters(found.file, found.record["parameters"], () => ({})),
        returns: this.#files.type(found.file, output),
        flags: FunctionFlags.RequiresInlining,
      });
    });
  }

  #namespaceFunction(target: string | undefined): readonly FunctionOverload[] {
    const found = target === undefined ? undefined : this.#files.record("index.json", target);
    const name = asText(found?.record["name"]);
    if (found === undefined || name === undefined) {
      return [];
    }
    const parameters = this.#parameters(found.file, found.record["parameters"], (flags) => ({
      optional: (flags & functionParameterFlags.Required) === 0,
      constant: (flags & functionParameterFlags.Constant) !== 0,
      deployTimeConstant: (flags & functionParameterFlags.DeployTimeConstant) !== 0,
    }));
    const output = reference(found.record["outputType"] ?? found.record["output"]);
    return [overload(name, { parameters, returns: this.#files.type(found.file, output) })];
  }

  #parameters(file: string, value: unknown, options: (flags: number) => Parameters<typeof parameter>[2]) {
    return (Array.isArray(value) ? value : []).map((item, position) => {
      const record = asRecord(item) ?? {};
      const name = asText(record["name"]) ?? `arg${position}`;
      const flags = typeof record["flags"] === "number" ? record["flags"] : 0;
      return parameter(name, this.#files.type(file, reference(record["type"])), options(flags));
    });
  }
}

const functionParameterFlags = { Required: 1, Constant: 2, DeployTimeConstant: 4 } as const;

function reference(value: unknown): string | undefined {
  return asText(asRecord(value)?.["$ref"]);
}

function scopes(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
