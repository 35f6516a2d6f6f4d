import { InstallError } from "../install-error.ts";

/**
 * What a `SHA256SUMS` file says about one of its files: lines of 64 hexadecimal digits, two spaces and a name.
 * @throws InstallError `SumsInvalid`
 */
export function checksumOf(sums: string, name: string): string {
  const found = new Set<string>();
  for (const line of sums.split("\n")) {
    const [, digits = "", listed] = /^([0-9a-f]{64}) [ *](.+?)\r?$/iu.exec(line) ?? [];
    if (listed === name) {
      found.add(digits.toLowerCase());
    }
  }
  const [checksum, ...more] = found;
  if (checksum === undefined || more.length > 0) {
    const what = checksum === undefined ? "no checksum" : "more than one checksum";
    throw new InstallError("SumsInvalid", `The published SHA256SUMS has ${what} for ${name}.`);
  }
  return checksum;
}
