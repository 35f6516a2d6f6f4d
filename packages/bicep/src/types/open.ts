import { arrayOf, tupleOf } from "./collections.ts";
import { defer } from "./deferred.ts";
import type { TypeSource } from "./deferred.ts";
import type { ObjectType, Type } from "./model.ts";
import { additionalOf, propertiesIn, propertyOf, withObject } from "./objects.ts";
import { anyType } from "./scalars.ts";
import { unionOf } from "./union.ts";

/**
 * The type of a value where anything may come to be added: its objects, at every depth, have members of any type
 * besides their own. Inner parts are opened when they are first read, because few of them ever are.
 */
export function opened(type: Type): Type {
  switch (type.kind) {
    case "object":
      return openedObject(type);
    case "tuple":
      return type.items.some(holdsObjects) ? tupleOf(type.items.map(later), type.flags) : type;
    case "array":
      return holdsObjects(type.item) ? arrayOf(later(type.item), type, type.flags) : type;
    case "union":
      return type.members.some(holdsObjects) ? unionOf(type.members.map(opened)) : type;
    default:
      return type;
  }
}

const open = additionalOf(anyType);

function openedObject(type: ObjectType): ObjectType {
  const additional = type.additional ?? open;
  for (const property of propertiesIn(type)) {
    if (holdsObjects(property.type)) {
      return withObject(type, { properties: openedProperties(type), additional });
    }
  }
  return type.additional === undefined ? withObject(type, { additional }) : type;
}

function* openedProperties(type: ObjectType): Iterable<ReturnType<typeof propertyOf>> {
  for (const property of propertiesIn(type)) {
    yield holdsObjects(property.type)
      ? propertyOf(property.name, later(property.type), property.flags, property.description)
      : property;
  }
}

function later(type: Type): TypeSource {
  return holdsObjects(type) ? defer(() => opened(type)) : type;
}

function holdsObjects(type: Type): boolean {
  return type.kind === "object" || type.kind === "tuple" || type.kind === "array" || type.kind === "union";
}
