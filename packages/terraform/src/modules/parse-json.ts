import { Pace, readOwnJson } from "@rad/core";
import type { JsonValue, Sliced } from "@rad/core";

/** More than any configuration needs, and few enough for every function that walks the value. */
const maxDepth = 200;

/** So many take about a microsecond. */
const charactersPerStep = 64;

/** The value, or what is wrong with the text, without repeating it. */
export function* parseJson(text: string): Sliced<{ readonly value: JsonValue } | { readonly error: string }> {
  if (yield* isNestedDeeper(text, maxDepth)) {
    return { error: `The file is nested more than ${maxDepth} levels deep.` };
  }
  try {
    return { value: yield* readOwnJson(text) };
  } catch (error) {
    const place = /line \d+ column \d+/u.exec(error instanceof Error ? error.message : "")?.[0];
    return { error: place === undefined ? "The file is not JSON." : `The file is not JSON at ${place}.` };
  }
}

function* isNestedDeeper(text: string, limit: number): Sliced<boolean> {
  const pace = new Pace();
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      index += character === "\\" ? 1 : 0;
      isInString = character !== '"';
    } else if (character === '"') {
      isInString = true;
    } else if (character === "{" || character === "[") {
      depth += 1;
    } else if (character === "}" || character === "]") {
      depth -= 1;
    }
    if (depth > limit) {
      return true;
    }
    if (index % charactersPerStep === 0) {
      const pause = pace.spend();
      if (pause !== undefined) {
        yield pause;
      }
    }
  }
  return false;
}
