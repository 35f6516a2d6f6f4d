import { parseIpAddress } from "@rad/core";

/**
 * How far inside an address may lie: on the internet only, also in private networks, or also on this machine. Addresses
 * that mean "this link", "whoever listens" or the metadata service of a cloud are never allowed.
 */
export type AddressRule = "public" | "private" | "loopback";

type AddressKind = AddressRule | "never";

const allowedKinds: Readonly<Record<AddressRule, readonly AddressKind[]>> = {
  public: ["public"],
  private: ["public", "private"],
  loopback: ["public", "private", "loopback"],
};

/** The first that matches counts. */
const ranges: readonly (readonly [cidr: string, kind: AddressKind])[] = [
  ["0.0.0.0/8", "never"], // "this host": Linux connects to itself
  ["169.254.0.0/16", "never"], // link-local, and the metadata services of most clouds
  ["168.63.129.16/32", "never"], // Azure's host
  ["100.100.100.200/32", "never"], // Alibaba's metadata service
  ["192.0.0.0/24", "never"], // protocol assignments, among them Oracle's metadata service
  ["224.0.0.0/4", "never"], // multicast
  ["240.0.0.0/4", "never"], // reserved, and broadcast
  ["127.0.0.0/8", "loopback"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "private"],
  ["172.16.0.0/12", "private"],
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "private"],
  ["::/128", "never"],
  ["::1/128", "loopback"],
  ["fd00:ec2::254/128", "never"], // AWS's metadata service
  ["fd20:ce::254/128", "never"], // Google's
  ["fe80::/10", "never"], // link-local
  ["ff00::/8", "never"], // multicast
  ["2001::/32", "never"], // Teredo: hides IPv4 addresses, and nobody serves anything there
  ["fc00::/7", "private"],
  ["fec0::/10", "private"],
];

/** Prefixes after which an IPv4 address follows: it is the one that is reached. */
const carriers: readonly (readonly [cidr: string, shift: bigint])[] = [
  ["::ffff:0:0/96", 0n], // IPv4-mapped
  ["::/96", 0n], // IPv4-compatible
  ["::ffff:0:0:0/96", 0n], // IPv4-translated
  ["64:ff9b::/96", 0n], // NAT64
  ["64:ff9b:1::/48", 0n], // NAT64 of a network's own, in the form that is in use
  ["2002::/16", 80n], // 6to4
];

interface Range {
  readonly bits: number;
  readonly prefix: bigint;
  readonly shift: bigint;
}

const parsedRanges = ranges.map(([cidr, kind]) => ({ ...parseRange(cidr), kind }));
const parsedCarriers = carriers.map(([cidr, at]) => ({ ...parseRange(cidr), at }));

/** Whether an address, as text without brackets, may be connected to. What is no address may not. */
export function isAddressAllowed(address: string, rule: AddressRule): boolean {
  return allowedKinds[rule].includes(kindOf(address));
}

function kindOf(text: string): AddressKind {
  const address = parseIpAddress(text.replace(/%.*$/u, ""));
  if (address === undefined) {
    return "never";
  }
  const known = parsedRanges.find((range) => isWithin(range, address));
  if (known !== undefined) {
    return known.kind;
  }
  const carrier = parsedCarriers.find((range) => isWithin(range, address));
  if (carrier === undefined) {
    return "public";
  }
  const embedded = { bits: 32, value: (address.value >> carrier.at) & 0xffffffffn };
  return parsedRanges.find((range) => isWithin(range, embedded))?.kind ?? "public";
}

function isWithin(range: Range, address: { readonly bits: number; readonly value: bigint }): boolean {
  return range.bits === address.bits && address.value >> range.shift === range.prefix;
}

function parseRange(cidr: string): Range {
  const [base = "", length = ""] = cidr.split("/");
  const address = parseIpAddress(base);
  if (address === undefined) {
    throw new Error(`${cidr} is no range of addresses`);
  }
  const shift = BigInt(address.bits - Number(length));
  return { bits: address.bits, prefix: address.value >> shift, shift };
}
