import type { ShownNode } from "./shown-graph.ts";

/** What a picture has below the name. */
export function describedType({ type, state }: ShownNode): string {
  return state === undefined ? type : `${type} (${state})`;
}
