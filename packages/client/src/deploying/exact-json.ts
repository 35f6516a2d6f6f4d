import { DeployingError } from "./deploying-error.ts";

/**
 * `JSON.parse`, but for integers that a number cannot hold: they would be sent as other integers.
 * @throws DeployingError `IntegerTooLarge` without the value, which may be a secret
 */
export function parseExactJson(text: string, source: string): unknown {
  if (!/\d{16}/.test(text)) {
    return JSON.parse(text); // looking at each value takes several times as long
  }
  return JSON.parse(text, (key: string, value: unknown, context?: { readonly source?: string }) => {
    const written = context?.source ?? "";
    const isLarge = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(written);
    if (isLarge && JSON.stringify(value) !== written) {
      throw new DeployingError("IntegerTooLarge", `${source} has an integer of more than 53 bits at "${key}".`);
    }
    return value;
  });
}
