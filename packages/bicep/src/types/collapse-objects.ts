import { PropertyFlags } from "./flags.ts";
import type { AdditionalProperties, DiscriminatedType, ObjectType, Type, TypeProperty } from "./model.ts";
import { additionalOf, discriminatedOf, joinNames, objectOf, propertyOf } from "./objects.ts";
import { unionOf } from "./union.ts";

/** One type for a value that is one of several objects: a tagged union if some property tells them apart. */
export function collapseObjects(types: readonly (ObjectType | DiscriminatedType)[]): Type {
  const objects = types.flatMap((type) => (type.kind === "object" ? [type] : Array.from(type.members.values())));
  const [only] = objects;
  if (objects.length === 1 && only !== undefined) {
    return only;
  }
  const discriminator = findDiscriminator(objects);
  return discriminator === undefined ? mergeObjects(objects) : discriminatedOf(discriminator, objects);
}

/** A required property with a different string literal in each object; `type` and `kind` are tried first. */
function findDiscriminator(objects: readonly ObjectType[]): string | undefined {
  const [first] = objects;
  const names = Array.from(first?.properties.keys() ?? []);
  return ["type", "kind", ...names].find((name) => {
    const values = new Set<string>();
    for (const object of objects) {
      const property = object.properties.get(name);
      if (property?.type.kind === "stringLiteral" && (property.flags & PropertyFlags.Required) !== 0) {
        values.add(property.type.value);
      }
    }
    return values.size === objects.length;
  });
}

function mergeObjects(objects: readonly ObjectType[]): ObjectType {
  const names = new Set(objects.flatMap((object) => Array.from(object.properties.keys())));
  const flags = objects.reduce((all, object) => all | object.flags, 0);
  const text = new Set(objects.map((object) => object.name));
  return objectOf(
    Array.from(names, (name) => mergeProperty(name, objects)),
    { name: joinNames(Array.from(text).sort()), flags, additional: mergeAdditional(objects) },
  );
}

function mergeProperty(name: string, objects: readonly ObjectType[]): TypeProperty {
  const types: Type[] = [];
  let flags = 0;
  let inAll = true;
  for (const object of objects) {
    const property = object.properties.get(name) ?? object.additional;
    if (property !== undefined) {
      types.push(property.type);
      flags |= property.flags;
    }
    inAll &&= ((object.properties.get(name)?.flags ?? 0) & PropertyFlags.Required) !== 0;
  }
  return propertyOf(name, unionOf(types), inAll ? flags : flags & ~PropertyFlags.Required);
}

function mergeAdditional(objects: readonly ObjectType[]): AdditionalProperties | undefined {
  const additional = objects.map((object) => object.additional).filter((entry) => entry !== undefined);
  if (additional.length === 0) {
    return undefined;
  }
  const flags = additional.reduce((all, entry) => all | entry.flags, 0);
  return additionalOf(unionOf(additional.map((entry) => entry.type)), flags);
}
