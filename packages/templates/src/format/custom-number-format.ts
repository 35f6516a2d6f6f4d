import { roundToDigits, roundToPlaces, splitDecimal, type Decimal } from "./decimal.ts";

/**
 * A pattern of `0` (digit or zero), `#` (digit or nothing), `.`, `,` (thousands, or division by a thousand before the
 * point), `%`, an exponent (`E+0`), quoted or escaped text, and up to three sections for positive, negative and zero.
 */
export function formatCustomNumber(value: Decimal, pattern: string): string {
  const sections = splitSections(pattern).map(readSection);
  const first = sections[0];
  if (first === undefined) {
    return "";
  }
  const second = sections[1];
  const signedBySection = value.negative && second !== undefined && second.tokens.length > 0;
  const chosen = signedBySection ? second : first;
  const rounded = scale(value, chosen);
  const zero = sections[2];
  if (rounded.digits === "") {
    return zero !== undefined && zero.tokens.length > 0 ? write(rounded, zero) : write(rounded, first);
  }
  return value.negative && !signedBySection ? `-${write(rounded, chosen)}` : write(rounded, chosen);
}

type Token =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "digit"; readonly zero: boolean }
  | { readonly kind: "point" }
  | { readonly kind: "exponent"; readonly letter: string; readonly plus: boolean; readonly minDigits: number };

interface Section {
  readonly tokens: readonly Token[];
  /** Digit slots before and behind the point. */
  readonly wholePlaces: number;
  readonly fractionPlaces: number;
  /** How many digits are written at least. */
  readonly wholeMin: number;
  readonly fractionMin: number;
  readonly thousands: boolean;
  /** Power of ten that percent signs and scaling commas multiply by. */
  readonly power: number;
  readonly scientific: boolean;
}

function splitSections(pattern: string): string[] {
  const sections = [""];
  for (const piece of pieces(pattern)) {
    if (piece === ";") {
      sections.push("");
    } else {
      sections.push((sections.pop() ?? "") + piece);
    }
  }
  return sections;
}

/** Single characters, except that quoted and escaped text and exponents stay whole. */
function pieces(pattern: string): string[] {
  return pattern.match(/'[^']*'?|"[^"]*"?|\\[^]?|[eE][-+]?0+|[^]/gu) ?? [];
}

function readSection(pattern: string): Section {
  const tokens: Token[] = [];
  const whole: boolean[] = [];
  const fraction: boolean[] = [];
  let point = false;
  let pendingCommas = 0;
  let thousands = false;
  let power = 0;
  let scientific = false;
  for (const piece of pieces(pattern)) {
    if (piece === "0" || piece === "#") {
      thousands ||= !point && pendingCommas > 0;
      pendingCommas = 0;
      (point ? fraction : whole).push(piece === "0");
      tokens.push({ kind: "digit", zero: piece === "0" });
    } else if (piece === ".") {
      if (!point) {
        power -= 3 * pendingCommas;
        tokens.push({ kind: "point" });
      }
      pendingCommas = 0;
      point = true;
    } else if (piece === ",") {
      pendingCommas += whole.length > 0 && !point ? 1 : 0;
    } else if (piece === "%" || piece === "\u2030") {
      power += piece === "%" ? 2 : 3;
      tokens.push({ kind: "text", text: piece });
    } else if (/^[eE][-+]?0/.test(piece)) {
      scientific = true;
      tokens.push({
        kind: "exponent",
        letter: piece.slice(0, 1),
        plus: piece.includes("+"),
        minDigits: piece.replaceAll(/[^0]/g, "").length,
      });
    } else {
      tokens.push({ kind: "text", text: literalText(piece) });
    }
  }
  const firstZero = whole.indexOf(true);
  return {
    tokens,
    wholePlaces: whole.length,
    fractionPlaces: fraction.length,
    wholeMin: firstZero < 0 ? 0 : whole.length - firstZero,
    fractionMin: fraction.lastIndexOf(true) + 1,
    thousands,
    power: power - 3 * pendingCommas,
    scientific,
  };
}

function literalText(piece: string): string {
  const quote = piece[0];
  if (piece.length > 0 && (quote === "'" || quote === '"')) {
    return piece.slice(1, piece.length > 1 && piece.endsWith(quote) ? -1 : undefined);
  }
  return quote === "\\" ? piece.slice(1) : piece;
}

/** Rounds before the exponent is known, because 99.9 may become 100. */
function scale(value: Decimal, section: Section): Decimal {
  if (value.digits === "") {
    return value;
  }
  const scaled = { ...value, exponent: value.exponent + section.power };
  return section.scientific
    ? roundToDigits(scaled, section.wholePlaces + section.fractionPlaces)
    : roundToPlaces(scaled, section.fractionPlaces);
}

function write(value: Decimal, section: Section): string {
  const shift = section.scientific && value.digits !== "" ? value.exponent - section.wholePlaces : 0;
  const shown = { ...value, exponent: value.exponent - shift };
  const parts = splitDecimal(shown, section.fractionPlaces);
  const whole = parts.whole.padStart(section.wholeMin, "0");
  const fraction = parts.fraction.replace(/0+$/, "").padEnd(section.fractionMin, "0");
  // Joined at the end: text that grows by concatenation keeps an object for each piece.
  const pieces: string[] = [];
  let wholeSeen = 0;
  let fractionSeen = 0;
  let point = false;
  for (const token of section.tokens) {
    switch (token.kind) {
      case "text":
        pieces.push(token.text);
        break;
      case "point":
        pieces.push(fraction === "" ? "" : ".");
        point = true;
        break;
      case "exponent":
        pieces.push(exponent(shift, token.plus, token.minDigits, token.letter));
        break;
      case "digit":
        if (point) {
          pieces.push(fraction[fractionSeen] ?? "");
          fractionSeen += 1;
        } else {
          pieces.push(wholeDigits(whole, wholeSeen, section));
          wholeSeen += 1;
        }
        break;
      default:
        return token satisfies never;
    }
  }
  return pieces.join("");
}

/** What the slot number `seen` shows; the first one also takes the digits that have no slot. */
function wholeDigits(whole: string, seen: number, section: Section): string {
  const end = whole.length - (section.wholePlaces - seen - 1);
  const start = seen === 0 ? 0 : end - 1;
  let result = "";
  for (let at = Math.max(start, 0); at < end; at += 1) {
    const following = whole.length - at - 1;
    result += whole[at] ?? "";
    result += section.thousands && following > 0 && following % 3 === 0 ? "," : "";
  }
  return result;
}

function exponent(power: number, plus: boolean, minDigits: number, letter: string): string {
  const sign = power < 0 ? "-" : plus ? "+" : "";
  return `${letter}${sign}${Math.abs(power).toString().padStart(minDigits, "0")}`;
}
