import type { JsonValue } from "@rad/core";

/** Every text in a value, for a redactor. */
export function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === "string") {
    yield value;
  } else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) {
      yield* textsIn(member);
    }
  }
}
