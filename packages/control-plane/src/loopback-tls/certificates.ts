import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto";
import { isIPv6 } from "node:net";
import {
  bitString,
  boolean,
  explicit,
  implicit,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  unsigned,
  utf8String,
} from "./der.ts";

/** A certificate and its key, both in PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

const dayMs = 86_400_000;
/** A clock that is set back a little should not make a certificate one of the future. */
const backdatedMs = dayMs;

/**
 * An authority that signs for this machine alone: its name constraints let no certificate of it count for any name but
 * `localhost`, `127.0.0.0/8` and `::1`, wherever somebody may have installed it.
 */
export function createAuthority(now: Date, validDays: number): Identity {
  const keys = newKeys();
  const name = commonName(`Radius on this machine ${randomBytes(4).toString("hex")}`);
  const cert = certify({
    subject: name,
    issuer: name,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    now,
    validDays,
    extensions: [
      extension(ids.basicConstraints, sequence(boolean(true), unsigned(Buffer.of(0))), "critical"),
      extension(ids.keyUsage, bitString(Buffer.of(0b0000_0100), 2), "critical"), // keyCertSign
      extension(ids.nameConstraints, sequence(explicit(0, ...permittedNames())), "critical"),
      extension(ids.subjectKeyIdentifier, octetString(keyIdentifier(keys.publicKey))),
    ],
  });
  return { cert, key: pemOf(keys.privateKey) };
}

/** @param addresses IP addresses that the certificate counts for besides `localhost`, `127.0.0.1` and `::1` */
export function issueCertificate(
  authority: Identity,
  options: { readonly now: Date; readonly validDays: number; readonly addresses: readonly string[] },
): Identity {
  const keys = newKeys();
  const signingKey = createPrivateKey(authority.key);
  const addresses = new Set(["127.0.0.1", "::1", ...options.addresses]);
  const names = [
    implicit(nameKinds.dns, Buffer.from("localhost")),
    ...[...addresses].map((address) => implicit(nameKinds.ip, addressBytes(address))),
  ];
  const cert = certify({
    ...options,
    subject: commonName("localhost"),
    issuer: subjectOf(authority.cert),
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      extension(ids.basicConstraints, sequence(), "critical"),
      extension(ids.keyUsage, bitString(Buffer.of(0b1000_0000), 7), "critical"), // digitalSignature
      extension(ids.extendedKeyUsage, sequence(objectIdentifier(ids.serverAuth))),
      extension(ids.subjectAlternativeName, sequence(...names)),
      extension(ids.authorityKeyIdentifier, sequence(implicit(0, keyIdentifier(signingKey)))),
    ],
  });
  return { cert, key: pemOf(keys.privateKey) };
}

const ids = {
  commonName: "2.5.4.3",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
} as const;

/** Numbers of the kinds of names in `GeneralName`. */
const nameKinds = { dns: 2, ip: 7 } as const;

interface Tbs {
  readonly subject: Uint8Array;
  readonly issuer: Uint8Array;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly now: Date;
  readonly validDays: number;
  readonly extensions: readonly Uint8Array[];
}

/** The structure of RFC 5280, version 3, signed with ECDSA and SHA-256. */
function certify(parts: Tbs): string {
  const { now, validDays } = parts;
  const algorithm = sequence(objectIdentifier(ids.ecdsaWithSha256));
  const toBeSigned = sequence(
    explicit(0, unsigned(Buffer.of(2))), // version 3
    unsigned(randomBytes(16)),
    algorithm,
    parts.issuer,
    sequence(time(new Date(now.getTime() - backdatedMs)), time(new Date(now.getTime() + validDays * dayMs))),
    parts.subject,
    parts.publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(...parts.extensions)),
  );
  const signature = sign("sha256", toBeSigned, parts.signingKey);
  const der = sequence(toBeSigned, algorithm, bitString(signature));
  const lines = der.toString("base64").replaceAll(/.{1,64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`;
}

function newKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" });
}

function extension(id: string, value: Uint8Array, critical?: "critical"): Buffer {
  const mark = critical === undefined ? [] : [boolean(true)];
  return sequence(objectIdentifier(id), ...mark, octetString(value));
}

function commonName(text: string): Buffer {
  return sequence(set(sequence(objectIdentifier(ids.commonName), utf8String(text))));
}

/** The authority's name as `createAuthority` wrote it. */
function subjectOf(cert: string): Buffer {
  return commonName(new X509Certificate(cert).subject.replace(/^CN=/, ""));
}

function permittedNames(): Buffer[] {
  const loopbackV4 = Buffer.of(127, 0, 0, 0, 255, 0, 0, 0);
  const loopbackV6 = Buffer.concat([addressBytes("::1"), Buffer.alloc(16, 0xff)]);
  return [
    sequence(implicit(nameKinds.dns, Buffer.from("localhost"))),
    sequence(implicit(nameKinds.ip, loopbackV4)),
    sequence(implicit(nameKinds.ip, loopbackV6)),
  ];
}

/** Loopback addresses only: of IPv6 there is one. */
function addressBytes(address: string): Buffer {
  return isIPv6(address)
    ? Buffer.concat([Buffer.alloc(15), Buffer.of(1)])
    : Buffer.from(address.split(".").map(Number));
}

/** Of a public key, or of the public half of a private one. */
function keyIdentifier(key: KeyObject): Buffer {
  const publicKey = key.type === "private" ? createPublicKey(key) : key;
  return Buffer.from(hash("sha256", publicKey.export({ type: "spki", format: "der" }), "hex").slice(0, 40), "hex");
}
