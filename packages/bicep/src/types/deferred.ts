import type { Type } from "./model.ts";
import { anyType } from "./scalars.ts";

let lastId = 0;

/** A type that is worked out when first asked for, which lets user-defined types contain themselves. */
export class Deferred {
  /** Deferred types are equal when they are the same one: looking inside might never end. */
  readonly key: string;
  #resolve: (() => Type | undefined) | undefined;
  #type: Type | undefined;

  constructor(resolve: () => Type | undefined) {
    this.key = uniqueKey("~");
    this.#resolve = resolve;
  }

  get type(): Type {
    const resolve = this.#resolve;
    if (this.#type === undefined && resolve !== undefined) {
      this.#resolve = undefined;
      this.#type = resolve();
      this.#resolve = this.#type === undefined ? resolve : undefined;
    }
    // Asked for while it is being worked out: anything will do then, and whoever asks later is told.
    return this.#type ?? anyType;
  }
}

export type TypeSource = Type | Deferred;

/** @param resolve gives nothing while it cannot be told yet. */
export function defer(resolve: () => Type | undefined): Deferred {
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
