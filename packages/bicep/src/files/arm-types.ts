import type { Value } from "@rad/templates";
import {
  additionalOf,
  anyObject,
  anyType,
  arrayOf,
  boolType,
  defer,
  discriminatedOf,
  intOf,
  nullable,
  objectOf,
  openObject,
  PropertyFlags,
  propertyOf,
  stringOf,
  tupleOf,
  TypeFlags,
  typeOfValue,
  unionOf,
  withFlags,
  withoutNull,
} from "../types/index.ts";
import type { ObjectType, Type, TypeProperty, TypeSource } from "../types/index.ts";
import { asArray, asBoolean, asNumber, asObject, asString, member } from "./json-document.ts";

type Node = ReadonlyMap<string, Value>;

/** Turns the type nodes of an ARM template (`parameters`, `outputs`, `definitions` …) into types. */
export interface ArmTypes {
  type(node: Value | undefined): Type;
}

export function armTypes(document: Node): ArmTypes {
  return new TypeReader(document);
}

/** The part of a document that `#/path/to/it` names. */
export function findReference(document: Node, reference: string): Value | undefined {
  if (!reference.startsWith("#/")) {
    return undefined;
  }
  let at: Value | undefined = document;
  for (const segment of reference.slice(2).split("/")) {
    const name = decode(segment);
    at = asArray(at)?.[Number(name)] ?? member(at, name);
  }
  return at;
}

class TypeReader implements ArmTypes {
  readonly #document: Node;
  /** By reference; a definition may contain itself. */
  readonly #referenced = new Map<string, TypeSource>();

  constructor(document: Node) {
    this.#document = document;
  }

  type(value: Value | undefined): Type {
    const node = asObject(value);
    if (node === undefined) {
      return anyType;
    }
    const reference = asString(node.get("$ref"));
    const type = reference === undefined ? this.#own(node) : this.#refined(reference, node);
    return withNullability(type, asBoolean(node.get("nullable")));
  }

  /** The target of a reference with what stands beside the reference. */
  #refined(reference: string, node: Node): Type {
    const beside = new Map(node);
    for (const name of ["$ref", "metadata", "nullable", "defaultValue", "value", "name"]) {
      beside.delete(name);
    }
    const target = asObject(this.#find(reference));
    if (beside.size === 0 || target === undefined) {
      const source = this.#source(reference);
      return "type" in source ? source.type : source;
    }
    return this.type(new Map([...target, ...beside]));
  }

  #source(reference: string): TypeSource {
    let source = this.#referenced.get(reference);
    if (source === undefined) {
      source = defer(() => this.type(this.#find(reference)));
      this.#referenced.set(reference, source);
    }
    return source;
  }

  #find(reference: string): Value | undefined {
    return findReference(this.#document, reference);
  }

  /** A property or item, which may lead back to where it is used. */
  #lazy(value: Value): TypeSource {
    const node = asObject(value);
    const reference = asString(node?.get("$ref"));
    if (reference === undefined) {
      return this.type(value);
    }
    return node?.size === 1 ? this.#source(reference) : defer(() => this.type(value));
  }

  #own(node: Node): Type {
    const name = asString(node.get("type"))?.toLowerCase();
    const flags = name?.startsWith("secure") === true ? TypeFlags.Secure : 0;
    const allowed = asArray(node.get("allowedValues"));
    if (allowed !== undefined && allowed.length > 0) {
      const values = unionOf(allowed.map((value) => withFlags(typeOfValue(value), flags)));
      const isItems = name === "array" && !allowed.some((value) => Array.isArray(value));
      return isItems ? arrayOf(values, lengths(node)) : values;
    }
    switch (name) {
      case "string":
      case "securestring":
        return stringOf(lengths(node), flags);
      case "int":
        return intOf(integer(node.get("minValue")), integer(node.get("maxValue")));
      case "bool":
        return boolType;
      case "array":
        return this.#array(node);
      case "object":
      case "secureobject":
        return this.#object(node, flags);
      default:
        return anyType;
    }
  }

  #array(node: Node): Type {
    const items = node.get("items");
    const prefix = asArray(node.get("prefixItems"));
    if (prefix !== undefined && items === false) {
      return tupleOf(prefix.map((item) => this.#lazy(item)));
    }
    return arrayOf(asObject(items) === undefined ? anyType : this.#lazy(items ?? null), lengths(node));
  }

  #object(node: Node, flags: number): Type {
    const discriminator = asObject(node.get("discriminator"));
    if (discriminator !== undefined) {
      const members = Array.from(asObject(discriminator.get("mapping"))?.values() ?? [], (item) => this.type(item));
      const key = asString(discriminator.get("propertyName")) ?? "";
      return discriminatedOf(key, members.filter(isObjectType), { flags });
    }
    const properties = asObject(node.get("properties"));
    const others = node.get("additionalProperties");
    if (properties === undefined && (others === undefined || others === true)) {
      return flags === 0 ? anyObject : openObject(flags);
    }
    return objectOf(this.#properties(properties), { flags, additional: this.#additional(others) });
  }

  #additional(others: Value | undefined): ObjectType["additional"] {
    if (others === false) {
      return undefined;
    }
    return asObject(others) === undefined
      ? additionalOf(anyType, PropertyFlags.Fallback)
      : additionalOf(this.#lazy(others ?? null));
  }

  *#properties(properties: Node | undefined): Iterable<TypeProperty> {
    for (const [name, node] of properties ?? []) {
      const flags = this.#isNullable(node) ? 0 : PropertyFlags.Required;
      yield propertyOf(name, this.#lazy(node), flags, asString(member(member(node, "metadata"), "description")));
    }
  }

  /** Whether a node, or what it refers to, may be left out. A chain of references that never ends is not nullable. */
  #isNullable(node: Value): boolean {
    const seen = new Set<string>();
    for (let at: Value | undefined = node; at !== undefined;) {
      const said = asBoolean(member(at, "nullable"));
      const reference = asString(member(at, "$ref"));
      if (said !== undefined || reference === undefined || seen.has(reference)) {
        return said === true;
      }
      seen.add(reference);
      at = this.#find(reference);
    }
    return false;
  }
}

function withNullability(type: Type, isNullable: boolean | undefined): Type {
  if (isNullable === undefined) {
    return type;
  }
  return isNullable ? nullable(type) : (withoutNull(type) ?? type);
}

function isObjectType(type: Type): type is ObjectType {
  return type.kind === "object";
}

function lengths(node: Node): { readonly minLength: number | undefined; readonly maxLength: number | undefined } {
  return { minLength: asNumber(node.get("minLength")), maxLength: asNumber(node.get("maxLength")) };
}

function integer(value: Value | undefined): bigint | undefined {
  return typeof value === "bigint" ? value : undefined;
}

/** Undoes the escapes of a JSON pointer in a URI fragment. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return segment;
  }
}
