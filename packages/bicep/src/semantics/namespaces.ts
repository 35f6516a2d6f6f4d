import type { Span } from "../diagnostic.ts";
import { DecoratorTargets, FunctionFlags, suggestSpelling } from "../types/index.ts";
import type { NamespaceType } from "../types/index.ts";
import { nameDiagnostics } from "./diagnostics.ts";
import type { BicepSymbol, BuiltInFunctionSymbol, ErrorSymbol } from "./symbols.ts";

/** What may be called at a place of the file. */
export interface Place {
  /** `FunctionFlags` that restrict others places and are fine here. */
  readonly allowed: number;
  /** Calls are decorators; one of `DecoratorTargets`, or 0 when the kind of target does not matter. */
  readonly decorates: number | undefined;
}

export const plainPlace: Place = { allowed: 0, decorates: undefined };
export const runTimePlace: Place = { allowed: FunctionFlags.RequiresInlining, decorates: undefined };
export const parameterDefaultPlace: Place = { allowed: FunctionFlags.ParamDefaultsOnly, decorates: undefined };

const decoratorPlaces = new Map<number, Place>();

/** Always the same one for a target. */
export function decoratorPlace(target: number): Place {
  let place = decoratorPlaces.get(target);
  if (place === undefined) {
    place = { allowed: 0, decorates: target };
    decoratorPlaces.set(target, place);
  }
  return place;
}

/** Looks up what namespaces define: functions, decorators and types. */
export class Namespaces {
  readonly #all: readonly NamespaceType[];
  // Files use few functions and types again and again. Only errors belong to the place where they are found.
  readonly #functions = new Map<Place, Map<string, BicepSymbol>>();
  readonly #types = new Map<string, BicepSymbol>();
  readonly #builtIns = new Map<string, BuiltInFunctionSymbol>();

  /** In the order in which names are looked up. */
  constructor(all: readonly NamespaceType[]) {
    this.#all = all;
  }

  /** A function by its bare name. */
  function(name: string, span: Span, place: Place): BicepSymbol {
    let functions = this.#functions.get(place);
    if (functions === undefined) {
      functions = new Map();
      this.#functions.set(place, functions);
    }
    const known = functions.get(name);
    if (known !== undefined) {
      return known;
    }
    const symbol = this.#findFunction(name, span, place);
    if (symbol.kind !== "error") {
      functions.set(name, symbol);
    }
    return symbol;
  }

  #findFunction(name: string, span: Span, place: Place): BicepSymbol {
    const banned = bannedFunction(name, span);
    if (banned !== undefined) {
      return failure(name, banned);
    }
    const found = this.#all.filter((namespace) => defines(namespace, name, place));
    const [first] = found;
    if (first === undefined) {
      return failure(name, unknown(span, name, this.#callable(place)));
    }
    if (found.length > 1) {
      const names = found.map((namespace) => namespace.name);
      return failure(name, nameDiagnostics.ambiguous(span, name, names));
    }
    return this.#checked(first, name, span, place);
  }

  /** A function behind the name of its namespace. */
  qualifiedFunction(namespace: NamespaceType, name: string, span: Span, place: Place): BicepSymbol {
    const banned = bannedFunction(name, span);
    if (banned !== undefined) {
      return failure(name, banned);
    }
    if (defines(namespace, name, place)) {
      return this.#checked(namespace, name, span, place);
    }
    const suggestion = suggestSpelling(name, callableIn(namespace, place));
    return failure(
      name,
      suggestion === undefined
        ? nameDiagnostics.unknownMember(span, namespace.name, name)
        : nameDiagnostics.unknownMemberMeant(span, namespace.name, name, suggestion),
    );
  }

  /** A bare name that nothing declares: a type, a function without its parentheses, or nothing. */
  value(name: string, span: Span): BicepSymbol {
    const ambient = this.#types.get(name);
    if (ambient !== undefined) {
      return ambient;
    }
    const banned = bannedFunction(name, span);
    if (banned !== undefined) {
      return failure(name, banned);
    }
    const types = this.#all.filter((namespace) => namespace.types.has(name));
    if (types.length > 1) {
      const names = types.map((namespace) => namespace.name);
      return failure(name, nameDiagnostics.ambiguous(span, name, names));
    }
    const [namespace] = types;
    const type = namespace?.types.get(name);
    if (namespace !== undefined && type !== undefined) {
      const symbol: BicepSymbol = { kind: "ambientType", name, namespace, type };
      this.#types.set(name, symbol);
      return symbol;
    }
    for (const place of [plainPlace, decoratorPlace(0)]) {
      const owner = this.#all.find((candidate) => defines(candidate, name, place));
      if (owner !== undefined) {
        return this.#builtIn(owner, name);
      }
    }
    const known = this.#all.flatMap((candidate) => Array.from(candidate.types.keys()));
    return failure(name, unknown(span, name, known));
  }

  /** The first namespace with a function of this name. */
  ownerOf(name: string): NamespaceType | undefined {
    return this.#all.find((namespace) => defines(namespace, name, plainPlace));
  }

  typeNames(): string[] {
    return Array.from(new Set(this.#all.flatMap((namespace) => Array.from(namespace.types.keys())))).sort();
  }

  #checked(namespace: NamespaceType, name: string, span: Span, place: Place): BicepSymbol {
    const symbol = this.#builtIn(namespace, name);
    const isDecorator = place.decorates !== undefined && symbol.decorator !== undefined;
    const flags = isDecorator ? 0 : symbol.overloads.reduce((all, overload) => all | overload.flags, 0);
    if ((flags & FunctionFlags.ParamDefaultsOnly & ~place.allowed) !== 0) {
      return failure(name, nameDiagnostics.onlyInParameterDefault(span, name));
    }
    if ((flags & FunctionFlags.RequiresInlining & ~place.allowed) !== 0) {
      return failure(name, nameDiagnostics.onlyAtRunTime(span, name));
    }
    if (place.decorates === undefined) {
      return symbol;
    }
    if (symbol.decorator === undefined) {
      return failure(name, nameDiagnostics.notADecorator(span, name));
    }
    const target = targetNames.get(place.decorates);
    if (target !== undefined && (symbol.decorator.targets & place.decorates) === 0) {
      return failure(name, nameDiagnostics.wrongDecoratorTarget(span, target.code, name, target.name));
    }
    return symbol;
  }

  #builtIn(namespace: NamespaceType, name: string): BuiltInFunctionSymbol {
    const key = `${namespace.name}.${name}`;
    let symbol = this.#builtIns.get(key);
    if (symbol === undefined) {
      const decorator = namespace.decorators.get(name);
      const overloads = namespace.functions.overloads(name);
      symbol = { kind: "builtInFunction", name, namespace, overloads, decorator };
      this.#builtIns.set(key, symbol);
    }
    return symbol;
  }

  #callable(place: Place): string[] {
    return this.#all.flatMap((namespace) => callableIn(namespace, place));
  }
}

const targetNames: ReadonlyMap<number, { readonly code: string; readonly name: string }> = new Map([
  [DecoratorTargets.Parameter, { code: "BCP125", name: "parameter" }],
  [DecoratorTargets.Type, { code: "BCP297", name: "type" }],
  [DecoratorTargets.Variable, { code: "BCP126", name: "variable" }],
  [DecoratorTargets.Resource, { code: "BCP127", name: "resource" }],
  [DecoratorTargets.Module, { code: "BCP128", name: "module" }],
  [DecoratorTargets.Output, { code: "BCP129", name: "output" }],
  [DecoratorTargets.Metadata, { code: "BCP269", name: "metadata declaration" }],
]);

const operatorFunctions: ReadonlySet<string> = new Set([
  "add",
  "sub",
  "mul",
  "div",
  "mod",
  "less",
  "lessOrEquals",
  "greater",
  "greaterOrEquals",
  "equals",
  "not",
  "and",
  "or",
  "coalesce",
]);

function bannedFunction(name: string, span: Span): ErrorSymbol["diagnostic"] {
  if (operatorFunctions.has(name)) {
    return nameDiagnostics.operatorInstead(span, name);
  }
  switch (name) {
    case "variables":
      return nameDiagnostics.noVariablesFunction(span);
    case "parameters":
      return nameDiagnostics.noParametersFunction(span);
    case "if":
      return nameDiagnostics.noIfFunction(span);
    case "createArray":
      return nameDiagnostics.noCreateArray(span);
    case "createObject":
      return nameDiagnostics.noCreateObject(span);
    default:
      return undefined;
  }
}

function defines(namespace: NamespaceType, name: string, place: Place): boolean {
  return (
    namespace.functions.overloads(name).length > 0 || (place.decorates !== undefined && namespace.decorators.has(name))
  );
}

function callableIn(namespace: NamespaceType, place: Place): string[] {
  return place.decorates === undefined
    ? [...namespace.functions.names]
    : [...namespace.functions.names, ...namespace.decorators.keys()];
}

function unknown(span: Span, name: string, candidates: readonly string[]): ErrorSymbol["diagnostic"] {
  const suggestion = suggestSpelling(name, candidates);
  return suggestion === undefined
    ? nameDiagnostics.unknownName(span, name)
    : nameDiagnostics.unknownNameMeant(span, name, suggestion);
}

export function failure(name: string, diagnostic: ErrorSymbol["diagnostic"]): ErrorSymbol {
  return { kind: "error", name, diagnostic };
}
