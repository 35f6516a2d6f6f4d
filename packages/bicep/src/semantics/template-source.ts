import type { FunctionOverload, Type } from "../types/index.ts";
import type { ReferenceProblem } from "./environment.ts";
import type { SemanticModel } from "./model.ts";
import type { FunctionSymbol, TypeSymbol, VariableSymbol } from "./symbols.ts";

/** A template as others see it: what a module can be given and gives back, and what can be imported from it. */
export interface TemplateSource {
  readonly origin: TemplateOrigin;
  /** `ScopeFlags`; one bit, or none for templates that deploy anywhere. */
  readonly targetScope: number;
  readonly parameters: ReadonlyMap<string, TemplateParameter>;
  readonly outputs: ReadonlyMap<string, TemplateOutput>;
  /** The extensions it declares, by alias: what `extensionConfigs` may set. */
  readonly extensions: ReadonlyMap<string, TemplateExtension>;
  readonly exports: ReadonlyMap<string, TemplateExport>;
  /** Names that several exports share, and so cannot be imported (BCP373), with the reason. */
  readonly ambiguousExports: ReadonlyMap<string, string>;
  /** What is odd about its parameters and outputs: reported where it is a module. None when left out. */
  readonly warnings?: readonly ReferenceProblem[];
  /** What is odd about each export: reported where it is imported. */
  readonly exportWarnings?: ReadonlyMap<string, readonly ReferenceProblem[]>;
  /** Whether the file, with everything that is checked about it, has errors. */
  hasErrors(): boolean;
}

type TemplateOrigin =
  | { readonly kind: "bicep"; readonly model: SemanticModel }
  /** `document` is the parsed JSON; objects are maps, integers `bigint`. */
  | { readonly kind: "arm"; readonly document: ReadonlyMap<string, unknown>; readonly path: string };

export interface TemplateParameter {
  readonly name: string;
  readonly type: Type;
  readonly required: boolean;
  readonly description: string | undefined;
}

export interface TemplateOutput {
  readonly name: string;
  readonly type: Type;
  readonly secure: boolean;
  readonly description: string | undefined;
}

export interface TemplateExtension {
  readonly alias: string;
  /** None when the extension takes no configuration. */
  readonly configuration: Type | undefined;
  /** The configuration is needed and the template does not give all of it itself. */
  readonly required: boolean;
}

export type TemplateExport =
  | {
      readonly kind: "type";
      readonly name: string;
      readonly type: Type;
      readonly description: string | undefined;
      readonly symbol: TypeSymbol | undefined;
    }
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly type: Type;
      readonly description: string | undefined;
      readonly symbol: VariableSymbol | undefined;
    }
  | {
      readonly kind: "function";
      readonly name: string;
      readonly overload: FunctionOverload;
      readonly description: string | undefined;
      readonly symbol: FunctionSymbol | undefined;
    };
