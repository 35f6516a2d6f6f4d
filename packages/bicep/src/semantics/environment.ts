import type { Diagnostic } from "../diagnostic.ts";
import type { SyntaxFile } from "../syntax/index.ts";
import type { FileLoader, NamespaceType, ResourceReference, ResourceType, Type } from "../types/index.ts";
import type { TemplateSource } from "./template-source.ts";

/** One file to analyse. */
export interface SourceFile {
  readonly path: string;
  readonly syntax: SyntaxFile;
  readonly features: Features;
  /** Extensions that need no declaration; `az` alone when left out. */
  readonly implicitExtensions?: readonly string[];
}

/** Experimental features; names as in `experimentalFeaturesEnabled`. */
export interface Features {
  readonly [name: string]: boolean | undefined;
}

/**
 * What a model needs from outside of its file. Answers must be stable: the same question of the same file has the same
 * answer for as long as the model lives. Nothing here throws.
 */
export interface ModelEnvironment {
  /**
   * The file behind the path of a module, test, import, using or extends. Path problems (codes BCP050, 051, 085, 086,
   * 091, 094, 095, 098, 190 …) come back as a problem, which is reported on the path.
   */
  template(file: SourceFile, path: string, use: TemplateUse): Resolution<TemplateSource>;
  /** The id of the template specification that a path names, by an alias or in full; nothing for other files. */
  templateSpecId(file: SourceFile, path: string): string | undefined;
  /** The namespace of an extension; `specification` is the name or the text of the string. */
  extension(file: SourceFile, specification: string): ExtensionResolution;
  /** Loads what `loadTextContent` and its kin name, relative to the file. */
  fileLoader(file: SourceFile): FileLoader;
  environmentVariable(name: string): string | undefined;
}

export type TemplateUse = "module" | "test" | "import" | "using" | "extends";

export type Resolution<T> = { readonly value: T } | { readonly problem: ReferenceProblem };

/** An extension may be there and still have a warning, such as that another package stands in for its own. */
export type ExtensionResolution =
  | { readonly value: ExtensionNamespace; readonly warning?: ReferenceProblem }
  | { readonly problem: ReferenceProblem };

/** A diagnostic without a place. */
export type ReferenceProblem = Omit<Diagnostic, "span">;

/** The types and functions that an extension brings. */
export interface ExtensionNamespace {
  /** The provider's own name, such as `Radius` or `Kubernetes`: what is emitted. */
  readonly provider: string;
  readonly version: string;
  /** May be declared only once in a file. */
  readonly singleton: boolean;
  /** The type of the `with` object; none when it takes no configuration. */
  readonly configuration: Type | undefined;
  /** Its functions, decorators and ambient types, named by the provider. */
  readonly namespace: NamespaceType;
  /** The definition of a type; letter case does not matter. */
  resourceType(reference: ResourceReference, existing: boolean): ResourceType | undefined;
  /** A type that a control plane has registered. It counts where no package of the file defines the type. */
  registeredType?(reference: ResourceReference, existing: boolean): ResourceType | undefined;
  /** A type without a definition, of a namespace that is the extension's own and so cannot be one of Azure. */
  ownType?(reference: ResourceReference, existing: boolean): ResourceType | undefined;
  /** What to do about a type without a definition: a likely spelling, the versions that exist, how to register it. */
  adviceFor?(reference: ResourceReference): string | undefined;
  /** A type for references that no definition exists for, if the package has such. */
  fallbackType(reference: ResourceReference, existing: boolean): ResourceType | undefined;
}
