const pattern =
  /^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/u;
const maxLength = 64;

/** `X.Y.Z` with an optional `-pre` and `+build`. Such a text is safe as the name of a folder and in a URL. */
export function isReleaseVersion(text: string): boolean {
  return text.length <= maxLength && pattern.test(text);
}

/** The highest `X.Y.Z`; pre-releases and special builds are nobody's newest. */
export function newestOf(versions: Iterable<string>): string | undefined {
  let newest: string | undefined;
  for (const version of versions) {
    if (/^[\d.]+$/u.test(version) && isReleaseVersion(version) && (newest === undefined || isNewer(version, newest))) {
      newest = version;
    }
  }
  return newest;
}

function isNewer(version: string, than: string): boolean {
  const [mine, other] = [numbersOf(version), numbersOf(than)];
  const at = mine.findIndex((number, index) => number !== other[index]);
  return at >= 0 && (mine[at] ?? 0) > (other[at] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split(".").map(Number);
}
