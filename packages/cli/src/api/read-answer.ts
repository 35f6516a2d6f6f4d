import type { HttpAnswer } from "@rad/client";
import type { JsonValue } from "@rad/core";

/** All of an answer's body. */
export async function readAnswer({ body }: HttpAnswer): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}

/** `undefined` for a text that is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
