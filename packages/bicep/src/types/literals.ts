import { PropertyFlags } from "./flags.ts";
import { tupleOf } from "./collections.ts";
import type { LiteralValue } from "./literal-value.ts";
import type { ObjectType, Type } from "./model.ts";
import { objectOf, propertyOf } from "./objects.ts";
import { anyType, boolLiteral, intLiteral, intType, maxInt, minInt, nullType, stringLiteral } from "./scalars.ts";

/** Whether exactly one value has this type: literals, null, and tuples and closed objects made of them. */
export function isLiteral(type: Type): boolean {
  switch (type.kind) {
    case "null":
    case "stringLiteral":
    case "intLiteral":
    case "boolLiteral":
      return true;
    case "tuple":
      return type.items.every(isLiteral);
    case "object":
      return isLiteralObject(type);
    default:
      return false;
  }
}

/** The one value of a literal type. */
export function valueOfLiteral(type: Type): LiteralValue | undefined {
  switch (type.kind) {
    case "null":
      return null;
    case "stringLiteral":
    case "intLiteral":
    case "boolLiteral":
      return type.value;
    case "tuple":
      return isLiteral(type) ? type.items.map((item) => valueOfLiteral(item) ?? null) : undefined;
    case "object":
      if (!isLiteralObject(type)) {
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

function isLiteralObject(type: ObjectType): boolean {
  if (type.additional !== undefined || type.scope !== undefined || type.methods !== undefined) {
    return false;
  }
  for (const property of type.properties.values()) {
    if ((property.flags & PropertyFlags.Required) === 0 || !isLiteral(property.type)) {
      return false;
    }
  }
  return true;
}

function isList(value: readonly LiteralValue[] | ReadonlyMap<string, LiteralValue>): value is readonly LiteralValue[] {
  return Array.isArray(value);
}
