/** A number as its decimal digits: `0.<digits> × 10^exponent`, without leading zeros; zero has no digits. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

export function decimalOf(value: bigint | number): Decimal {
  if (typeof value === "bigint") {
    const digits = (value < 0n ? -value : value).toString();
    return normalised(value < 0n, digits, digits.length);
  }
  return exactDecimal(value);
}

/** The fewest digits that still name this float and no other. */
export function shortestDecimal(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = Math.abs(value).toExponential().split("e");
  return normalised(value < 0, mantissa.replace(".", ""), Number(exponent) + 1);
}

/** Rounds half away from zero to `places` digits behind the point. */
export function roundToPlaces(decimal: Decimal, places: number): Decimal {
  return roundToDigits(decimal, decimal.exponent + places);
}

/** Rounds half away from zero to `count` significant digits. */
export function roundToDigits(decimal: Decimal, count: number): Decimal {
  if (count >= decimal.digits.length) {
    return decimal;
  }
  if (count < 0) {
    return { negative: decimal.negative, digits: "", exponent: 0 };
  }
  const kept = decimal.digits.slice(0, count);
  if ((decimal.digits[count] ?? "0") < "5") {
    return normalised(decimal.negative, kept, decimal.exponent);
  }
  const raised = (BigInt(kept === "" ? "0" : kept) + 1n).toString();
  return normalised(decimal.negative, raised, decimal.exponent + raised.length - kept.length);
}

/** The digits before and behind the point; the fraction has exactly `places` of them. */
export function splitDecimal(decimal: Decimal, places: number): { readonly whole: string; readonly fraction: string } {
  const rounded = roundToPlaces(decimal, places);
  const { digits, exponent } = rounded;
  const whole = exponent > 0 ? digits.slice(0, exponent).padEnd(exponent, "0") : "";
  const fraction = exponent > 0 ? digits.slice(exponent) : "0".repeat(-exponent) + digits;
  return { whole, fraction: fraction.slice(0, places).padEnd(places, "0") };
}

/** `1234567` as `1,234,567`. */
export function groupThousands(whole: string): string {
  return whole.replaceAll(/\B(?=(?:[0-9]{3})+$)/g, ",");
}

/** A double is a whole number times a power of two, so its decimal digits end. */
function exactDecimal(value: number): Decimal {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  const power = (biased === 0 ? 1 : biased) - 1075;
  const scaled = power >= 0 ? mantissa << BigInt(power) : mantissa * 5n ** BigInt(-power);
  const digits = scaled.toString();
  return normalised(value < 0, digits, digits.length + Math.min(power, 0));
}

function normalised(negative: boolean, digits: string, exponent: number): Decimal {
  const leading = digits.length - digits.replace(/^0+/, "").length;
  const significant = digits.slice(leading).replace(/0+$/, "");
  return significant === ""
    ? { negative, digits: "", exponent: 0 }
    : { negative, digits: significant, exponent: exponent - leading };
}
