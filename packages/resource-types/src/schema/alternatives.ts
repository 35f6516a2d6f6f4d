import type { PathSegment } from "@rad/core";
import { SchemaError } from "./schema-error.ts";
import type { SchemaNode, Shape } from "./schema-node.ts";

/** One entry of `allOf`, `anyOf` or `oneOf`, or the schema under `not`. */
export interface Branch {
  readonly node: SchemaNode;
  readonly path: readonly PathSegment[];
}

const maxAlternativeDepth = 5;

/**
 * Which alternative holds is only known per value, so a mark inside one could miss a secret. Manifests may not use
 * alternatives at all; schemas that come over HTTP may, as long as every mark is outside of them.
 */
export function refuseMarksBelow(branches: readonly Branch[]): void {
  const seen = new Set<Shape>();
  for (const { node, path } of branches) {
    const waiting = [node];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.sensitive || next.readOnly) {
        throw new SchemaError(path, "'readOnly' and 'x-radius-sensitive' cannot be used inside of alternatives.");
      }
      if (!seen.has(next.shape)) {
        seen.add(next.shape);
        const { properties, additional, items, variants } = next.shape;
        waiting.push(...properties.values(), ...(additional ? [additional] : []), ...(items ? [items] : []));
        for (const variant of variants?.byValue.values() ?? []) {
          waiting.push({ ...next, shape: variant });
        }
      }
    }
  }
}

/**
 * Alternatives of alternatives apply to the same value, so a circle of them would never come to an end. The limit also
 * keeps the call stack of a check small: this many calls for each level of the value.
 */
export function refuseDeepAlternatives(branches: readonly Branch[]): void {
  const heights = new Map<Shape, number>();
  for (const { node, path } of branches) {
    heightOf(node.shape, 1, path);
  }

  function heightOf(shape: Shape, level: number, path: readonly PathSegment[]): number {
    const known = heights.get(shape);
    if (level + (known ?? 0) > maxAlternativeDepth) {
      throw new SchemaError(
        path,
        `leads to alternatives nested more than ${maxAlternativeDepth} deep, or in a circle.`,
      );
    }
    if (known !== undefined) {
      return known;
    }
    let height = 0;
    for (const below of [...shape.allOf, ...shape.anyOf, ...shape.oneOf, ...(shape.not ? [shape.not] : [])]) {
      height = Math.max(height, 1 + heightOf(below.shape, level + 1, path));
    }
    heights.set(shape, height);
    return height;
  }
}
