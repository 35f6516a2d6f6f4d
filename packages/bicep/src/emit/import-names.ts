import type {
  FunctionSymbol,
  SemanticModel,
  TemplateExport,
  TemplateSource,
  TypeSymbol,
  VariableSymbol,
} from "../semantics/index.ts";
import type { FileContext } from "./file-context.ts";

/** Something that another file exports. */
export interface ImportTarget {
  readonly source: TemplateSource;
  readonly exported: TemplateExport;
}

/** How a template calls variables, types and functions: its own by their names, imported ones by names made up for it. */
export interface ImportNames {
  ofSymbol(symbol: VariableSymbol | TypeSymbol | FunctionSymbol): string;
  ofTarget(target: ImportTarget): string;
  /** The file that declares it; none for JSON templates. */
  fileOf(target: ImportTarget): FileContext | undefined;
  /** Whether `@export` of a file is repeated in the template: only in that of the file itself. */
  marksExports(file: FileContext): boolean;
  /** The variable that holds a loaded file; `variable` is what the loading file itself calls it. */
  ofLoadedFile(model: SemanticModel, variable: string): string;
}

/** The namespace of functions that a template declares itself or imports by name. */
const ownNamespace = "__bicep";

/** The name with which expressions call a function. */
export function qualifiedFunction(name: string): string {
  return name.includes(".") ? name : `${ownNamespace}.${name}`;
}
