/** As the API tells how long something took: `PT1M3.25S`. */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor((whole % 3_600_000) / 60_000);
  const seconds = (whole % 60_000) / 1_000;
  const parts = `${hours > 0 ? `${hours}H` : ""}${minutes > 0 ? `${minutes}M` : ""}${seconds > 0 ? `${seconds}S` : ""}`;
  return parts === "" ? "PT0S" : `PT${parts}`;
}

const pattern =
  /^P(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d+)?)S)?)?$/;

/** Milliseconds, or `undefined` when it is no duration. A year has 365 days and a month has 30, as in templates. */
export function parseDuration(text: string): number | undefined {
  const match = pattern.exec(text);
  if (match === null || text.endsWith("T") || text === "P") {
    return undefined;
  }
  const parts = match.slice(1).map((part) => Number(part ?? 0));
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const allDays = years * 365 + months * 30 + weeks * 7 + days;
  return (((allDays * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
}
