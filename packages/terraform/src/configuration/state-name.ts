import { hash } from "node:crypto";

/** The resource that a state belongs to, and where it is deployed. */
export interface StateOwner {
  readonly resourceId: string;
  readonly environmentName: string;
  readonly applicationName?: string | undefined;
}

/** 40 hexadecimal digits that name the state of a resource, as upstream computes them. */
export function stateHash(owner: StateOwner): string {
  return withLetter(hash("sha256", hashedText(owner)).slice(0, 40));
}

/** The name that versions before gave to the same state. */
export function legacyStateHash(owner: StateOwner): string {
  return hash("sha1", hashedText(owner));
}

function hashedText({ resourceId, environmentName, applicationName }: StateOwner): string {
  const names = applicationName === undefined || applicationName === "" ? [] : [applicationName];
  return [environmentName, ...names, resourceId].join("-").toLowerCase();
}

/** Terraform refuses a suffix that ends in a number. */
export function withLetter(digits: string): string {
  const last = digits.at(-1) ?? "0";
  return /^[0-9]+$/u.test(digits) ? `${digits.slice(0, -1)}${"abcdefghij"[Number(last)]}` : digits;
}

/** Kubernetes has at most 63 characters in the value of a label, which the suffix is. */
const maxSuffix = 63;

/** `<prefix>-<hash>`, shortened where it is too long; the hash alone without a prefix. */
export function secretSuffix(prefix: string, owner: StateOwner): string {
  return withPrefix(prefix.toLowerCase(), "-", owner);
}

/** The schema of PostgreSQL that holds the state; identifiers have at most 63 bytes, as label values have. */
export function schemaName(prefix: string, owner: StateOwner): string {
  return withPrefix(prefix, "_", owner);
}

/** `state/prod.tfstate` is a folder with one state for each resource, `state/prod/<hash>.tfstate`. */
export function objectKey(key: string, owner: StateOwner): string {
  const folder = key.replace(/\.tfstate$/u, "").replace(/\/+$/u, "");
  return folder === "" ? `${stateHash(owner)}.tfstate` : `${folder}/${stateHash(owner)}.tfstate`;
}

/** The path of a state below a prefix or a path of the user's. */
export function statePath(prefix: string, owner: StateOwner): string {
  const folder = prefix.replace(/\/+$/u, "");
  return folder === "" ? stateHash(owner) : `${folder}/${stateHash(owner)}`;
}

function withPrefix(prefix: string, separator: string, owner: StateOwner): string {
  const name = stateHash(owner);
  const room = maxSuffix - name.length - separator.length;
  const short = Buffer.byteLength(prefix) <= room ? prefix : shortened(prefix, separator, room);
  return short === "" ? name : `${short}${separator}${name}`;
}

/** The start of a long prefix and a hash of all of it, so that prefixes which differ at the end stay apart. */
function shortened(prefix: string, separator: string, room: number): string {
  const digest = hash("sha256", prefix).slice(0, 8);
  const plain = prefix.replaceAll(/[^A-Za-z0-9._-]/gu, "").slice(0, room - digest.length - separator.length);
  const start = plain.replace(/[._-]+$/u, "");
  return start === "" ? digest : `${start}${separator}${digest}`;
}
