/** An ISO 8601 duration as people write it: `PT1M2.345S` is `1m 2.3s`. What is none is shown as it is. */
export function durationText(duration: string | undefined): string {
  const found = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(duration ?? "");
  if (found === null) {
    return duration ?? "";
  }
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
  if (days + hours + minutes === 0 && seconds < 1) {
    return `${Math.round(seconds * 1000)}ms`;
  }
  const parts = [
    { amount: days, unit: "d" },
    { amount: hours, unit: "h" },
    { amount: minutes, unit: "m" },
    { amount: Math.round(seconds * 10) / 10, unit: "s" },
  ];
  return parts.flatMap(({ amount, unit }) => (amount === 0 ? [] : `${amount}${unit}`)).join(" ");
}
