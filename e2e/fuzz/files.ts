import type { Dice } from "./dice.ts";

const pieces = [
  "param",
  "var",
  "output",
  "resource",
  "module",
  "func",
  "type",
  "=",
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  "'",
  "'''",
  "${",
  "for",
  "in",
  "if",
  ":",
  ",",
  ".",
  "?",
  "??",
  "!",
  "@",
  "|",
  "*",
  "/*",
  "//",
  "#disable-next-line",
  "\n",
  "null",
  "1",
  "99999999999999999999",
  "é",
  "\u0000",
  "\t",
  "existing",
  "- ",
  "  ",
  "&a",
  "*a",
  "<<:",
  "---",
  "!!str",
  "|-",
  ">",
];

/** A text made of those that are given: lines and pieces of them taken out, doubled, moved and mixed with others. */
export function anyText(dice: Dice, sources: readonly string[]): string {
  let lines = dice.pick(sources).split("\n");
  const changes = 1 + dice.number(6);
  for (let change = 0; change < changes; change += 1) {
    const at = dice.number(lines.length);
    const line = lines[at] ?? "";
    const place = dice.number(line.length + 1);
    const other = dice.pick(dice.pick(sources).split("\n"));
    lines = dice.pick<() => string[]>([
      () => lines.toSpliced(at, 1),
      () => lines.toSpliced(at, 0, line),
      () => lines.toSpliced(at, 0, other),
      () => lines.toSpliced(at, 1, line.slice(0, place) + dice.pick(pieces) + line.slice(place)),
      () => lines.toSpliced(at, 1, line.slice(0, place) + line.slice(place + 1 + dice.number(5))),
      () => lines.toSpliced(at, 1, line.slice(0, place) + other.trim()),
      () =>
        lines.toSpliced(
          at,
          1,
          `${line.slice(0, place)}${dice.pick(["[", "{", "("]).repeat(dice.number(400))}${line.slice(place)}`,
        ),
      () => lines.slice(0, at + 1),
      () => [...lines.slice(at), ...lines.slice(0, at)],
    ])();
  }
  return lines.join(dice.chance(0.1) ? "\r\n" : "\n");
}
