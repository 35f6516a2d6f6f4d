/** An ISO 8601 duration as people write it: `PT1M2.345S` is `1m 2.3s`. What is none is shown as it is. */
export function durationText(duration: string | undefined): string {
  const found = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(duration ?? "");
  if (found === null) {
    return duration ?? "";
  }
  const [days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0));
  const parts = [
    [days, "d"],
    [hours, "h"],
    [minutes, "m"],
    [Math.round((seconds ?? 0) * 10) / 10, "s"],
  ].filter(([amount]) => amount !== undefined && Number(amount) > 0);
  return parts.length === 0 ? "0s" : parts.map(([amount, unit]) => `${amount}${unit}`).join(" ");
}
