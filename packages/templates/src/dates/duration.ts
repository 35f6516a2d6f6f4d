import { ticksPerSecond } from "./instant.ts";

const pattern =
  /^([-+])?P(?=[0-9T])(?:([0-9]{1,9})Y)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})D)?(?:T(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})(?:\.([0-9]{1,7})[0-9]*)?S)?)?$/;
const weeks = /^([-+])?P([0-9]{1,9})W$/;

/**
 * An ISO 8601 duration in ticks of 100 ns. Lengths are fixed, whatever the calendar says: a year has 365 days and a
 * month has 30. Weeks stand alone.
 */
export function parseDuration(text: string): bigint | undefined {
  const weekMatch = weeks.exec(text);
  if (weekMatch !== null) {
    return withSign(weekMatch[1], BigInt(weekMatch[2] ?? 0) * 7n * 86_400n * ticksPerSecond);
  }
  const match = pattern.exec(text);
  if (match === null) {
    return undefined;
  }
  const [years = 0n, months = 0n, days = 0n, hours = 0n, minutes = 0n, seconds = 0n] = match
    .slice(2, 8)
    .map((part) => BigInt(part ?? 0));
  const total = (((years * 365n + months * 30n + days) * 24n + hours) * 60n + minutes) * 60n + seconds;
  return withSign(match[1], total * ticksPerSecond + BigInt((match[8] ?? "").padEnd(7, "0")));
}

function withSign(sign: string | undefined, ticks: bigint): bigint {
  return sign === "-" ? -ticks : ticks;
}
