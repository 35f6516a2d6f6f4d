/**
 * How wide a text is at most, in pixels, in the sans-serif fonts that browsers use. Nothing here can measure a font, so
 * these are the widths of the widest usual one, DejaVu Sans, in parts of the font size.
 */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text) {
    width += widthOf(character);
  }
  return width * fontSize;
}

/** The text, or its beginning and an ellipsis. */
export function fitted(text: string, fontSize: number, maxWidth: number): string {
  if (textWidth(text, fontSize) <= maxWidth) {
    return text;
  }
  let kept = "";
  let width = widthOf("…") * fontSize;
  for (const character of text) {
    width += widthOf(character) * fontSize;
    if (width > maxWidth) {
      break;
    }
    kept += character;
  }
  return `${kept}…`;
}

function widthOf(character: string): number {
  if (/[ilj.,:;'|!]/.test(character)) {
    return 0.36;
  }
  if (/[fIrt\s/()[\]-]/.test(character)) {
    return 0.42;
  }
  if (/[mwMWO@%_…]/.test(character)) {
    return 1;
  }
  if (/[A-Z&+<=>~#Q]/.test(character)) {
    return 0.84;
  }
  if (/[!-~]/.test(character)) {
    return 0.65;
  }
  // Also an emoji or a sign of Chinese is no wider than this.
  return 1.4;
}
