import { uniqueKey } from "./deferred.ts";
import { depthOf, maxDepth, shortKey } from "./measure.ts";
import type { Type, UnionType } from "./model.ts";
import { printForOrder } from "./print.ts";
import { anyType, neverType, nullType } from "./scalars.ts";

/**
 * The type of a value that has one of the given types: nested unions are opened, equal types (flags count) appear once,
 * `any` wins over everything and `array` over other arrays. One member is itself, none is `never`.
 */
export function unionOf(types: readonly Type[]): Type {
  const first = types[0]; // destructuring makes an iterator for each union
  if (types.length === 1 && first !== undefined) {
    return first;
  }
  const members = new DistinctTypes();
  let anyArrayMember: Type | undefined;
  for (const type of types) {
    for (const member of membersOf(type)) {
      if (member.kind === "any") {
        return anyType;
      }
      if (isPlainArray(member)) {
        anyArrayMember ??= member;
      }
      members.add(member);
    }
  }
  return ofDistinct(anyArrayMember === undefined ? members.list : withoutOtherArrays(members.list, anyArrayMember));
}

function withoutOtherArrays(members: readonly Type[], kept: Type): readonly Type[] {
  return members.filter((member) => member === kept || (member.kind !== "array" && member.kind !== "tuple"));
}

// Most unions have two members, often a type and null: their keys need not be made to tell them apart.
const fewMembers = 4;

/** Types that differ in kind or key; of equal ones the last counts, in the place of the first. */
class DistinctTypes {
  readonly list: Type[] = [];
  #places: Map<string, number> | undefined;

  add(type: Type): void {
    const place = this.#placeOf(type);
    if (place === -1) {
      this.#places?.set(type.key, this.list.length);
      this.list.push(type);
    } else {
      this.list[place] = type;
    }
  }

  #placeOf(type: Type): number {
    if (this.list.length > fewMembers) {
      this.#places ??= new Map(this.list.map((known, place) => [known.key, place]));
      return this.#places.get(type.key) ?? -1;
    }
    for (let place = 0; place < this.list.length; place += 1) {
      const known = this.list[place];
      if (known === type || (known?.kind === type.kind && known.key === type.key)) {
        return place;
      }
    }
    return -1;
  }
}

/** The members of a union; any other type is its own only member, and `never` has none. */
export function membersOf(type: Type): readonly Type[] {
  if (type.kind === "union") {
    return type.members;
  }
  return type.kind === "never" ? [] : [type];
}

export function isNullable(type: Type): boolean {
  return type.kind === "null" || (type.kind === "union" && type.members.includes(nullType));
}

export function nullable(type: Type): Type {
  return type.kind === "any" || type.kind === "null" ? type : unionOf([type, nullType]);
}

/** The union without null; nothing when the type is not a union that contains it. */
export function withoutNull(type: Type): Type | undefined {
  if (type.kind !== "union" || !type.members.includes(nullType)) {
    return undefined;
  }
  return ofSorted(type.members.filter((member) => member !== nullType));
}

class UnionOf implements UnionType {
  readonly kind = "union";
  readonly flags = 0;
  readonly members: readonly Type[];
  readonly depth: number;
  #key: string | undefined;

  constructor(members: readonly Type[]) {
    this.members = members;
    let depth = 0;
    for (const member of members) {
      depth = Math.max(depth, depthOf(member));
    }
    this.depth = depth + 1;
  }

  get key(): string {
    this.#key ??=
      this.depth > maxDepth
        ? uniqueKey("union")
        : shortKey(`union(${this.members.map((member) => member.key).join(",")})`);
    return this.#key;
  }
}

function ofDistinct(members: readonly Type[]): Type {
  if (members.length < 2) {
    return members[0] ?? neverType;
  }
  const entries = members.map((type) => ({ type, text: printForOrder(type) }));
  const [first, second] = entries;
  if (first !== undefined && second !== undefined && entries.length === 2) {
    return new UnionOf(compareEntries(first, second) < 0 ? members : [second.type, first.type]);
  }
  return new UnionOf(entries.sort(compareEntries).map((entry) => entry.type));
}

interface PrintedType {
  readonly type: Type;
  readonly text: string;
}

function compareEntries(left: PrintedType, right: PrintedType): number {
  if (left.text !== right.text) {
    return left.text < right.text ? -1 : 1;
  }
  return compareRanges(left.type, right.type) || (left.type.key < right.type.key ? -1 : 1);
}

function ofSorted(members: readonly Type[]): Type {
  return members.length < 2 ? (members[0] ?? neverType) : new UnionOf(members);
}

/** By lower bound, then by upper bound; a bound that is set comes before one that is not. */
function compareRanges(left: Type, right: Type): number {
  if (left.kind === "int" && right.kind === "int") {
    return compareBounds(left.min, right.min) || compareBounds(left.max, right.max);
  }
  if ((left.kind === "string" && right.kind === "string") || (left.kind === "array" && right.kind === "array")) {
    return compareBounds(left.minLength, right.minLength) || compareBounds(left.maxLength, right.maxLength);
  }
  return 0;
}

function compareBounds<T extends bigint | number>(left: T | undefined, right: T | undefined): number {
  if (left === right) {
    return 0;
  }
  if (left === undefined) {
    return 1;
  }
  return right === undefined || left < right ? -1 : 1;
}

function isPlainArray(type: Type): boolean {
  return (
    type.kind === "array" && type.item.kind === "any" && type.minLength === undefined && type.maxLength === undefined
  );
}
