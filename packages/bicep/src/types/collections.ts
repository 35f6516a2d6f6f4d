import { resolved, uniqueKey } from "./deferred.ts";
import type { TypeSource } from "./deferred.ts";
import { depthOf, literalSizeOf, maxDepth, shortKey, sumOfSizes } from "./measure.ts";
import type { ArrayType, LambdaType, TupleType, Type } from "./model.ts";
import { countable } from "./ranges.ts";
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
  readonly depth: number;
  readonly #item: TypeSource;
  #key: string | undefined;

  constructor(item: TypeSource, range: ArrayRange, flags: number) {
    this.#item = item;
    const { minLength, maxLength } = countable(range);
    this.minLength = minLength;
    this.maxLength = maxLength;
    this.flags = flags;
    this.depth = depthOf(item) + 1;
  }

  get item(): Type {
    return resolved(this.#item);
  }

  get key(): string {
    this.#key ??=
      this.depth > maxDepth
        ? uniqueKey("array")
        : shortKey(`array${this.flags}(${this.minLength ?? ""},${this.maxLength ?? ""},${this.#item.key})`);
    return this.#key;
  }
}

class TupleOf implements TupleType {
  readonly kind = "tuple";
  readonly flags: number;
  readonly depth: number;
  readonly literalSize: number;
  readonly #sources: readonly TypeSource[];
  #items: readonly Type[] | undefined;
  #item: Type | undefined;
  #key: string | undefined;

  constructor(items: readonly TypeSource[], flags: number) {
    this.#sources = items;
    this.flags = flags;
    this.depth = deepest(items) + 1;
    this.literalSize = this.depth > maxDepth ? 0 : sumOfSizes(items.map(literalSizeOf));
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
    this.#key ??=
      this.depth > maxDepth
        ? uniqueKey("tuple")
        : shortKey(`tuple${this.flags}(${this.#sources.map((source) => source.key).join(",")})`);
    return this.#key;
  }
}

class LambdaOf implements LambdaType {
  readonly kind = "lambda";
  readonly flags = 0;
  readonly depth: number;
  readonly parameters: readonly Type[];
  readonly optionalParameters: readonly Type[];
  readonly #result: TypeSource;
  #key: string | undefined;

  constructor(parameters: readonly Type[], optionalParameters: readonly Type[], result: TypeSource) {
    this.parameters = parameters;
    this.optionalParameters = optionalParameters;
    this.#result = result;
    this.depth = Math.max(depthOf(result), deepest(parameters), deepest(optionalParameters)) + 1;
  }

  get result(): Type {
    return resolved(this.#result);
  }

  get key(): string {
    const keys = (types: readonly Type[]): string => types.map((type) => type.key).join(",");
    this.#key ??=
      this.depth > maxDepth
        ? uniqueKey("lambda")
        : shortKey(`lambda(${keys(this.parameters)};${keys(this.optionalParameters)};${this.#result.key})`);
    return this.#key;
  }
}

function deepest(sources: readonly TypeSource[]): number {
  let depth = 0;
  for (const source of sources) {
    depth = Math.max(depth, depthOf(source));
  }
  return depth;
}

/** What `array` means: items of any type, any number of them. */
export const anyArray: ArrayType = new ArrayOf(anyType, {}, 0);
