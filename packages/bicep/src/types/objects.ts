import { resolved, uniqueKey } from "./deferred.ts";
import type { TypeSource } from "./deferred.ts";
import { PropertyFlags } from "./flags.ts";
import type { FunctionTable } from "./function-model.ts";
import { capped, depthOf, literalSizeOf, maxDepth, shortKey } from "./measure.ts";
import type { AdditionalProperties, DiscriminatedType, ObjectType, ScopeValue, Type, TypeProperty } from "./model.ts";
import { anyType } from "./scalars.ts";

export interface ObjectOptions {
  readonly name?: string;
  readonly flags?: number;
  readonly additional?: AdditionalProperties | undefined;
  readonly methods?: FunctionTable | undefined;
  readonly scope?: ScopeValue | undefined;
}

/** An object with these properties, closed unless `additional` says otherwise. A name given twice counts once. */
export function objectOf(properties: Iterable<TypeProperty>, options: ObjectOptions = noOptions): ObjectType {
  return new ObjectOf(sortedByName(properties), options);
}

/** A closed object of properties that have different names; they are sorted when somebody asks for them. */
export function closedObjectOf(properties: readonly TypeProperty[]): ObjectType {
  return new ObjectOf(properties, noOptions, false);
}

export function propertyOf(name: string, type: TypeSource, flags = 0, description?: string): TypeProperty {
  return new PropertyOf(name, type, flags, description);
}

export function additionalOf(type: TypeSource, flags = 0): AdditionalProperties {
  return new PropertyOf("*", type, flags, undefined);
}

/** The same property with other flags; a type that is still to be worked out stays so. */
export function withPropertyFlags(property: TypeProperty, flags: number): TypeProperty {
  return property.flags === flags
    ? property
    : new PropertyOf(property.name, sourceOf(property), flags, property.description);
}

/** A copy of the object with some parts replaced. */
export function withObject(
  type: ObjectType,
  changes: ObjectOptions & { readonly properties?: Iterable<TypeProperty> },
): ObjectType {
  const options: ObjectOptions = {
    name: changes.name ?? type.name,
    flags: changes.flags ?? type.flags,
    additional: "additional" in changes ? changes.additional : type.additional,
    methods: "methods" in changes ? changes.methods : type.methods,
    scope: "scope" in changes ? changes.scope : type.scope,
  };
  if (changes.properties === undefined && type instanceof ObjectOf) {
    return ObjectOf.like(type, options);
  }
  return new ObjectOf(sortedByName(changes.properties ?? type.properties.values()), options);
}

/** The properties of an object in any order, where nobody has to find one by its name. */
export function propertiesIn(type: ObjectType): Iterable<TypeProperty> {
  return type instanceof ObjectOf ? ObjectOf.listOf(type) : type.properties.values();
}

/** Objects told apart by `discriminator`; each member has that property with a string literal. */
export function discriminatedOf(
  discriminator: string,
  members: readonly ObjectType[],
  options: { readonly name?: string; readonly flags?: number } = {},
): DiscriminatedType {
  const byValue = new Map<string, ObjectType>();
  for (const member of members) {
    const tag = member.properties.get(discriminator)?.type;
    if (tag?.kind === "stringLiteral") {
      byValue.set(tag.value, member);
    }
  }
  return new DiscriminatedOf(discriminator, byValue, options);
}

const noOptions: ObjectOptions = {};

class PropertyOf implements TypeProperty {
  readonly name: string;
  readonly flags: number;
  readonly description: string | undefined;
  readonly #source: TypeSource;

  constructor(name: string, source: TypeSource, flags: number, description: string | undefined) {
    this.name = name;
    this.#source = source;
    this.flags = flags;
    this.description = description;
  }

  static source(property: PropertyOf): TypeSource {
    return property.#source;
  }

  get type(): Type {
    return resolved(this.#source);
  }
}

class ObjectOf implements ObjectType {
  readonly kind = "object";
  readonly name: string;
  readonly flags: number;
  readonly additional: AdditionalProperties | undefined;
  readonly methods: FunctionTable | undefined;
  readonly scope: ScopeValue | undefined;
  readonly depth: number;
  readonly literalSize: number;
  #list: readonly TypeProperty[];
  #isSorted: boolean;
  #properties: ReadonlyMap<string, TypeProperty> | undefined;
  #key: string | undefined;

  constructor(properties: readonly TypeProperty[], options: ObjectOptions, isSorted = true) {
    this.name = options.name ?? "object";
    this.flags = options.flags ?? 0;
    this.#list = properties;
    this.#isSorted = isSorted;
    this.additional = options.additional;
    this.methods = options.methods;
    this.scope = options.scope;
    this.depth = depthOfObject(this.#list, options.additional) + 1;
    this.literalSize = isClosed(this) && this.depth <= maxDepth ? literalSizeOfObject(this.#list) : 0;
  }

  static listOf(type: ObjectOf): readonly TypeProperty[] {
    return type.#list;
  }

  /** An object of the same properties. */
  static like(type: ObjectOf, options: ObjectOptions): ObjectOf {
    return new ObjectOf(type.#list, options, type.#isSorted);
  }

  // Every object literal of a file has such a type, and most of them are never asked for a property.
  get properties(): ReadonlyMap<string, TypeProperty> {
    this.#properties ??= this.#byName();
    return this.#properties;
  }

  get key(): string {
    this.#key ??= this.scope !== undefined || this.depth > maxDepth ? uniqueKey("object") : shortKey(objectKey(this));
    return this.#key;
  }

  #byName(): ReadonlyMap<string, TypeProperty> {
    if (!this.#isSorted) {
      this.#list = sortedByName(this.#list);
      this.#isSorted = true;
    }
    const properties = new Map<string, TypeProperty>();
    for (const property of this.#list) {
      properties.set(property.name, property);
    }
    return properties;
  }
}

class DiscriminatedOf implements DiscriminatedType {
  readonly kind = "discriminated";
  readonly name: string;
  readonly flags: number;
  readonly discriminator: string;
  readonly members: ReadonlyMap<string, ObjectType>;
  readonly depth: number;
  #key: string | undefined;

  constructor(
    discriminator: string,
    members: ReadonlyMap<string, ObjectType>,
    options: { readonly name?: string; readonly flags?: number },
  ) {
    this.discriminator = discriminator;
    this.members = members;
    this.name = options.name ?? joinNames(Array.from(members.values(), (member) => member.name));
    this.flags = options.flags ?? 0;
    let depth = 0;
    for (const member of members.values()) {
      depth = Math.max(depth, member.depth);
    }
    this.depth = depth + 1;
  }

  get key(): string {
    this.#key ??= this.depth > maxDepth ? uniqueKey("by") : shortKey(discriminatedKey(this));
    return this.#key;
  }
}

// Few enough to be put in place one by one, without the copies that the built-in sort makes.
const fewProperties = 16;

/** Of several with the same name the last one counts. */
function sortedByName(properties: Iterable<TypeProperty>): readonly TypeProperty[] {
  const list = [...properties];
  if (list.length <= fewProperties && !insertByName(list)) {
    return list;
  }
  list.sort(compareNames);
  return list.filter((property, index) => list[index + 1]?.name !== property.name);
}

/** Whether a name came up twice. */
function insertByName(list: TypeProperty[]): boolean {
  let isRepeated = false;
  for (let index = 1; index < list.length; index += 1) {
    for (let place = index; place > 0; place -= 1) {
      const before = list[place - 1];
      const property = list[place];
      if (before === undefined || property === undefined || before.name <= property.name) {
        isRepeated ||= before?.name === property?.name;
        break;
      }
      list[place - 1] = property;
      list[place] = before;
    }
  }
  return isRepeated;
}

/** Equal names keep their order, so that the last one counts. */
function compareNames(left: TypeProperty, right: TypeProperty): number {
  if (left.name === right.name) {
    return 0;
  }
  return left.name < right.name ? -1 : 1;
}

function depthOfObject(properties: readonly TypeProperty[], additional: AdditionalProperties | undefined): number {
  let depth = additional === undefined ? 0 : depthOf(sourceOf(additional));
  for (const property of properties) {
    depth = Math.max(depth, depthOf(sourceOf(property)));
  }
  return depth;
}

/** Whether nothing but its properties can be in it. */
function isClosed(type: Pick<ObjectType, "additional" | "scope" | "methods">): boolean {
  return type.additional === undefined && type.scope === undefined && type.methods === undefined;
}

/** 0 as soon as one member is no literal. */
function literalSizeOfObject(properties: readonly TypeProperty[]): number {
  let sum = 1;
  for (const property of properties) {
    const size = (property.flags & PropertyFlags.Required) === 0 ? 0 : literalSizeOf(sourceOf(property));
    if (size === 0) {
      return 0;
    }
    sum += size;
  }
  return capped(sum);
}

function discriminatedKey(type: DiscriminatedType): string {
  const keys = Array.from(type.members.values(), (member) => member.key).sort();
  return `by${type.flags} ${JSON.stringify(type.discriminator)}(${keys.join(",")})`;
}

function objectKey(type: ObjectType): string {
  const parts: string[] = [];
  for (const property of type.properties.values()) {
    parts.push(`${JSON.stringify(property.name)}${property.flags}:${sourceOf(property).key}`);
  }
  if (type.additional !== undefined) {
    parts.push(`*${type.additional.flags}:${sourceOf(type.additional).key}`);
  }
  return `object${type.flags}(${parts.join(",")})`;
}

function sourceOf(property: TypeProperty | AdditionalProperties): TypeSource {
  return property instanceof PropertyOf ? PropertyOf.source(property) : property.type;
}

/** The names of several objects as one, as long as it stays readable. */
export function joinNames(names: readonly string[]): string {
  const text = names.join(" | ");
  return text.length > 1000 ? "object" : text;
}

/** What `object` means: any members of any type. */
export const anyObject: ObjectType = new ObjectOf([], { additional: additionalOf(anyType, PropertyFlags.None) });
/** `object` with secrets in it. */
export function openObject(flags = 0, name = "object"): ObjectType {
  return flags === 0 && name === "object"
    ? anyObject
    : new ObjectOf([], { name, flags, additional: additionalOf(anyType) });
}
