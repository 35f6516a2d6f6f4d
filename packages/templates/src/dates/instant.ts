import { TemplateError } from "../template-error.ts";

/** A moment in ticks of 100 ns since 1970, which is as fine as dates in templates get. */
export type Instant = bigint;

export const ticksPerSecond = 10_000_000n;
const ticksPerMillisecond = 10_000n;
const earliest = -62_135_596_800n * ticksPerSecond;
const latest = 253_402_300_800n * ticksPerSecond - 1n;

/** Dates run from year 1 to year 9999. */
export function checkedInstant(instant: Instant): Instant {
  if (instant < earliest || instant > latest) {
    throw new TemplateError("InvalidArgument", "The date lies outside the years 1 to 9999.");
  }
  return instant;
}

const extended =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,7})\d*)?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
const basic = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(?:\.(\d{1,7})\d*)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** Reads a date of ISO 8601, a blank instead of the T allowed; without an offset it is UTC. */
export function parseInstant(text: string): Instant | undefined {
  const match = extended.exec(text.trim()) ?? basic.exec(text.trim());
  if (match === null) {
    return undefined;
  }
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day);
  date.setUTCHours(hour ?? 0, minute, second);
  // A 30th of February moves on to March, which shows here.
  const real = date.getUTCFullYear() === year && date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
  if (!real || (minute ?? 0) > 59 || (second ?? 0) > 59) {
    return undefined;
  }
  const fraction = BigInt((match[7] ?? "").padEnd(7, "0"));
  const zone = match[8];
  if (match[4] === undefined && zone?.length === 3) {
    return undefined; // 2020-01-01-05 is a slip rather than a date with an offset
  }
  const offset = offsetMinutes(zone);
  return offset === undefined ? undefined : BigInt(date.getTime() - offset * 60_000) * ticksPerMillisecond + fraction;
}

function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone.toUpperCase() === "Z") {
    return 0;
  }
  const hours = Number(zone.slice(1, 3));
  const minutes = zone.length > 3 ? Number(zone.slice(-2)) : 0;
  const total = hours * 60 + minutes;
  return minutes > 59 || total > 14 * 60 ? undefined : zone.startsWith("-") ? -total : total;
}
