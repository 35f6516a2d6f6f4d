import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core";

export type PathSegment = string | number;

/**
 * The parts of a JSON path within a document, as far as the document has them. Names are not always quoted in a path,
 * and a name may hold dots and brackets itself: the document tells which names there are.
 */
export function resolvePath(document: JsonValue, path: string): PathSegment[] {
  const segments: PathSegment[] = [];
  let at: JsonValue | undefined = document;
  let rest = path.startsWith("$") ? path.slice(1) : `.${path}`;
  for (let step = stepAt(at, rest); step !== undefined; step = stepAt(at, rest)) {
    segments.push(step.segment);
    at = step.value;
    rest = rest.slice(step.length);
  }
  return segments;
}

interface Step {
  readonly segment: PathSegment;
  readonly value: JsonValue | undefined;
  /** Of the text that stands for it. */
  readonly length: number;
}

function stepAt(value: JsonValue | undefined, rest: string): Step | undefined {
  if (Array.isArray(value)) {
    const found = /^\[(\d+)\]/.exec(rest);
    const index = Number(found?.[1]);
    return found === null ? undefined : { segment: index, value: value[index], length: found[0].length };
  }
  return isJsonObject(value) ? longestMember(value, rest) : undefined;
}

/** The longest name that the path can mean here. */
function longestMember(object: JsonObject, rest: string): Step | undefined {
  let best: Step | undefined;
  for (const [name, value] of Object.entries(object)) {
    for (const text of [`.${name}`, `['${name.replaceAll("'", "\\'")}']`]) {
      const isWhole = rest.startsWith(text) && ["", ".", "["].includes(rest.charAt(text.length));
      if (isWhole && text.length > (best?.length ?? 0)) {
        best = { segment: name, value, length: text.length };
      }
    }
  }
  return best;
}
