import { resolved } from "./deferred.ts";
import type { TypeSource } from "./deferred.ts";
import type { ArrayType, LambdaType, TupleType, Type } from "./model.ts";
import { anyType } from "./scalars.ts";
import { unionOf } from "./union.ts";

export interface ArrayRange {
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
}

export function arrayOf(item: TypeSource, range: ArrayRange = {}, flags = 0): ArrayType {
  if (item === anyType && range.minLength === undefined && range.maxLength === undefined && flags === 0) {
    return anyArray;
  }
  return new ArrayOf(item, range, flags);
}

export function tupleOf(items: readonly TypeSource[], flags = 0): TupleType {
  return new TupleOf(items, flags);
}

export function lambdaOf(
  parameters: readonly Type[],
  result: TypeSource,
  optionalParameters: readonly Type[] = [],
): LambdaType {
  return new LambdaOf(parameters, optionalParameters, result);
}

class ArrayOf implements ArrayType {
  readonly kind = "array";
  readonly flags: number;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly #item: TypeSource;
  #key: string | undefined;

  constructor(item: TypeSource, range: ArrayRange, flags: number) {
    this.#item = item;
    this.minLength = range.minLength;
    this.maxLength = range.maxLength;
    this.flags = flags;
  }

  get item(): Type {
    return resolved(this.#item);
  }

  get key(): string {
    this.#key ??= `array${this.flags}(${this.minLength ?? ""},${this.maxLength ?? ""},${this.#item.key})`;
    return this.#key;
  }
}

class TupleOf implements TupleType {
  readonly kind = "tuple";
  readonly flags: number;
  readonly #sources: readonly TypeSource[];
  #items: readonly Type[] | undefined;
  #item: Type | undefined;
  #key: string | undefined;

  constructor(items: readonly TypeSource[], flags: number) {
    this.#sources = items;
    this.flags = flags;
  }

  get items(): readonly Type[] {
    this.#items ??= this.#sources.map(resolved);
    return this.#items;
  }

  get item(): Type {
    this.#item ??= unionOf(this.items);
    return this.#item;
  }

  get key(): string {
    this.#key ??= `tuple${this.flags}(${this.#sources.map((source) => source.key).join(",")})`;
    return this.#key;
  }
}

class LambdaOf implements LambdaType {
  readonly kind = "lambda";
  readonly flags = 0;
  readonly parameters: readonly Type[];
  readonly optionalParameters: readonly Type[];
  readonly #result: TypeSource;
  #key: string | undefined;

  constructor(parameters: readonly Type[], optionalParameters: readonly Type[], result: TypeSource) {
    this.parameters = parameters;
    this.optionalParameters = optionalParameters;
    this.#result = result;
  }

  get result(): Type {
    return resolved(this.#result);
  }

  get key(): string {
    const keys = (types: readonly Type[]): string => types.map((type) => type.key).join(",");
    this.#key ??= `lambda(${keys(this.parameters)};${keys(this.optionalParameters)};${this.#result.key})`;
    return this.#key;
  }
}

/** What `array` means: items of any type, any number of them. */
export const anyArray: ArrayType = new ArrayOf(anyType, {}, 0);
