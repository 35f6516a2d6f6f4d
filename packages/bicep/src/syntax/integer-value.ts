import { syntaxErrors } from "./diagnostics.ts";
import type { Parser } from "./parser.ts";
import type { Token } from "./tokens.ts";

const maxUnsigned = 0xffff_ffff_ffff_ffffn;
const digitsThatFit = 15; // in a double, exactly
const digitsOfMax = 20;

/** The value of an integer token that was just taken. Signs and the signed range are a matter of types. */
export function integerValue(parser: Parser, token: Token): bigint {
  const digits = parser.textOf(token);
  if (digits.length <= digitsThatFit) {
    return BigInt(Number(digits));
  }
  const significant = digits.replace(/^0+/, "");
  const value = significant.length > digitsOfMax ? undefined : BigInt(significant || "0");
  if (value === undefined || value > maxUnsigned) {
    return parser.raise(syntaxErrors.integerTooLarge, token);
  }
  return value;
}
