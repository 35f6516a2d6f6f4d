import { PropertyFlags } from "./flags.ts";
import { tupleOf } from "./collections.ts";
import type { LiteralValue } from "./literal-value.ts";
import { literalSizeOf, sumOfSizes } from "./measure.ts";
import type { Type } from "./model.ts";
import { objectOf, propertyOf } from "./objects.ts";
import { anyType, boolLiteral, intLiteral, intType, maxInt, minInt, nullType, stringLiteral } from "./scalars.ts";

/**
 * Whether exactly one value has this type: literals, null, and tuples and closed objects made of them. Very large ones
 * do not count.
 */
export function isLiteral(type: Type): boolean {
  return literalSizeOf(type) > 0;
}

/** The values of several literals; nothing when one is no literal, or when they are too large together. */
export function valuesOfLiterals(types: readonly Type[]): LiteralValue[] | undefined {
  if (sumOfSizes(types.map(literalSizeOf)) === 0) {
    return undefined;
  }
  return types.map((type) => valueOfLiteral(type) ?? null);
}

/** The one value of a literal type. */
export function valueOfLiteral(type: Type): LiteralValue | undefined {
  switch (type.kind) {
    case "null":
      return null;
    case "stringLiteral":
      return isLiteral(type) ? type.value : undefined;
    case "intLiteral":
    case "boolLiteral":
      return type.value;
    case "tuple":
      return isLiteral(type) ? type.items.map((item) => valueOfLiteral(item) ?? null) : undefined;
    case "object":
      if (!isLiteral(type)) {
        return undefined;
      }
      return new Map(
        Array.from(type.properties.values(), ({ name, type: value }) => [name, valueOfLiteral(value) ?? null]),
      );
    default:
      return undefined;
  }
}

/** The type that only this value has. Fractions have none in this language and are `any`. */
export function typeOfValue(value: LiteralValue): Type {
  if (value === null) {
    return nullType;
  }
  if (typeof value === "string") {
    return stringLiteral(value);
  }
  if (typeof value === "bigint") {
    return value > maxInt || value < minInt ? intType : intLiteral(value);
  }
  if (typeof value === "boolean") {
    return boolLiteral(value);
  }
  if (typeof value === "number") {
    return anyType;
  }
  if (isList(value)) {
    return tupleOf(value.map(typeOfValue));
  }
  return objectOf(Array.from(value, ([name, member]) => propertyOf(name, typeOfValue(member), PropertyFlags.Required)));
}

function isList(value: readonly LiteralValue[] | ReadonlyMap<string, LiteralValue>): value is readonly LiteralValue[] {
  return Array.isArray(value);
}
