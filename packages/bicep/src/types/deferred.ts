import type { Type } from "./model.ts";
import { anyType } from "./scalars.ts";

let lastId = 0;

/** A type that is worked out when first asked for, which lets user-defined types contain themselves. */
export class Deferred {
  /** Deferred types are equal when they are the same one: looking inside might never end. */
  readonly key: string;
  #resolve: (() => Type) | undefined;
  #type: Type | undefined;

  constructor(resolve: () => Type) {
    this.key = uniqueKey("~");
    this.#resolve = resolve;
  }

  get type(): Type {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    this.#type ??= resolve?.();
    // Asked for while it is being worked out: a cycle, which the binder reports by name.
    return this.#type ?? anyType;
  }
}

export type TypeSource = Type | Deferred;

export function defer(resolve: () => Type): Deferred {
  return new Deferred(resolve);
}

export function resolved(source: TypeSource): Type {
  return source instanceof Deferred ? source.type : source;
}

/** A key that no other type has. */
export function uniqueKey(prefix: string): string {
  lastId += 1;
  return `${prefix}${lastId}`;
}
