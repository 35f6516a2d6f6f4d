import { foldCase } from "../text/letter-case.ts";
import type { ObjectValue, Value } from "./value.ts";

/** The member called `name`: spelled exactly so, or else the first that differs only in letter case. */
export function getMember(object: ObjectValue, name: string): Value | undefined {
  const exact = object.get(name);
  if (exact !== undefined) {
    return exact;
  }
  const spelling = findSpelling(object, name);
  return spelling === undefined ? undefined : object.get(spelling);
}

export function hasMember(object: ObjectValue, name: string): boolean {
  return getMember(object, name) !== undefined;
}

/** Builds an object; a name that differs only in letter case from an earlier one replaces that one's value. */
export class ObjectBuilder {
  readonly #members: Map<string, Value>;
  readonly #spellings = new Map<string, string>();

  /** Starts with a copy of `base`, whose own names stay apart even where only the case differs. */
  constructor(base?: ObjectValue) {
    this.#members = new Map(base);
    for (const name of this.#members.keys()) {
      const folded = foldCase(name);
      if (!this.#spellings.has(folded)) {
        this.#spellings.set(folded, name);
      }
    }
  }

  get(name: string): Value | undefined {
    return this.#members.get(this.#spell(name));
  }

  set(name: string, value: Value): void {
    const spelling = this.#spell(name);
    this.#members.set(spelling, value);
    if (spelling === name && !this.#spellings.has(foldCase(name))) {
      this.#spellings.set(foldCase(name), name);
    }
  }

  build(): ObjectValue {
    return this.#members;
  }

  #spell(name: string): string {
    return this.#members.has(name) ? name : (this.#spellings.get(foldCase(name)) ?? name);
  }
}

/** Below this a scan beats building an index. */
const indexedFrom = 16;
const indexes = new WeakMap<ObjectValue, ReadonlyMap<string, string>>();

function findSpelling(object: ObjectValue, name: string): string | undefined {
  const folded = foldCase(name);
  if (object.size >= indexedFrom) {
    return indexOf(object).get(folded);
  }
  for (const candidate of object.keys()) {
    if (candidate.length === name.length && foldCase(candidate) === folded) {
      return candidate;
    }
  }
  return undefined;
}

/** Values never change once built, so an index stays right for as long as its object lives. */
function indexOf(object: ObjectValue): ReadonlyMap<string, string> {
  const known = indexes.get(object);
  if (known !== undefined) {
    return known;
  }
  const index = new Map<string, string>();
  for (const name of object.keys()) {
    const folded = foldCase(name);
    if (!index.has(folded)) {
      index.set(folded, name);
    }
  }
  indexes.set(object, index);
  return index;
}
