import type {
  FunctionOverload,
  FunctionParameter,
  FunctionTable,
  ResultBuilder,
  VariadicParameter,
} from "./function-model.ts";
import type { Type } from "./model.ts";

export interface OverloadOptions {
  readonly parameters?: readonly FunctionParameter[];
  readonly variadic?: VariadicParameter;
  readonly flags?: number;
  readonly returns: Type;
  readonly result?: ResultBuilder;
  readonly wildcard?: boolean;
}

export function overload(name: string, options: OverloadOptions): FunctionOverload {
  const { parameters = [], variadic, flags = 0, returns, result, wildcard = false } = options;
  const needed = parameters.filter((parameter) => !parameter.optional).length;
  return {
    name,
    wildcard,
    parameters,
    variadic,
    minimumArguments: needed + (variadic?.minimum ?? 0),
    maximumArguments: variadic === undefined ? parameters.length : undefined,
    flags,
    returns,
    result,
  };
}

export type ParameterOptions = Partial<Omit<FunctionParameter, "name" | "type">>;

export function parameter(name: string, type: Type, options: ParameterOptions = {}): FunctionParameter {
  const { optional = false, constant = false, deployTimeConstant = false, typeFor } = options;
  return { name, type, optional, constant, deployTimeConstant, typeFor };
}

/** A table of functions; overloads of one name keep the order in which they are given. */
export function functionTable(overloads: readonly FunctionOverload[]): FunctionTable {
  const exact = new Map<string, FunctionOverload[]>();
  const wildcards = overloads.filter((candidate) => candidate.wildcard);
  for (const candidate of overloads) {
    if (!candidate.wildcard) {
      const known = exact.get(candidate.name);
      if (known === undefined) {
        exact.set(candidate.name, [candidate]);
      } else {
        known.push(candidate);
      }
    }
  }
  return {
    names: Array.from(exact.keys()).sort(),
    overloads: (name) => {
      const found = exact.get(name) ?? [];
      const open = wildcards.filter((candidate) => isContinuation(candidate.name, name));
      return open.length === 0 ? found : [...found, ...open];
    },
  };
}

/** Whether the name is the prefix, followed by letters only. */
function isContinuation(prefix: string, name: string): boolean {
  return name.startsWith(prefix) && /^[a-zA-Z]*$/u.test(name.slice(prefix.length));
}
