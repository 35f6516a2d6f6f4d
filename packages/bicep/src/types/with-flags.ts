import { arrayOf, tupleOf } from "./collections.ts";
import type { Type } from "./model.ts";
import { discriminatedOf, withObject } from "./objects.ts";
import { boolLiteral, boolOf, intLiteral, intOf, stringLiteral, stringOf } from "./scalars.ts";
import { unionOf } from "./union.ts";

/** The same type with exactly these `TypeFlags`; kinds that carry none are returned as they are. */
export function withFlags(type: Type, flags: number): Type {
  if (type.kind !== "union" && type.flags === flags) {
    return type;
  }
  switch (type.kind) {
    case "string":
      return stringOf(type, flags);
    case "int":
      return intOf(type.min, type.max, flags);
    case "bool":
      return boolOf(flags);
    case "stringLiteral":
      return stringLiteral(type.value, flags);
    case "intLiteral":
      return intLiteral(type.value, flags);
    case "boolLiteral":
      return boolLiteral(type.value, flags);
    case "array":
      return arrayOf(type.item, type, flags);
    case "tuple":
      return tupleOf(type.items, flags);
    case "object":
      return withObject(type, { flags });
    case "discriminated":
      return discriminatedOf(type.discriminator, Array.from(type.members.values()), { name: type.name, flags });
    case "union":
      return unionOf(type.members.map((member) => withFlags(member, flags)));
    default:
      return type;
  }
}

/** Whether the type, or a member of the union that it is, has one of the flags. */
export function hasFlag(type: Type, flag: number): boolean {
  return type.kind === "union" ? type.members.some((member) => (member.flags & flag) !== 0) : (type.flags & flag) !== 0;
}
