import {
  boundsOf,
  hasFlag,
  lengthsOf,
  maxInt,
  membersOf,
  minInt,
  stringLiteral,
  stringOf,
  TypeFlags,
  valuesOfLiterals,
} from "../types/index.ts";
import type { FoldHost, Range, Type } from "../types/index.ts";

/**
 * The type of `'text${hole}text'`: the text itself when every hole is known, otherwise a string whose length follows
 * from its parts. There is one more piece of text than there are holes.
 */
export function typeOfInterpolation(texts: readonly string[], holes: readonly Type[], fold: FoldHost): Type {
  const flags = holes.some((hole) => hasFlag(hole, TypeFlags.Secure)) ? TypeFlags.Secure : 0;
  const known = knownText(texts, holes, fold);
  if (known !== undefined) {
    return stringLiteral(known, flags);
  }
  let min = 0;
  let max: number | undefined = 0;
  for (const text of texts) {
    min += text.length;
    max += text.length;
  }
  for (const hole of holes) {
    const lengths = printedLengths(hole);
    min += lengths.min ?? 0;
    max = max === undefined || lengths.max === undefined ? undefined : max + lengths.max;
  }
  return stringOf({ minLength: min === 0 ? undefined : min, maxLength: max }, flags);
}

function knownText(texts: readonly string[], holes: readonly Type[], fold: FoldHost): string | undefined {
  const values = valuesOfLiterals(holes);
  if (values === undefined) {
    return undefined;
  }
  // Most holes hold text, which needs no formatting.
  if (values.every((value) => typeof value === "string")) {
    return texts.map((text, index) => text + (values[index] ?? "")).join("");
  }
  const result = fold.call("format", [formatText(texts), ...values]);
  return "value" in result && typeof result.value === "string" ? result.value : undefined;
}

/** The pieces as a format string, with a numbered place for each hole. */
function formatText(texts: readonly string[]): string {
  return texts
    .map((text, index) => {
      const escaped = text.replaceAll("{", "{{").replaceAll("}", "}}");
      return index < texts.length - 1 ? `${escaped}{${index}}` : escaped;
    })
    .join("");
}

/** How long a value of the type is when it is printed into a string. */
function printedLengths(type: Type): Range<number> {
  switch (type.kind) {
    case "union":
      return type.members.map(printedLengths).reduce(widest);
    case "string":
    case "stringLiteral":
      return lengthsOf(type) ?? unknownLength;
    case "int":
    case "intLiteral":
      return digits(type);
    case "bool":
      return { min: 4, max: 5 };
    case "boolLiteral":
      return type.value ? { min: 4, max: 4 } : { min: 5, max: 5 };
    case "array":
    case "tuple":
    case "object":
    case "discriminated":
      return { min: 2, max: undefined };
    default:
      return membersOf(type).length === 0 ? { min: 0, max: 0 } : unknownLength;
  }
}

const unknownLength: Range<number> = { min: 0, max: undefined };

function digits(type: Type): Range<number> {
  const bounds = boundsOf(type);
  const low = bounds?.min ?? minInt;
  const high = bounds?.max ?? maxInt;
  const ends = [String(low).length, String(high).length];
  return { min: low <= 0n && high >= 0n ? 1 : Math.min(...ends), max: Math.max(...ends) };
}

function widest(left: Range<number>, right: Range<number>): Range<number> {
  return {
    min: Math.min(left.min ?? 0, right.min ?? 0),
    max: left.max === undefined || right.max === undefined ? undefined : Math.max(left.max, right.max),
  };
}
