import { parseIpAddress, printIpAddress } from "@rad/core";
import type { ObjectValue, Value } from "../values/value.ts";
import { define, type FunctionCall, type FunctionDefinition } from "./function-call.ts";

export const cidrFunctions: readonly FunctionDefinition[] = [
  define("parseCidr", 1, parseCidr, 72),
  define("cidrSubnet", 3, cidrSubnet, 24),
  define("cidrHost", 2, cidrHost, 20),
];

interface Network {
  readonly bits: 32 | 128;
  readonly prefix: number;
  readonly first: bigint;
  readonly last: bigint;
}

function parseCidr(call: FunctionCall): ObjectValue {
  const network = readNetwork(call);
  const { bits, prefix, first, last } = network;
  const print = (value: bigint): string => printIpAddress({ bits, value });
  const members: [string, Value][] = [
    ["network", print(first)],
    ["netmask", print((1n << BigInt(bits)) - (1n << BigInt(bits - prefix)))],
  ];
  if (bits === 32) {
    members.push(["broadcast", print(last)]);
  }
  members.push(
    ["firstUsable", print(hasReservedEnds(network) ? first + 1n : first)],
    ["lastUsable", print(lastUsable(network))],
    ["cidr", BigInt(prefix)],
  );
  return new Map(members);
}

function cidrSubnet(call: FunctionCall): string {
  const { bits, prefix, first } = readNetwork(call);
  const newPrefix = call.smallInt(1);
  if (newPrefix < prefix || newPrefix > bits) {
    throw call.invalid(`the new prefix must be between ${prefix} and ${bits}`);
  }
  const index = call.int(2);
  const count = 1n << BigInt(newPrefix - prefix);
  if (index < 0n || index >= count) {
    throw call.invalid(`the network has ${count} such subnets, and the index lies outside them`);
  }
  return `${printIpAddress({ bits, value: first + (index << BigInt(bits - newPrefix)) })}/${newPrefix}`;
}

/** The first host is the one behind the network's own address, in IPv6 too. */
function cidrHost(call: FunctionCall): string {
  const network = readNetwork(call);
  const index = call.int(1);
  const value = network.first + 1n + index;
  if (index < 0n || value > lastUsable(network)) {
    throw call.invalid("the network has no host of that index");
  }
  return printIpAddress({ bits: network.bits, value });
}

/** Only IPv4 sets the first and the last address apart, and only where others are left. */
function hasReservedEnds({ bits, prefix }: Network): boolean {
  return bits === 32 && prefix <= 30;
}

function lastUsable(network: Network): bigint {
  if (network.bits === 128) {
    return network.last;
  }
  return hasReservedEnds(network) ? network.last - 1n : network.first;
}

function readNetwork(call: FunctionCall): Network {
  const match = /^([^/]{2,64})\/([0-9]{1,3})$/.exec(call.string(0));
  const address = match === null ? undefined : parseIpAddress(match[1] ?? "");
  const prefix = Number(match?.[2]);
  if (address === undefined || prefix > address.bits) {
    throw call.invalid("the text is not a network in CIDR notation such as 10.0.0.0/16");
  }
  const size = 1n << BigInt(address.bits - prefix);
  const first = address.value - (address.value % size);
  return { bits: address.bits, prefix, first, last: first + size - 1n };
}
