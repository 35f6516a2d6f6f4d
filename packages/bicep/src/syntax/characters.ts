/** The UTF-16 codes that scanning looks for. */
export const Char = {
  Tab: 0x09,
  LineFeed: 0x0a,
  CarriageReturn: 0x0d,
  Space: 0x20,
  DoubleQuote: 0x22,
  Hash: 0x23,
  Dollar: 0x24,
  Quote: 0x27,
  Star: 0x2a,
  Dot: 0x2e,
  Slash: 0x2f,
  Equals: 0x3d,
  Backslash: 0x5c,
  LowerU: 0x75,
  OpenBrace: 0x7b,
  CloseBrace: 0x7d,
  Tilde: 0x7e,
  ByteOrderMark: 0xfeff,
} as const;

export function isBlank(char: number): boolean {
  return char === Char.Space || char === Char.Tab;
}

export function isLineBreak(char: number): boolean {
  return char === Char.LineFeed || char === Char.CarriageReturn;
}

export function isDigit(char: number): boolean {
  return char >= 0x30 && char <= 0x39;
}

export function isHexDigit(char: number): boolean {
  const lower = char | 0x20;
  return isDigit(char) || (lower >= 0x61 && lower <= 0x66);
}

export function isNameStart(char: number): boolean {
  const lower = char | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || char === 0x5f;
}

export function isNamePart(char: number): boolean {
  return isNameStart(char) || isDigit(char);
}
