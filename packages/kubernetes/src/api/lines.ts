import { ApiError } from "@rad/core";

/**
 * Divides a body into lines, without their ends; the last one needs none. A line of more than `maxLength` characters is
 * cut into pieces of at least that length, so that a body without line ends does not fill the memory.
 * @throws ApiError, `transient`, when the connection is cut off; the line it cut is left out
 */
export async function* linesOf(body: AsyncIterable<Uint8Array>, maxLength = Infinity): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // Pieces are joined once per line: adding each chunk to one string would copy a large line again and again.
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of untilCut(body)) {
    const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
    pieces.push(first);
    length += first.length;
    for (const next of others) {
      yield withoutReturn(pieces.join(""));
      pieces = [next];
      length = next.length;
    }
    if (length > maxLength) {
      yield pieces.join("");
      pieces = [];
      length = 0;
    }
  }
  pieces.push(decoder.decode());
  const last = pieces.join("");
  if (last !== "") {
    yield withoutReturn(last);
  }
}

async function* untilCut(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    if (error instanceof ApiError) {
      throw error;
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError("ServiceUnavailable", `The connection was cut off: ${reason}`, {
      transient: true,
      cause: error,
    });
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
