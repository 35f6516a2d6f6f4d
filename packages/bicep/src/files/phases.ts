import { createModel } from "../check/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { checkLimits } from "../limits/index.ts";
import { applyPragmas } from "../lint/pragmas.ts";
import type { ModelEnvironment, SemanticModel, SourceFile } from "../semantics/index.ts";
import type { SyntaxFile } from "../syntax/index.ts";
import type { AnalyzerSettings } from "./configuration.ts";

/** The steps of the compiler that a compilation runs on each file. */
export interface Phases {
  createModel(file: SourceFile, environment: ModelEnvironment): SemanticModel;
  /** What is checked on top of names and types: limits of templates, the linter, the values of parameters. */
  check(model: SemanticModel, analyzers: AnalyzerSettings): readonly Diagnostic[];
  /** Leaves out what the file's own directives switch off. */
  applyPragmas(file: SyntaxFile, diagnostics: readonly Diagnostic[]): readonly Diagnostic[];
}

export const phases: Phases = {
  createModel,
  check: (model) => checkLimits(model),
  applyPragmas,
};
