import { createScopes } from "../limits/index.ts";
import type { Scopes } from "../limits/index.ts";
import type { FileLoader } from "../types/index.ts";
import type { SemanticModel, SourceFile, VariableSymbol } from "../semantics/index.ts";
import type { ArmExpression } from "./arm-expression.ts";
import type { ExternalInputs } from "./external-inputs.ts";
import type { ImportNames } from "./import-names.ts";
import { Inlining } from "./inlining.ts";
import type { LoadedFiles } from "./loaded-files.ts";
import type { EmitSettings } from "./settings.ts";
import type { SizeBudget } from "./size-budget.ts";
import type { SourcePlaces } from "./source-map.ts";

/** What all files of one compilation share while they are emitted. */
export interface EmitSession {
  readonly generatorVersion: string;
  readonly budget: SizeBudget;
  /** Only when a source map is asked for. */
  readonly places: SourcePlaces | undefined;
  readonly fileLoader: ((file: SourceFile) => FileLoader) | undefined;
}

/** One file while it is emitted: as a template of its own, or as a source of what a template imports. */
export class FileContext {
  readonly session: EmitSession;
  readonly model: SemanticModel;
  /** Of the template that is being made. */
  readonly settings: EmitSettings;
  /** How the template calls what comes from other files. */
  readonly names: ImportNames;
  readonly loaded: LoadedFiles;
  /** Only in parameters files. */
  readonly externalInputs: ExternalInputs | undefined;
  readonly inlining: Inlining;
  readonly scopes: Scopes;
  /** What inlined variables stand for; the same everywhere, because no variable sees a loop outside of itself. */
  readonly inlinedExpressions = new Map<VariableSymbol, ArmExpression>();

  constructor(parts: {
    readonly session: EmitSession;
    readonly model: SemanticModel;
    readonly settings: EmitSettings;
    readonly names: ImportNames;
    readonly loaded: LoadedFiles;
    readonly externalInputs?: ExternalInputs;
  }) {
    this.session = parts.session;
    this.model = parts.model;
    this.settings = parts.settings;
    this.names = parts.names;
    this.loaded = parts.loaded;
    this.externalInputs = parts.externalInputs;
    this.inlining = new Inlining(parts.model);
    this.scopes = createScopes(parts.model);
  }
}
