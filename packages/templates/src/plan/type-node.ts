import { getMember } from "../values/members.ts";
import { isObject, type ObjectValue, type Value } from "../values/value.ts";
import { PlanProblem } from "./plan-problem.ts";

/** The kinds that a `type` can name, in lower case. */
export type TypeName = "string" | "securestring" | "int" | "bool" | "object" | "secureobject" | "array";

const typeNames = new Map<string, TypeName>(
  (["string", "securestring", "int", "bool", "object", "secureobject", "array"] as const).map((name) => [name, name]),
);

const apiNames: Readonly<Record<TypeName, string>> = {
  string: "String",
  securestring: "SecureString",
  int: "Int",
  bool: "Bool",
  object: "Object",
  secureobject: "SecureObject",
  array: "Array",
};

/** As the API spells it. */
export function apiTypeName(type: TypeName): string {
  return apiNames[type];
}

/** A chain of references longer than this leads nowhere. */
const maxReferences = 100;

/** The named types of a template, and what a type node means once its references are followed. */
export class TypeDefinitions {
  readonly #root: ObjectValue;
  readonly #resolved = new WeakMap<ObjectValue, ObjectValue>();
  /** References through a type that is being resolved, for telling a circle. */
  readonly #following = new Set<string>();

  /** `definitions` as the template has it. */
  constructor(definitions: ObjectValue) {
    this.#root = new Map([["definitions", definitions]]);
  }

  /** The node with everything that it refers to; its own members come before those of its target. */
  resolve(node: ObjectValue): ObjectValue {
    const known = this.#resolved.get(node);
    if (known !== undefined) {
      return known;
    }
    let result = node;
    for (let steps = 0; ; steps += 1) {
      const reference = getMember(result, "$ref");
      if (reference === undefined) {
        this.#resolved.set(node, result);
        return result;
      }
      if (steps === maxReferences) {
        const message = `The type reference ${shown(reference)} leads back to itself, or through more than ${maxReferences} others.`;
        throw new PlanProblem("Cycle", message);
      }
      const own = [...result].filter(([name]) => name.toLowerCase() !== "$ref");
      result = merged(this.#follow(reference), own);
    }
  }

  typeOf(resolved: ObjectValue): TypeName | undefined {
    const type = getMember(resolved, "type");
    if (type === undefined) {
      return undefined;
    }
    const name = typeof type === "string" ? typeNames.get(type.toLowerCase()) : undefined;
    if (name === undefined) {
      const known = "string, securestring, int, bool, object, secureObject or array";
      throw new PlanProblem("InvalidShape", `${shown(type)} is no type; it must be ${known}.`);
    }
    return name;
  }

  /** Whether null, or nothing at all, will do. */
  isNullable(node: ObjectValue): boolean {
    return getMember(this.resolve(node), "nullable") === true;
  }

  isSecure(node: ObjectValue): boolean {
    const type = this.typeOf(this.resolve(node));
    return type === "securestring" || type === "secureobject";
  }

  #follow(reference: Value): ObjectValue {
    if (typeof reference !== "string" || !reference.startsWith("#/definitions/")) {
      throw new PlanProblem("InvalidShape", `The type reference ${shown(reference)} must begin with #/definitions/.`);
    }
    let target: Value | undefined = this.#root;
    for (const segment of reference.slice("#/".length).split("/").map(unescapePointer)) {
      target = this.#step(target, segment, reference);
    }
    if (target === undefined || !isObject(target)) {
      throw new PlanProblem("InvalidShape", `There is no type ${shown(reference)}.`);
    }
    return target;
  }

  #step(target: Value | undefined, segment: string, reference: string): Value | undefined {
    if (target === undefined || target === null) {
      return undefined;
    }
    if (Array.isArray(target)) {
      return /^\d+$/.test(segment) ? target[Number(segment)] : undefined;
    }
    if (!isObject(target)) {
      return undefined;
    }
    return getMember(target, segment) ?? this.#stepBehind(target, segment, reference);
  }

  /** A type that is a reference itself has the members of its target. */
  #stepBehind(target: ObjectValue, segment: string, reference: string): Value | undefined {
    if (getMember(target, "$ref") === undefined) {
      return undefined;
    }
    if (this.#following.has(reference)) {
      throw new PlanProblem("Cycle", `The type reference "${reference}" leads back to itself.`);
    }
    if (this.#following.size === maxReferences) {
      const message = `The type reference "${reference}" leads through more than ${maxReferences} others.`;
      throw new PlanProblem("LimitExceeded", message);
    }
    this.#following.add(reference);
    try {
      return getMember(this.resolve(target), segment);
    } finally {
      this.#following.delete(reference);
    }
  }
}

function merged(target: ObjectValue, own: readonly (readonly [string, Value])[]): ObjectValue {
  const result = new Map(target);
  for (const [name, value] of own) {
    for (const inherited of target.keys()) {
      if (inherited.toLowerCase() === name.toLowerCase()) {
        result.delete(inherited);
      }
    }
    result.set(name, value);
  }
  return result;
}

/** RFC 6901 within a URI fragment. */
function unescapePointer(segment: string): string {
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // A lone % is taken as it stands.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

function shown(value: Value): string {
  return typeof value === "string" ? `"${value}"` : "given";
}
