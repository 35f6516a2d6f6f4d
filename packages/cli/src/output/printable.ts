import { stripVTControlCharacters } from "node:util";

/** What a server sends is shown, not obeyed: no escape sequence or other control character reaches the terminal. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, " ");
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text).replaceAll(/[\n\u2028\u2029]/g, " ");
}
