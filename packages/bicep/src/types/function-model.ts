import type { Expression } from "../syntax/index.ts";
import type { LiteralValue } from "./literal-value.ts";
import type { Type } from "./model.ts";

/** Names and what they can be called with. */
export interface FunctionTable {
  /** The overloads of a name, wildcard functions such as `list*` included; empty when there are none. */
  overloads(name: string): readonly FunctionOverload[];
  /** Every exact name, sorted: what suggestions are taken from. */
  readonly names: readonly string[];
}

export interface FunctionOverload {
  readonly name: string;
  /** Stands for any name that continues `name` with letters, as `list*` does. */
  readonly wildcard: boolean;
  readonly parameters: readonly FunctionParameter[];
  /** Arguments after the fixed ones, any number from `minimum` on. */
  readonly variadic: VariadicParameter | undefined;
  readonly minimumArguments: number;
  /** None for variadic functions. */
  readonly maximumArguments: number | undefined;
  /** `FunctionFlags`. */
  readonly flags: number;
  /** The result as the signature states it. */
  readonly returns: Type;
  /** Sharpens the result for given arguments. Without one, a call has the type that the signature states. */
  readonly result: ResultBuilder | undefined;
}

export interface FunctionParameter {
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
  /** The argument must be a compile-time constant. */
  readonly constant: boolean;
  /** The argument must be known when the deployment starts. */
  readonly deployTimeConstant: boolean;
  /** A sharper parameter type, found from the arguments to its left (and right): a lambda's item, an index's range. */
  readonly typeFor: ((argumentTypes: readonly Type[]) => Type | undefined) | undefined;
}

export interface VariadicParameter {
  readonly namePrefix: string;
  readonly type: Type;
  readonly minimum: number;
}

/** Where a function may be called and how its value is emitted. A bit set. */
export const FunctionFlags = {
  None: 0,
  /** Same arguments, same result. */
  Pure: 1,
  /** Only in the default value of a parameter. */
  ParamDefaultsOnly: 2,
  /** Needs the deployment engine's run-time state, so variables that use it are emitted in place. */
  RequiresInlining: 4,
  /** The loaded value always becomes a variable of its own. */
  VariableAlways: 8,
  /** The loaded value becomes a variable unless it is a variable's whole value. */
  VariableUnlessDirect: 16,
  /** Only as the value of a secure parameter of a module. */
  SecureModuleParameterOnly: 32,
  /** Only as the whole value of a parameter. */
  DirectAssignmentOnly: 64,
  /** Looks at what its argument is, not at its value. */
  ArgumentValueIndependent: 128,
  /** Loads a file. */
  LoadsFile: 256,
  /** The value comes from outside of the compilation. */
  ExternalInput: 512,
  Deprecated: 1024,
} as const;

/** What decorates what. A bit set. */
export const DecoratorTargets = {
  Parameter: 1,
  /** Type declarations, and the properties and items inside of types. */
  Type: 2,
  Variable: 4,
  Resource: 8,
  Module: 16,
  Output: 32,
  Metadata: 64,
  Function: 128,
  Extension: 256,
  Assert: 512,
} as const;

/** A decorator: its signatures, what it may stand on, and which checks it needs. */
export interface DecoratorDefinition {
  readonly name: string;
  readonly overloads: readonly FunctionOverload[];
  /** `DecoratorTargets`. */
  readonly targets: number;
  /** The types it can be attached to, nullability aside; none when any type will do. */
  readonly attachesTo: ((type: Type) => boolean) | undefined;
  readonly checks: readonly DecoratorCheck[];
}

/**
 * What else is wrong with a decorator on its target; see the checker for spans.
 * - `notOnAlias`: a refinement of a type that is merely named here
 * - `notOnLiteral`: literals and unions of them leave nothing to refine
 * - `oneKind`: the target must be one kind of value
 * - `closable`: an object without `*:` and not taken from a resource
 * - `taggedUnion`: the target is a union of objects told apart by the argument
 * - `loop`, `existing`, `topLevel`: the declaration is a loop, an existing resource, a statement
 * - `exportable`: nothing but types, variables and functions is reachable from it
 * - `allowedItems`: items of the list fit the parameter
 * - `lowerBound`, `upperBound`: the lower bound is not above the upper one
 */
export type DecoratorCheck =
  | "notOnAlias"
  | "notOnLiteral"
  | "oneKind"
  | "closable"
  | "taggedUnion"
  | "loop"
  | "existing"
  | "topLevel"
  | "exportable"
  | "allowedItems"
  | "lowerBound"
  | "upperBound";

/** Finds the type of one call. Never throws; what is wrong with the call is in the result. */
export type ResultBuilder = (call: Call) => CallResult;

export interface Call {
  readonly argumentTypes: readonly Type[];
  /** The argument expressions, in the same order. */
  readonly argumentNodes: readonly Expression[];
  readonly host: CallHost;
}

/** What calls need from outside of the type system. */
export interface CallHost {
  readonly fold: FoldHost;
  readonly files: FileLoader | undefined;
  /** The last name of the expression passed to `nameof`, or nothing when it has none. */
  nameOf(argument: Expression): string | undefined;
  /** A variable of the environment; only parameters files ask. */
  environmentVariable(name: string): string | undefined;
}

/** Evaluates the template language's functions on literal values. */
export interface FoldHost {
  call(name: string, values: readonly LiteralValue[]): { readonly value: LiteralValue } | { readonly error: string };
}

/** Loads the files that functions name, relative to the calling file. Parsing and limits are the loader's. */
export interface FileLoader {
  load(request: FileRequest): FileContent | { readonly problem: CallProblem };
}

export interface FileContent {
  readonly value: LiteralValue;
  /** Worth telling although the file could be read, such as an encoding that its first bytes contradict (BCP185). */
  readonly problem?: CallProblem | undefined;
}

export interface FileRequest {
  readonly kind: "text" | "base64" | "json" | "yaml" | "directory";
  readonly path: string;
  /** A JSON path into the document, or the pattern of a directory listing. */
  readonly selector: string | undefined;
  readonly encoding: string | undefined;
}

export interface CallResult {
  readonly type: Type;
  readonly problems: readonly CallProblem[];
}

/** A diagnostic whose place is still an argument number; the checker knows the spans. */
export interface CallProblem {
  readonly code: string;
  readonly level: "error" | "warning" | "info";
  readonly message: string;
  /** Counted from 0; `all` is from the first to the last argument. */
  readonly argument: number | "all" | "call";
}
