import {
  additionalOf,
  anyType,
  arrayOf,
  boolType,
  defer,
  discriminatedOf,
  intOf,
  nullType,
  objectOf,
  openObject,
  PropertyFlags,
  propertyOf,
  stringLiteral,
  stringOf,
  TypeFlags,
  unionOf,
} from "../types/index.ts";
import type { ObjectType, Type, TypeProperty, TypeSource } from "../types/index.ts";
import { resolvePath } from "./paths.ts";

export type JsonRecord = Readonly<Record<string, unknown>>;

/** The JSON files of a type package: arrays of type definitions that refer to each other by file and position. */
export interface TypeFiles {
  /** A parsed file; nothing when it is missing or no JSON. */
  document(file: string): unknown;
  /** The definition that `reference` (`file.json#/3`, or `#/3`) names, seen from `file`. */
  record(file: string, reference: string): { readonly file: string; readonly record: JsonRecord } | undefined;
  /** The type that a reference names; `any` when it names none. */
  type(file: string, reference: string | undefined): Type;
}

/** Reads a parsed file of a package, such as `index.json`; nothing when it has no such file. */
export type ReadDocument = (path: string) => unknown;

/** Each file is read when something in it is first asked for, and once. */
export function typeFiles(readDocument: ReadDocument): TypeFiles {
  return new Files(readDocument);
}

export function asRecord(value: unknown): JsonRecord | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

class Files implements TypeFiles {
  readonly #readDocument: ReadDocument;
  readonly #documents = new Map<string, unknown>();
  readonly #types = new Map<string, TypeSource>();

  constructor(readDocument: ReadDocument) {
    this.#readDocument = readDocument;
  }

  document(file: string): unknown {
    if (!this.#documents.has(file)) {
      this.#documents.set(file, this.#readDocument(file));
    }
    return this.#documents.get(file);
  }

  record(file: string, reference: string): { readonly file: string; readonly record: JsonRecord } | undefined {
    const target = locate(file, reference);
    const document = target === undefined ? undefined : this.document(target.file);
    const record = target !== undefined && Array.isArray(document) ? asRecord(document[target.position]) : undefined;
    return target === undefined || record === undefined ? undefined : { file: target.file, record };
  }

  type(file: string, reference: string | undefined): Type {
    const source = this.#source(file, reference);
    return "type" in source ? source.type : source;
  }

  /** Scalars at once, so that equal ones are equal; the rest when asked for, because definitions can be circular. */
  #source(file: string, reference: string | undefined): TypeSource {
    const target = reference === undefined ? undefined : locate(file, reference);
    if (reference === undefined || target === undefined) {
      return anyType;
    }
    const key = `${target.file}#${target.position}`;
    let source = this.#types.get(key);
    if (source === undefined) {
      const found = this.record(file, reference);
      source = found === undefined ? anyType : this.#build(found.file, found.record);
      this.#types.set(key, source);
    }
    return source;
  }

  #build(file: string, record: JsonRecord): TypeSource {
    const secure = record["sensitive"] === true ? TypeFlags.Secure : 0;
    switch (record["$type"]) {
      case "NullType":
        return nullType;
      case "BooleanType":
        return boolType;
      case "IntegerType":
        return intOf(integer(record["minValue"]), integer(record["maxValue"]));
      case "StringType": {
        const { minLength, maxLength } = lengths(record);
        return stringOf({ minLength, maxLength, pattern: asText(record["pattern"]) }, secure);
      }
      case "StringLiteralType":
        return stringLiteral(asText(record["value"]) ?? "", secure);
      case "BuiltInType":
        return builtIn(record["kind"]);
      case "ArrayType":
        return defer(() => arrayOf(this.#source(file, referenceOf(record["itemType"])), lengths(record)));
      case "UnionType":
        return defer(() => unionOf(listOf(record["elements"]).map((item) => this.type(file, referenceOf(item)))));
      case "ObjectType":
        return defer(() => this.#object(file, record, secure));
      case "DiscriminatedObjectType":
        return defer(() => this.#discriminated(file, record, secure));
      default:
        return anyType;
    }
  }

  #object(file: string, record: JsonRecord, flags: number, base: readonly TypeProperty[] = []): ObjectType {
    const others = referenceOf(record["additionalProperties"]);
    return objectOf([...base, ...this.#properties(file, record["properties"])], {
      name: asText(record["name"]) ?? "object",
      flags,
      additional: others === undefined ? undefined : additionalOf(this.#source(file, others)),
    });
  }

  #discriminated(file: string, record: JsonRecord, flags: number): Type {
    const base = this.#properties(file, record["baseProperties"]);
    const members: ObjectType[] = [];
    for (const element of Object.values(asRecord(record["elements"]) ?? {})) {
      const target = referenceOf(element);
      const found = target === undefined ? undefined : this.record(file, target);
      if (found !== undefined) {
        members.push(this.#object(found.file, found.record, flags, base));
      }
    }
    const name = asText(record["name"]) ?? "object";
    return discriminatedOf(asText(record["discriminator"]) ?? "", members, { name, flags });
  }

  #properties(file: string, value: unknown): TypeProperty[] {
    return Object.entries(asRecord(value) ?? {}).map(([name, property]) => {
      const record = asRecord(property) ?? {};
      const flags = propertyFlags(typeof record["flags"] === "number" ? record["flags"] : 0);
      return propertyOf(name, this.#source(file, referenceOf(record["type"])), flags, asText(record["description"]));
    });
  }
}

/** The bits of a property in a package. */
const packageFlags = { Required: 1, ReadOnly: 2, WriteOnly: 4, DeployTimeConstant: 8, Identifier: 16 } as const;

function propertyFlags(bits: number): number {
  const has = (flag: number) => (bits & flag) !== 0;
  let flags = 0;
  if (has(packageFlags.ReadOnly)) {
    flags |= PropertyFlags.ReadOnly;
  }
  if (has(packageFlags.WriteOnly)) {
    flags |= PropertyFlags.WriteOnly;
  }
  if (has(packageFlags.DeployTimeConstant)) {
    flags |= PropertyFlags.DeployTimeConstant;
  }
  if (has(packageFlags.Identifier)) {
    flags |= PropertyFlags.ResourceIdentifier;
  }
  if (!has(packageFlags.Required)) {
    return has(packageFlags.ReadOnly) ? flags : flags | PropertyFlags.AllowImplicitNull;
  }
  flags |= PropertyFlags.Required;
  if (has(packageFlags.Identifier)) {
    flags |= PropertyFlags.System | PropertyFlags.LoopVariant;
  }
  return has(packageFlags.DeployTimeConstant) ? flags | PropertyFlags.ReadableAtDeployTime : flags;
}

function locate(file: string, reference: string): { readonly file: string; readonly position: number } | undefined {
  const hash = reference.indexOf("#/");
  const position = Number(reference.slice(hash + 2));
  if (hash < 0 || !Number.isSafeInteger(position) || position < 0) {
    return undefined;
  }
  // Paths are relative to the package's root, where the index is.
  return { file: hash === 0 ? file : resolvePath("/", reference.slice(0, hash)).slice(1), position };
}

/** Older packages number the scalars. */
function builtIn(kind: unknown): Type {
  switch (kind) {
    case 2:
      return nullType;
    case 3:
      return boolType;
    case 4:
      return intOf(undefined, undefined);
    case 5:
      return stringOf({});
    case 6:
      return openObject();
    case 7:
      return arrayOf(anyType);
    default:
      return anyType;
  }
}

function lengths(record: JsonRecord): {
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
} {
  return { minLength: count(record["minLength"]), maxLength: count(record["maxLength"]) };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

function integer(value: unknown): bigint | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function referenceOf(value: unknown): string | undefined {
  return asText(asRecord(value)?.["$ref"]);
}
