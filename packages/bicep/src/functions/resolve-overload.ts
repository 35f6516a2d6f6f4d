import { isAssignable, withoutNull } from "../types/index.ts";
import type { FunctionOverload, Type } from "../types/index.ts";

/** Which function a call means, or why none fits. */
export type OverloadResolution =
  | {
      readonly kind: "match";
      readonly overload: FunctionOverload;
      /** The types to work out the result with: null is gone where only that kept an argument from fitting. */
      readonly argumentTypes: readonly Type[];
    }
  /** Arguments of type `any` leave several candidates: the result is `any` and nothing is checked. */
  | { readonly kind: "ambiguous" }
  /** BCP048: no candidate accepts this argument, and all of them got as far as it. */
  | {
      readonly kind: "noOverload";
      readonly code: "BCP048";
      readonly argument: number;
      readonly expected: readonly Type[];
      readonly actual: Type;
    }
  | {
      readonly kind: "wrongType";
      readonly code: "BCP070";
      readonly argument: number;
      readonly expected: Type;
      readonly actual: Type;
    }
  | {
      readonly kind: "wrongCount";
      readonly code: "BCP071";
      readonly minimum: number;
      readonly maximum: number | undefined;
      readonly actual: number;
    };

/**
 * Picks the overload for given arguments. An argument whose type is an error is passed as `any`. The first candidate
 * that surely fits wins; those that fit if `any` turns out right come next.
 */
export function resolveOverload(
  candidates: readonly FunctionOverload[],
  argumentTypes: readonly Type[],
): OverloadResolution {
  const potentials: FunctionOverload[] = [];
  const mismatches: Mismatch[] = [];
  for (const overload of candidates) {
    if (!acceptsCount(overload, argumentTypes.length)) {
      continue;
    }
    const outcome = match(overload, argumentTypes);
    if (outcome === "full") {
      return { kind: "match", overload, argumentTypes };
    }
    if (outcome === "potential") {
      potentials.push(overload);
    } else {
      mismatches.push(outcome);
    }
  }
  const exact = potentials.filter((overload) => !overload.wildcard);
  const best = exact.length > 0 ? exact : potentials;
  const [only] = best;
  if (only !== undefined) {
    return best.length === 1 ? { kind: "match", overload: only, argumentTypes } : { kind: "ambiguous" };
  }
  if (mismatches.length === 0) {
    return wrongCount(candidates, argumentTypes.length);
  }
  return withoutNulls(candidates, argumentTypes, mismatches) ?? describe(mismatches);
}

/** The type that the argument at a place is checked against, as sharp as the other arguments allow. */
export function parameterTypeAt(
  overload: FunctionOverload,
  index: number,
  argumentTypes: readonly Type[],
): Type | undefined {
  const parameter = overload.parameters[index];
  if (parameter === undefined) {
    return overload.variadic?.type;
  }
  return parameter.typeFor?.(argumentTypes) ?? parameter.type;
}

interface Mismatch {
  readonly argument: number;
  readonly expected: Type;
  readonly actual: Type;
}

function acceptsCount(overload: FunctionOverload, count: number): boolean {
  return count >= overload.minimumArguments && count <= (overload.maximumArguments ?? Infinity);
}

function match(overload: FunctionOverload, argumentTypes: readonly Type[]): "full" | "potential" | Mismatch {
  let anyCount = 0;
  let argument = -1;
  for (const actual of argumentTypes) {
    argument += 1;
    if (actual.kind === "any") {
      anyCount += 1;
      continue;
    }
    const expected = overload.parameters[argument]?.type ?? overload.variadic?.type;
    if (expected !== undefined && !isAssignable(actual, expected)) {
      return { argument, expected, actual };
    }
  }
  // No arguments at all decide nothing either.
  return anyCount > 0 || argumentTypes.length === 0 ? "potential" : "full";
}

/** Tries again without null where an argument does not fit only because of it. */
function withoutNulls(
  candidates: readonly FunctionOverload[],
  argumentTypes: readonly Type[],
  mismatches: readonly Mismatch[],
): OverloadResolution | undefined {
  for (const { argument, expected, actual } of mismatches) {
    const nonNull = withoutNull(actual);
    if (nonNull !== undefined && isAssignable(nonNull, expected)) {
      return resolveOverload(candidates, argumentTypes.with(argument, nonNull));
    }
  }
  return undefined;
}

function describe(mismatches: readonly Mismatch[]): OverloadResolution {
  let last: Mismatch | undefined;
  for (const mismatch of mismatches) {
    if (last === undefined || mismatch.argument >= last.argument) {
      last = mismatch;
    }
  }
  if (last === undefined) {
    return { kind: "ambiguous" };
  }
  const { argument, expected, actual } = last;
  if (mismatches.length > 1 && mismatches.every((mismatch) => mismatch.argument === argument)) {
    const all = mismatches.map((mismatch) => mismatch.expected);
    return { kind: "noOverload", code: "BCP048", argument, expected: all, actual };
  }
  return { kind: "wrongType", code: "BCP070", argument, expected, actual };
}

function wrongCount(candidates: readonly FunctionOverload[], actual: number): OverloadResolution {
  let minimum = Infinity;
  let maximum: number | undefined = 0;
  for (const { minimumArguments, maximumArguments } of candidates) {
    minimum = Math.min(minimum, minimumArguments);
    if (maximum !== undefined) {
      maximum = maximumArguments === undefined ? undefined : Math.max(maximum, maximumArguments);
    }
  }
  return { kind: "wrongCount", code: "BCP071", minimum: candidates.length === 0 ? 0 : minimum, maximum, actual };
}
