import { Deferred } from "./deferred.ts";
import type { TypeSource } from "./deferred.ts";

// Types share their parts, so a few lines of source can stand for a type whose written-out form fills the memory:
// `var b = [a, a]`, `var c = [b, b]` and so on. What would write a type out asks here first; the answers are kept in
// the types themselves, each made from those of its parts.

/** Types nested deeper than this are equal only when they are the same object, and are no literals. */
export const maxDepth = 200;

/** Literals with more parts and characters than this are not evaluated. */
const maxLiteralSize = 200_000;

/** How many arrays, objects and unions are inside of one another. What is still to be worked out counts as flat. */
export function depthOf(source: TypeSource): number {
  if (source instanceof Deferred) {
    return 0;
  }
  switch (source.kind) {
    case "array":
    case "tuple":
    case "object":
    case "discriminated":
    case "union":
    case "lambda":
      return source.depth;
    case "resource":
    case "module":
    case "test":
      return depthOf(source.body) + 1;
    default:
      return 0;
  }
}

/** Parts and characters of a literal; 0 for what is no literal, and for literals too large to work with. */
export function literalSizeOf(source: TypeSource): number {
  if (source instanceof Deferred) {
    return 0;
  }
  switch (source.kind) {
    case "null":
    case "intLiteral":
    case "boolLiteral":
      return 1;
    case "stringLiteral":
      return capped(1 + source.value.length);
    case "tuple":
    case "object":
      return source.literalSize;
    default:
      return 0;
  }
}

/** The size of what consists of parts; 0 as soon as one of them is no literal. */
export function sumOfSizes(sizes: Iterable<number>): number {
  let sum = 1;
  for (const size of sizes) {
    if (size === 0) {
      return 0;
    }
    sum += size;
  }
  return capped(sum);
}

/** A key short enough to be a part of other keys. */
export function shortKey(key: string): string {
  return key.length <= 200 ? key : `#${hash(key, 0x9e3779b9)}${hash(key, 0x85ebca6b)}:${key.length}`;
}

/** Literals that are too large to work with have no size. */
export function capped(size: number): number {
  return size > maxLiteralSize ? 0 : size;
}

/** 32 bits of a string; two of them with different seeds and the length tell keys apart. */
function hash(text: string, seed: number): string {
  let state = seed;
  for (let index = 0; index < text.length; index += 1) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
    state ^= state >>> 15;
  }
  return (state >>> 0).toString(36).padStart(7, "0");
}
