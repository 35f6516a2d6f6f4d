/** An address as one number; `bits` is 32 or 128 and tells the two families apart. */
export interface IpAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

export function parseIpAddress(text: string): IpAddress | undefined {
  if (!text.includes(":")) {
    const value = parseV4(text);
    return value === undefined ? undefined : { bits: 32, value };
  }
  const value = parseV6(text);
  return value === undefined ? undefined : { bits: 128, value };
}

/** IPv6 in its short form: lower case, the longest run of zero groups left out, an IPv4 address within it with dots. */
export function printIpAddress({ bits, value }: IpAddress): string {
  if (bits === 32) {
    return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
  }
  const all = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - index * 16)) & 0xffffn).toString(16));
  const groups = holdsV4(all) ? [...all.slice(0, 6), printIpAddress({ bits: 32, value: value & 0xffffffffn })] : all;
  const { start, length } = longestZeros(groups);
  if (length < 2) {
    return groups.join(":");
  }
  return `${groups.slice(0, start).join(":")}::${groups.slice(start + length).join(":")}`;
}

/** The three prefixes that stand before an IPv4 address, which must not begin with two zeros to be seen as one. */
function holdsV4(groups: readonly string[]): boolean {
  return (
    ["0:0:0:0:0:0", "0:0:0:0:0:ffff", "0:0:0:0:ffff:0"].includes(groups.slice(0, 6).join(":")) && groups[6] !== "0"
  );
}

function parseV4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^[0-9]{1,3}$/.test(part) && Number(part) <= 255)) {
    return undefined;
  }
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function parseV6(text: string): bigint | undefined {
  const halves = text.split("::");
  const [head, tail] = halves.map((half, index) => parseGroups(half, index === halves.length - 1));
  if (halves.length > 2 || head === undefined) {
    return undefined;
  }
  if (halves.length === 1) {
    return head.length === 8 ? joinGroups(head) : undefined;
  }
  if (tail === undefined || head.length + tail.length > 7) {
    return undefined;
  }
  return joinGroups([...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0n), ...tail]);
}

/** Groups of sixteen bits; where the address ends, the last two may be written like an IPv4 address. */
function parseGroups(text: string, atEnd: boolean): bigint[] | undefined {
  if (text === "") {
    return [];
  }
  const parts = text.split(":");
  const groups: bigint[] = [];
  for (const [index, part] of parts.entries()) {
    const embedded = atEnd && index === parts.length - 1 ? parseV4(part) : undefined;
    if (embedded !== undefined) {
      groups.push(embedded >> 16n, embedded & 0xffffn);
    } else if (/^[0-9A-Fa-f]{1,4}$/.test(part)) {
      groups.push(BigInt(`0x${part}`));
    } else {
      return undefined;
    }
  }
  return groups;
}

function joinGroups(groups: readonly bigint[]): bigint {
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== "0") {
      start = index + 1;
    } else if (index + 1 - start > best.length) {
      best = { start, length: index + 1 - start };
    }
  }
  return best;
}
