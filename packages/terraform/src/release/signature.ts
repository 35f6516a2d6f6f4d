import type { Key, KeyID, Signature } from "openpgp";
import { InstallError } from "../install-error.ts";

export interface SignedContent {
  readonly content: Uint8Array;
  /** Detached, binary or armored. */
  readonly signature: Uint8Array;
  readonly keys: readonly Key[];
  readonly now: Date;
}

/**
 * Passes if one of the signatures is by a key that is known, and neither expired nor revoked now. (OpenPGP libraries ask
 * whether it was so when the signature was made, a time that whoever has the key can choose.)
 * @throws InstallError `SignatureRefused` with the reason
 */
export async function checkSignature({ content, signature, keys, now }: SignedContent): Promise<void> {
  const openpgp = await import("openpgp");
  const message = await openpgp.createMessage({ binary: content });
  const { signatures } = await openpgp
    .verify({ message, signature: await readSignature(signature), verificationKeys: [...keys], date: now })
    .catch(() => {
      throw refused("cannot be read");
    });
  const problems: string[] = [];
  for (const each of signatures) {
    const problem = await problemOf(each, keys, now);
    if (problem === undefined) {
      return;
    }
    problems.push(problem);
  }
  throw refused(problems[0] ?? "holds no signature");
}

async function readSignature(bytes: Uint8Array): Promise<Signature> {
  const openpgp = await import("openpgp");
  try {
    return await (isArmored(bytes)
      ? openpgp.readSignature({ armoredSignature: Buffer.from(bytes).toString("latin1") })
      : openpgp.readSignature({ binarySignature: bytes }));
  } catch {
    throw refused("is not an OpenPGP signature");
  }
}

interface FoundSignature {
  readonly keyID: KeyID;
  /** Rejects if it is not good. */
  readonly verified: Promise<true>;
}

async function problemOf(
  { keyID, verified }: FoundSignature,
  keys: readonly Key[],
  now: Date,
): Promise<string | undefined> {
  verified.catch(() => {}); // looked at below, after what explains it better
  const name = keyID.toHex().toUpperCase();
  const key = keys.find((candidate) => candidate.getKeys(keyID).length > 0);
  if (key === undefined) {
    return `is by the key ${name}, which is not among the configured ones`;
  }
  const problem = await keyProblem(key, keyID, now);
  if (problem !== undefined) {
    return `is by the key ${name}, which ${problem}`;
  }
  const isGood = await verified.catch(() => false);
  return isGood ? undefined : `does not belong to this file, though it names the key ${name}`;
}

async function keyProblem(key: Key, keyID: KeyID, now: Date): Promise<string | undefined> {
  if (await key.isRevoked(undefined, undefined, now)) {
    return "has been revoked";
  }
  const expiry = await key.getExpirationTime();
  if (expiry instanceof Date && expiry <= now) {
    return `expired on ${expiry.toISOString().slice(0, 10)}`;
  }
  try {
    await key.getSigningKey(keyID, now);
    return undefined;
  } catch {
    const day = now.toISOString().slice(0, 10);
    return `is not valid on ${day}, today by this machine's clock: it expired, was revoked, or is not for signatures`;
  }
}

function isArmored(signature: Uint8Array): boolean {
  return Buffer.from(signature.subarray(0, 64)).toString("latin1").trimStart().startsWith("-----BEGIN PGP");
}

function refused(why: string): InstallError {
  return new InstallError("SignatureRefused", `The signature of the published SHA256SUMS ${why}.`);
}
