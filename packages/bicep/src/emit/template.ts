import { withoutPause, templateHash } from "@rad/templates";
import type { ObjectValue, Value } from "@rad/templates";
import { error } from "../diagnostic.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { ModuleSymbol, SemanticModel, SourceFile } from "../semantics/index.ts";
import { ScopeFlags } from "../types/index.ts";
import type { FileLoader } from "../types/index.ts";
import { Place } from "./convert.ts";
import {
  emitAsserts,
  emitDefinitions,
  emitExportedVariables,
  emitFunctions,
  emitOutputs,
  emitParameters,
  emitVariables,
} from "./declarations.ts";
import { Dependencies } from "./dependencies.ts";
import { emitExtensions } from "./extensions.ts";
import { FileContext } from "./file-context.ts";
import type { EmitSession } from "./file-context.ts";
import { ImportClosure } from "./import-closure.ts";
import { jsonText } from "./json-text.ts";
import { LoadedFiles } from "./loaded-files.ts";
import { emitModule } from "./modules.ts";
import { emitResource, emittedResources, hasExtensionsMember } from "./resources.ts";
import { settingsOf } from "./settings.ts";
import { EmitLimitError, SizeBudget } from "./size-budget.ts";
import { SourcePlaces } from "./source-map.ts";
import type { SourceMap } from "./source-map.ts";
import { symbolicName } from "./targets.ts";
import { emitValue, note } from "./values.ts";

export interface EmitOptions {
  /** What the template says about the compiler that made it; part of the template's hash. */
  readonly generatorVersion: string;
  readonly sourceMap?: boolean;
  /** Loads the files that `loadTextContent` and its kin name. Without it only what types tell of them is known. */
  readonly fileLoader?: (file: SourceFile) => FileLoader;
}

export interface EmitResult {
  /** The template; members are in the order in which they are printed. */
  readonly json: ObjectValue;
  readonly text: string;
  readonly templateHash: string;
  /** When asked for. */
  readonly sourceMap: SourceMap | undefined;
  /** Why there is no template. Empty, unless the template would be larger than anything that can be deployed. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Compiles a file without errors to a template, its modules included. */
export function emitTemplate(model: SemanticModel, options: EmitOptions): EmitResult {
  const places = options.sourceMap === true ? new SourcePlaces() : undefined;
  const budget = new SizeBudget();
  const session: EmitSession = {
    generatorVersion: options.generatorVersion,
    budget,
    places,
    fileLoader: options.fileLoader,
  };
  try {
    const emitter = new TemplateEmitter(session);
    const { json, hash } = emitter.emit(model);
    return {
      json,
      text: jsonText(json, budget),
      templateHash: hash,
      sourceMap: places?.mapOf(json),
      diagnostics: [],
    };
  } catch (problem) {
    // A RangeError is a stack or a string beyond what the engine allows: the same limit, found later.
    if (problem instanceof EmitLimitError || problem instanceof RangeError) {
      const message = "The compiled template is too large or too deeply nested.";
      const diagnostics = [error("template-too-large", { start: 0, end: 0 }, message)];
      return { json: new Map(), text: "", templateHash: "", sourceMap: undefined, diagnostics };
    }
    throw problem;
  }
}

interface EmittedTemplate {
  readonly json: ObjectValue;
  readonly hash: string;
}

/** Emits files; one that several modules use is emitted once. */
class TemplateEmitter {
  readonly #session: EmitSession;
  readonly #emitted = new Map<SemanticModel, EmittedTemplate>();

  constructor(session: EmitSession) {
    this.#session = session;
  }

  emit(model: SemanticModel): EmittedTemplate {
    let template = this.#emitted.get(model);
    if (template === undefined) {
      template = this.#emitFile(model);
      this.#emitted.set(model, template);
    }
    return template;
  }

  #emitFile(model: SemanticModel): EmittedTemplate {
    const session = this.#session;
    const settings = settingsOf(model);
    const closure = new ImportClosure(session, model, settings);
    const loaded = new LoadedFiles(model, session.fileLoader?.(model.file));
    const file = new FileContext({ session, model, settings, names: closure, loaded });
    const env = new Place(file);
    const generator = new Map<string, Value>([
      ["name", "bicep"],
      ["version", session.generatorVersion],
    ]);

    const json = new Map<string, Value>([["$schema", schemaOf(model.targetScope)]]);
    const setUnlessEmpty = (name: string, members: ReadonlyMap<string, Value> | readonly Value[]): void => {
      if ("size" in members ? members.size > 0 : members.length > 0) {
        json.set(name, members);
      }
    };
    if (settings.languageVersion !== undefined) {
      json.set("languageVersion", settings.languageVersion);
    }
    json.set("contentVersion", "1.0.0.0");
    json.set("metadata", emitMetadata(env, generator));
    setUnlessEmpty("definitions", emitDefinitions(file, closure));
    setUnlessEmpty("functions", emitFunctions(file, closure));
    setUnlessEmpty("parameters", emitParameters(env));
    setUnlessEmpty("variables", emitVariables(env, closure));
    setUnlessEmpty(hasExtensionsMember(file) ? "extensions" : "imports", emitExtensions(env));
    json.set("resources", this.#emitResources(env));
    setUnlessEmpty("outputs", emitOutputs(env));
    setUnlessEmpty("asserts", emitAsserts(env));

    const hash = withoutPause(templateHash(json));
    generator.set("templateHash", hash);
    return { json, hash };
  }

  #emitResources(env: Place): Value {
    const { file } = env;
    const dependencies = new Dependencies(file);
    const entries = [
      ...emittedResources(file).map((symbol) => ({ symbol, json: emitResource(env, symbol, dependencies) })),
      ...file.model.declarations.modules.map((symbol) => ({
        symbol,
        json: emitModule(env, symbol, dependencies, this.#templateOf(file, symbol)),
      })),
    ];
    if (!file.settings.symbolicNames) {
      const list = entries.map(({ json }) => json);
      for (const [position, { symbol }] of entries.entries()) {
        note(env, list, position, symbol.declaration);
      }
      return list;
    }
    const members = new Map<string, Value>();
    for (const { symbol, json } of entries) {
      members.set(symbolicName(symbol), json);
      note(env, members, symbolicName(symbol), symbol.declaration);
    }
    return members;
  }

  #templateOf(file: FileContext, symbol: ModuleSymbol): readonly ["template" | "templateLink", Value] {
    const { template, templateSpecId } = file.model.moduleOf(symbol);
    if (templateSpecId !== undefined) {
      return ["templateLink", new Map([["id", templateSpecId]])]; // its content is not repeated
    }
    const origin = template?.origin;
    if (origin?.kind === "bicep") {
      return ["template", this.emit(origin.model).json];
    }
    return ["template", (origin?.document ?? new Map()) as ObjectValue];
  }
}

function schemaOf(targetScope: number): string {
  const root = "https://schema.management.azure.com/schemas";
  switch (targetScope) {
    case ScopeFlags.Tenant:
      return `${root}/2019-08-01/tenantDeploymentTemplate.json#`;
    case ScopeFlags.ManagementGroup:
      return `${root}/2019-08-01/managementGroupDeploymentTemplate.json#`;
    case ScopeFlags.Subscription:
      return `${root}/2018-05-01/subscriptionDeploymentTemplate.json#`;
    default:
      return `${root}/2019-04-01/deploymentTemplate.json#`;
  }
}

const experimentalWarning =
  "This template uses ARM features that are experimental. Experimental features should be enabled for testing purposes only, as there are no guarantees about the quality or stability of these features. Do not enable these settings for any production usage, or your production environment may be subject to breaking.";

function emitMetadata(env: Place, generator: Value): Value {
  const { file } = env;
  const metadata = new Map<string, Value>();
  if (file.settings.experimentalFeatures !== undefined) {
    metadata.set("_EXPERIMENTAL_WARNING", experimentalWarning);
    metadata.set("_EXPERIMENTAL_FEATURES_ENABLED", file.settings.experimentalFeatures);
  }
  metadata.set("_generator", generator);
  const exported = emitExportedVariables(file);
  if (exported.length > 0) {
    metadata.set("__bicep_exported_variables!", exported);
  }
  for (const { name, declaration } of file.model.declarations.metadata) {
    metadata.set(name, emitValue(env, declaration.value));
    note(env, metadata, name, declaration);
  }
  return metadata;
}
