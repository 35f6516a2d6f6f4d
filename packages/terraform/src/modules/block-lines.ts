import type { ModuleFile } from "./module-files.ts";

/** The lines that blocks of a type begin at, by label. One that is written in an unusual way is not there. */
export function blockLines(file: ModuleFile, type: "variable"): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let line = 1;
  let counted = 0;
  for (const [label, index] of file.isJson ? jsonBlocks(file.text, type) : nativeBlocks(file.text, type)) {
    for (; counted < index; counted += 1) {
      line += file.text[counted] === "\n" ? 1 : 0;
    }
    if (!lines.has(label)) {
      lines.set(label, line);
    }
  }
  return lines;
}

function* nativeBlocks(text: string, type: string): Generator<[label: string, index: number]> {
  const pattern = new RegExp(`^[ \\t]*${type}[ \\t]+(?:"([^"\\n]*)"|([\\p{L}_][\\p{L}\\p{N}_-]*))[ \\t]*\\{`, "gmu");
  for (const { 1: quoted, 2: bare, index } of text.matchAll(pattern)) {
    yield [quoted ?? bare ?? "", index];
  }
}

/** Labels are the keys of an object that is, perhaps in a list, the value of the type's key. */
function* jsonBlocks(text: string, type: string): Generator<[label: string, index: number]> {
  let depth = 0;
  let isInType = false;
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/gu)) {
    if (token === "{" || token === "}") {
      depth += token === "{" ? 1 : -1;
    } else if (depth === 1) {
      isInType = token === `"${type}"`;
    } else if (depth === 2 && isInType) {
      yield [token.slice(1, -1), index];
    }
  }
}
