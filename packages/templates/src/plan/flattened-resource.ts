import { foldCase } from "../text/letter-case.ts";
import { getMember } from "../values/members.ts";
import { isObject, type ObjectValue, type Value } from "../values/value.ts";
import { OpenObject } from "./open-object.ts";

/**
 * A Radius resource as expressions read it: a member that it does not have is looked for below `properties`, so that
 * `web.container.image` is `web.properties.container.image`. As a whole it stays what it is.
 */
export function flattenedResource(body: Value): Value {
  if (!isObject(body)) {
    return body;
  }
  const known =
    flattened.get(body) ?? (body instanceof OpenObject ? new OpenFlattened(body.known()) : new Flattened(body));
  flattened.set(body, known);
  return known;
}

/** Results do not change, so that each is prepared once. */
const flattened = new WeakMap<ObjectValue, ObjectValue>();

class Flattened extends Map<string, Value> {
  override get(name: string): Value | undefined {
    return find(super.entries(), name);
  }
}

/** The same where some members are not known yet: those are pending, at the top and below. */
class OpenFlattened extends OpenObject {
  override get(name: string): Value {
    return find(this.known(), name) ?? super.get(name);
  }
}

function find(members: Iterable<[string, Value]>, name: string): Value | undefined {
  const wanted = foldCase(name);
  let properties: Value | undefined;
  for (const [other, value] of members) {
    if (other === name || foldCase(other) === wanted) {
      return value;
    }
    properties = other === "properties" ? value : properties;
  }
  return properties !== undefined && isObject(properties) ? getMember(properties, name) : undefined;
}
