import { TextPieces } from "./text-pieces.ts";

/**
 * Upper and lower case as templates see it: one character for one character, whatever the language. JavaScript follows
 * the full Unicode rules instead, where sharp s becomes two letters and a sigma depends on its neighbours.
 */
export function toUpperInvariant(text: string): string {
  const upper = text.toUpperCase();
  // No character gets shorter, so equal lengths mean that each was mapped to one of its own size.
  if (upper.length === text.length && !text.includes(dotlessI)) {
    return upper;
  }
  return mapCharacters(text, (char) => (char === dotlessI ? char : char.toUpperCase()));
}

export function toLowerInvariant(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length && !text.includes(capitalSigma)) {
    return lower;
  }
  return mapCharacters(text, (char) => char.toLowerCase());
}

/** Equal for two texts that differ only in letter case; as long as the text itself. */
export function foldCase(text: string): string {
  return toUpperInvariant(text);
}

const dotlessI = "\u0131";
const capitalSigma = "\u03a3";

function mapCharacters(text: string, map: (char: string) => string): string {
  const result = new TextPieces();
  for (const char of text) {
    const mapped = map(char);
    result.add(mapped.length === char.length ? mapped : char);
  }
  return result.text();
}
