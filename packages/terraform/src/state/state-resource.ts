import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";

/** One instance of a resource in the document that `terraform show -json` prints. */
export interface StateResource {
  readonly address: string;
  readonly mode: string;
  readonly type: string;
  readonly provider: string;
  /** Set for an instance that Terraform still has to destroy, after another one took its place. */
  readonly deposedKey: string | undefined;
  readonly values: JsonObject;
  /** Has `true` in the place of every value that is sensitive, or of a list or an object that holds one. */
  readonly sensitiveValues: JsonValue;
}

/** Names of members and positions in lists. */
type ValuePath = readonly (string | number)[];

/**
 * The resources of a state: those of a module in the order of the document, then those of its child modules, depth
 * first. Parts that are not as documented are left out.
 */
export function* stateResources(state: JsonValue): Generator<StateResource> {
  // A stack of our own: a document may be nested deeper than calls can be.
  const modules: JsonValue[] = [member(member(state, "values"), "root_module")];
  for (let module = modules.pop(); module !== undefined; module = modules.pop()) {
    for (const resource of list(member(module, "resources"))) {
      if (isJsonObject(resource)) {
        yield stateResource(resource);
      }
    }
    for (const child of list(member(module, "child_modules")).toReversed()) {
      modules.push(child);
    }
  }
}

/** The text at a path of the values; `undefined` when it is empty, too. */
export function textAt({ values }: StateResource, ...path: ValuePath): string | undefined {
  const value = path.reduce<JsonValue>(member, values);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Whether the value at a path, or something that it is a part of, is sensitive: an id must not show it. */
export function isSensitive({ sensitiveValues }: StateResource, ...path: ValuePath): boolean {
  let mark = sensitiveValues;
  for (const key of path) {
    if (mark === true) {
      return true;
    }
    mark = member(mark, key);
  }
  return mark === true;
}

function stateResource(resource: JsonObject): StateResource {
  const values = member(resource, "values");
  return {
    address: text(member(resource, "address")),
    mode: text(member(resource, "mode")),
    type: text(member(resource, "type")),
    provider: text(member(resource, "provider_name")),
    deposedKey: text(member(resource, "deposed_key")) || undefined,
    values: isJsonObject(values) ? values : {},
    sensitiveValues: member(resource, "sensitive_values"),
  };
}

function member(value: JsonValue, key: string | number): JsonValue {
  if (typeof key === "number") {
    return Array.isArray(value) ? (value[key] ?? null) : null;
  }
  return isJsonObject(value) && Object.hasOwn(value, key) ? (value[key] ?? null) : null;
}

function list(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function text(value: JsonValue): string {
  return typeof value === "string" ? value : "";
}
