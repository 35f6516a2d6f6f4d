import { getMember } from "../values/members.ts";
import { isOpaque, opaque } from "../values/opaque-value.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";
import { selectVariant } from "./type-check.ts";
import type { TypeDefinitions } from "./type-node.ts";

/** The value with every part opaque that its type calls secure. The value must fit the type. */
export function concealSecureParts(value: Value, node: ObjectValue, definitions: TypeDefinitions): Value {
  if (isOpaque(value)) {
    return value;
  }
  if (definitions.isSecure(node)) {
    return opaque();
  }
  const type = definitions.resolve(node);
  const conceal = (part: Value, declared: Value | undefined): Value =>
    declared !== undefined && isObject(declared) ? concealSecureParts(part, declared, definitions) : part;
  if (isArray(value)) {
    const prefix = getMember(type, "prefixItems") ?? [];
    const rest = getMember(type, "items");
    return value.map((item, index) => conceal(item, (isArray(prefix) ? prefix[index] : undefined) ?? rest));
  }
  return isObject(value) ? concealMembers(value, type, definitions, conceal) : value;
}

function concealMembers(
  value: ObjectValue,
  declared: ObjectValue,
  definitions: TypeDefinitions,
  conceal: (part: Value, declared: Value | undefined) => Value,
): Value {
  const type = selectVariant(value, declared, definitions);
  if (type === undefined) {
    return opaque(); // which type it has rests on a secret
  }
  const properties = getMember(type, "properties") ?? new Map<string, Value>();
  const others = getMember(type, "additionalProperties");
  const typeOf = (name: string): Value | undefined =>
    (isObject(properties) ? getMember(properties, name) : undefined) ?? others;
  return new Map([...value].map(([name, member]) => [name, conceal(member, typeOf(name))]));
}
