import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";

/** A certificate with its key, as PEM. Made afresh by each test, so no key lies in the repository. */
export interface Certificate {
  readonly name: string;
  readonly cert: string;
  readonly key: string;
}

interface CertificateOptions {
  /** As X.509 writes it: `200101000000Z`. */
  readonly start?: string;
  /** Likewise: `491231235959Z`. */
  readonly end?: string;
  /** The IPv4 address that a leaf is for. */
  readonly address?: readonly number[];
  /** DNS names that a leaf is for, besides the address. */
  readonly names?: readonly string[];
}

/** A self-signed CA. */
export function createCa(name: string, options: CertificateOptions = {}): Certificate {
  return issue(name, undefined, options, [extension(oid.basicConstraints, sequence(der(0x01, Buffer.of(0xff))))]);
}

/** A certificate for 127.0.0.1 unless told otherwise, good for servers and clients. */
export function createLeaf(name: string, ca: Certificate, options: CertificateOptions = {}): Certificate {
  const address = der(0x87, Buffer.from(options.address ?? [127, 0, 0, 1]));
  const names = (options.names ?? []).map((dnsName) => der(0x82, Buffer.from(dnsName)));
  return issue(name, ca, options, [extension(oid.subjectAltName, sequence(...names, address))]);
}

const oid = {
  ecdsaWithSha256: Buffer.from("06082a8648ce3d040302", "hex"),
  commonName: Buffer.from("0603550403", "hex"),
  basicConstraints: Buffer.from("0603551d13", "hex"),
  subjectAltName: Buffer.from("0603551d11", "hex"),
};

function issue(
  name: string,
  ca: Certificate | undefined,
  { start = "200101000000Z", end = "491231235959Z" }: CertificateOptions,
  extensions: readonly Buffer[],
): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signer: KeyObject = ca === undefined ? privateKey : createPrivateKey(ca.key);
  const algorithm = sequence(oid.ecdsaWithSha256);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))), // version 3
    der(0x02, Buffer.concat([Buffer.of(0x01), randomBytes(8)])), // serial number, positive
    algorithm,
    distinguishedName(ca?.name ?? name),
    sequence(utcTime(start), utcTime(end)),
    distinguishedName(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign("sha256", body, signer)]));
  return {
    name,
    cert: pem("CERTIFICATE", sequence(body, algorithm, signature)),
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
  };
}

function distinguishedName(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid.commonName, der(0x0c, Buffer.from(commonName)))));
}

function extension(id: Buffer, value: Buffer): Buffer {
  return sequence(id, der(0x04, value));
}

function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

/** Tag, length in as few bytes as it takes, value: Go refuses certificates that spend more. */
function der(tag: number, value: Buffer): Buffer {
  const { length } = value;
  if (length < 0x80) {
    return Buffer.concat([Buffer.of(tag, length), value]);
  }
  const lengthBytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...lengthBytes), value]);
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
