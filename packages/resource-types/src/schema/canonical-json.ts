import { isJsonObject } from "@rad/core";
import type { JsonValue, Pace, Sliced } from "@rad/core";

/** Deeper values equal nothing that a schema can contain. */
const maxDepth = 100;

/** The same text for equal values, whatever the order of their members; `undefined` when nested too deeply. */
export function* canonicalJson(value: JsonValue, pace: Pace, depth = 0): Sliced<string | undefined> {
  if (depth > maxDepth) {
    return undefined;
  }
  const pause = pace.spend();
  if (pause !== undefined) {
    yield pause;
  }
  if (Array.isArray(value)) {
    const items: string[] = [];
    for (const item of value) {
      const text = yield* canonicalJson(item, pace, depth + 1);
      if (text === undefined) {
        return undefined;
      }
      items.push(text);
    }
    return `[${items.join(",")}]`;
  }
  if (isJsonObject(value)) {
    const members: string[] = [];
    for (const key of Object.keys(value).sort()) {
      const text = yield* canonicalJson(value[key] ?? null, pace, depth + 1);
      if (text === undefined) {
        return undefined;
      }
      members.push(`${JSON.stringify(key)}:${text}`);
    }
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}
