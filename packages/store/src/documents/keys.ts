/** Documents are found by their key: the id in lower case, without a trailing slash. */
export function toKey(id: string): string {
  return (id.endsWith("/") ? id.slice(0, -1) : id).toLowerCase();
}

/** Both ends are exclusive. */
export interface KeyRange {
  readonly after: string;
  readonly before: string;
}

/**
 * The keys below an id or scope. Both databases order keys by their UTF-8 bytes, where `0` follows `/` directly, so
 * everything that starts with `{under}/` is one range.
 */
export function keysBelow(under: string, options: { readonly directly?: boolean | undefined } = {}): KeyRange {
  const base = options.directly === true ? `${toKey(under)}/providers` : toKey(under);
  return { after: `${base}/`, before: `${base}0` };
}
