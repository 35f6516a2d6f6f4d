import type { JsonValue } from "@rad/core";

/** A value as the text of an environment variable. */
export function environmentText(value: JsonValue): string {
  if (typeof value === "string") {
    return value;
  }
  if (typeof value === "number") {
    return decimal(value);
  }
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "number")) {
    return value.map(decimal).join(",");
  }
  return JSON.stringify(value);
}

/** The shortest decimal that reads back as the same number, without an exponent. */
function decimal(value: number): string {
  const [, sign = "", whole = "", fraction = "", exponent] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  if (exponent === undefined) {
    return String(value);
  }
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  return point <= 0 ? `${sign}0.${"0".repeat(-point)}${digits}` : `${sign}${digits.padEnd(point, "0")}`;
}
