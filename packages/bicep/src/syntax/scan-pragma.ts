import { isBlank, isNamePart } from "./characters.ts";
import type { Pragma, PragmaCode, PragmaName } from "./tokens.ts";

const pragmaNames: readonly PragmaName[] = ["disable-next-line", "disable-diagnostics", "restore-diagnostics"];

/** Reads the pragma whose `#` is at `start`, up to the end of its last code. */
export function scanPragma(text: string, start: number): Pragma | undefined {
  const name = pragmaNames.find((candidate) => text.startsWith(candidate, start + 1));
  if (name === undefined) {
    return undefined;
  }
  const codes: PragmaCode[] = [];
  let end = start + 1 + name.length;
  for (;;) {
    const codeStart = skipWhile(text, end, isBlank);
    const codeEnd = skipWhile(text, codeStart, isCodePart);
    if (codeEnd === codeStart) {
      return { kind: "pragma", start, end, name, codes };
    }
    codes.push({ start: codeStart, end: codeEnd, text: text.slice(codeStart, codeEnd) });
    end = codeEnd;
  }
}

function skipWhile(text: string, start: number, matches: (char: number) => boolean): number {
  let end = start;
  while (matches(text.charCodeAt(end))) {
    end += 1;
  }
  return end;
}

function isCodePart(char: number): boolean {
  return isNamePart(char) || char === 0x2d;
}
