import { defer } from "../types/index.ts";
import type { Type, TypeSource } from "../types/index.ts";

/** Whether a type is left for later because it contains itself. */
export function isDeferred(source: TypeSource): source is Exclude<TypeSource, Type> {
  return !("kind" in source);
}

/** Applies a change now, or when the type is known. */
export function mapSource(source: TypeSource, change: (type: Type) => Type): TypeSource {
  return isDeferred(source) ? defer(() => change(source.type)) : change(source);
}
