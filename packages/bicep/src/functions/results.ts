import { hasFlag, TypeFlags, typeOfValue, valuesOfLiterals, withFlags } from "../types/index.ts";
import type { Call, CallResult, ResultBuilder, Type } from "../types/index.ts";
import { callProblems } from "./diagnostics.ts";

/** A result without anything to report. */
export function plain(type: Type): CallResult {
  return { type, problems: [] };
}

/** The type of the result from the types of the arguments. */
export function typed(resultOf: (argumentTypes: readonly Type[]) => Type): ResultBuilder {
  return (call) => plain(resultOf(call.argumentTypes));
}

/**
 * Evaluates the call when every argument is a literal, so that its type is the result itself; otherwise the type is
 * what `resultOf` says. What will fail when deployed is told now (BCP234), and then has the general type.
 */
export function folded(name: string, resultOf: Type | ((argumentTypes: readonly Type[]) => Type)): ResultBuilder {
  return (call) => {
    const general = keepSecret(typeof resultOf === "function" ? resultOf(call.argumentTypes) : resultOf, call);
    const values = valuesOfLiterals(call.argumentTypes);
    if (values === undefined || values.length === 0) {
      return plain(general);
    }
    const result = call.host.fold.call(name, values);
    if ("error" in result) {
      return { type: general, problems: [callProblems.foldFailed(name, result.error)] };
    }
    return plain(keepSecret(typeOfValue(result.value), call));
  };
}

/** What is made from a secret is one. */
function keepSecret(type: Type, call: Call): Type {
  if (!call.argumentTypes.some((argument) => hasFlag(argument, TypeFlags.Secure))) {
    return type;
  }
  return type.kind === "string" || type.kind === "stringLiteral" || type.kind === "object"
    ? withFlags(type, type.flags | TypeFlags.Secure)
    : type;
}
