import type { Instant } from "./instant.ts";

/** What expressions build can be long; nobody writes such a format, and reading it takes many times its size. */
const maxFormatLength = 1_000;

/** Formats a moment in UTC like .NET does in its invariant culture; `undefined` when there is no such format. */
export function formatInstant(instant: Instant, format: string): string | undefined {
  if (format.length > maxFormatLength) {
    return undefined;
  }
  const pattern = format.length === 1 ? standardPatterns.get(format) : format;
  return pattern === undefined || pattern === "" ? undefined : formatPattern(partsOf(instant), pattern);
}

const longDate = "dddd, dd MMMM yyyy";
const standardPatterns: ReadonlyMap<string, string> = new Map([
  ["d", "MM/dd/yyyy"],
  ["D", longDate],
  ["t", "HH:mm"],
  ["T", "HH:mm:ss"],
  ["f", `${longDate} HH:mm`],
  ["F", `${longDate} HH:mm:ss`],
  ["g", "MM/dd/yyyy HH:mm"],
  ["G", "MM/dd/yyyy HH:mm:ss"],
  ["m", "MMMM dd"],
  ["M", "MMMM dd"],
  ["o", "yyyy-MM-ddTHH:mm:ss.fffffffZ"],
  ["O", "yyyy-MM-ddTHH:mm:ss.fffffffZ"],
  ["r", "ddd, dd MMM yyyy HH:mm:ss 'GMT'"],
  ["R", "ddd, dd MMM yyyy HH:mm:ss 'GMT'"],
  ["s", "yyyy-MM-ddTHH:mm:ss"],
  ["u", "yyyy-MM-dd HH:mm:ssZ"],
  ["U", `${longDate} HH:mm:ss`],
  ["y", "yyyy MMMM"],
  ["Y", "yyyy MMMM"],
]);

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

interface DateParts {
  readonly date: Date;
  /** Seven digits behind the seconds. */
  readonly fraction: string;
}

function partsOf(instant: Instant): DateParts {
  const ticks = ((instant % 10_000_000n) + 10_000_000n) % 10_000_000n;
  return { date: new Date(Number((instant - ticks) / 10_000n)), fraction: ticks.toString().padStart(7, "0") };
}

/** Quoted text, an escaped character, a letter that stands alone (`%d`), a run of one letter, or any other character. */
const tokens = /'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|\\[^]|%[^%]|y+|M+|d+|H+|h+|m+|s+|f+|F+|t+|z+|g+|[^]/gu;

function formatPattern(parts: DateParts, pattern: string): string | undefined {
  // Joined at the end: text that grows by concatenation keeps an object for each piece.
  const pieces: string[] = [];
  for (const [token] of pattern.matchAll(tokens)) {
    const text = formatToken(parts, token);
    if (text === undefined) {
      return undefined;
    }
    // An optional fraction that is empty takes the point before it along.
    if (token.startsWith("F") && text === "" && pieces.at(-1) === ".") {
      pieces.pop();
    } else {
      pieces.push(text);
    }
  }
  return pieces.join("");
}

function formatToken({ date, fraction }: DateParts, token: string): string | undefined {
  const length = token.length;
  switch (token[0]) {
    case "y":
      return year(date.getUTCFullYear(), length);
    case "M":
      return name(monthNames, date.getUTCMonth(), length) ?? number(date.getUTCMonth() + 1, length);
    case "d":
      return name(dayNames, date.getUTCDay(), length) ?? number(date.getUTCDate(), length);
    case "H":
      return number(date.getUTCHours(), length);
    case "h":
      return number(date.getUTCHours() % 12 === 0 ? 12 : date.getUTCHours() % 12, length);
    case "m":
      return number(date.getUTCMinutes(), length);
    case "s":
      return number(date.getUTCSeconds(), length);
    case "f":
      return length > 7 ? undefined : fraction.slice(0, length);
    case "F":
      return length > 7 ? undefined : fraction.slice(0, length).replace(/0+$/, "");
    case "t":
      return (date.getUTCHours() < 12 ? "AM" : "PM").slice(0, length);
    case "z":
      return length === 1 ? "+0" : length === 2 ? "+00" : "+00:00";
    case "K":
      return "Z".repeat(length);
    case "g":
      return "A.D.";
    case "'":
    case '"':
      return length > 1 ? token.slice(1, -1).replaceAll(/\\([^])/g, "$1") : undefined;
    case "%":
      return length > 1 ? formatToken({ date, fraction }, token.slice(1)) : undefined;
    case "\\":
      return length > 1 ? token.slice(1) : undefined;
    default:
      return token;
  }
}

function year(value: number, length: number): string {
  return length <= 2 ? number(value % 100, length) : value.toString().padStart(length, "0");
}

/** Three letters ask for the short name, more for the whole one. */
function name(names: readonly string[], index: number, length: number): string | undefined {
  return length < 3 ? undefined : (names[index] ?? "").slice(0, length === 3 ? 3 : undefined);
}

function number(value: number, length: number): string {
  return value.toString().padStart(Math.min(length, 2), "0");
}
