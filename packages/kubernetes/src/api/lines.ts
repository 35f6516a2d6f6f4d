/**
 * Divides a body into lines, without their ends; the last one needs none. A line of more than `maxLength` characters is
 * cut into pieces of at least that length, so that a body without line ends does not fill the memory.
 */
export async function* linesOf(body: AsyncIterable<Uint8Array>, maxLength = Infinity): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // Pieces are joined once per line: adding each chunk to one string would copy a large line again and again.
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of body) {
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

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
