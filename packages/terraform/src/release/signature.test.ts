import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { armor, createMessage, enums, generateKey, readKey, readPrivateKey, revokeKey, sign } from "openpgp";
import { createReleaseKey, signatureOf } from "../tests/mirror.ts";
import type { ReleaseKey } from "../tests/mirror.ts";
import { testFolder } from "../tests/volume-kit.ts";
import { readReleaseKeys } from "./release-keys.ts";
import { checkSignature } from "./signature.ts";

const content = "0000  terraform_1.6.4_linux_amd64.zip\n";
let key: ReleaseKey;
let other: ReleaseKey;

before(async () => {
  [key, other] = await Promise.all([createReleaseKey("publisher"), createReleaseKey("second publisher")]);
});

async function check(
  signature: Uint8Array,
  publicKeys: readonly string[],
  at = new Date(),
  text = content,
): Promise<void> {
  const keys = await Promise.all(publicKeys.map((armoredKey) => readKey({ armoredKey })));
  await checkSignature({ content: Buffer.from(text), signature, keys, now: at });
}

function refused(message: RegExp) {
  return { name: "InstallError", code: "SignatureRefused", message };
}

test("a signature by any of the keys is good, binary or armored", async () => {
  const signature = await signatureOf(content, other);
  const armored = Buffer.from(armor(enums.armor.signature, signature));

  await check(signature, [key.publicKey, other.publicKey]);
  await check(armored, [other.publicKey]);
});

test("one good signature among several is enough", async () => {
  const both = Buffer.concat([await signatureOf(content, key), await signatureOf(content, other)]);

  await check(both, [other.publicKey]);
});

test("a signature of other content, by another key, or of no sense is refused", async () => {
  const signature = await signatureOf(content, key);
  const name = (await readKey({ armoredKey: key.publicKey })).getKeyID().toHex().toUpperCase();

  await assert.rejects(check(signature, [key.publicKey], undefined, "else"), refused(/does not belong to this file/));
  await assert.rejects(check(signature, [other.publicKey]), refused(new RegExp(`${name}, which is not among`)));
  await assert.rejects(check(signature, []), refused(/not among the configured/));
  await assert.rejects(check(Buffer.from("nonsense"), [key.publicKey]), refused(/not an OpenPGP signature/));
  await assert.rejects(check(Buffer.alloc(0), [key.publicKey]), refused(/signature/));
  await assert.rejects(check(signature.subarray(0, 40), [key.publicKey]), refused(/signature/));
});

test("a key that has expired since it signed is refused with the date", async () => {
  const from = new Date("2024-01-01T00:00:00Z");
  const old = await createReleaseKey("publisher", { from, seconds: 10 * 86_400 });
  const signature = await signatureOf(content, old, new Date("2024-01-02T00:00:00Z"));

  await check(signature, [old.publicKey], new Date("2024-01-05T00:00:00Z"));
  await assert.rejects(check(signature, [old.publicKey]), refused(/expired on 2024-01-11/));
});

test("a revoked key is refused, also for what it signed before", async () => {
  const signature = await signatureOf(content, key);
  const revoked = await revokeKey({
    key: await readKey({ armoredKey: key.publicKey }),
    revocationCertificate: key.revocationCertificate,
    format: "armored",
  });

  await assert.rejects(check(signature, [revoked.publicKey]), refused(/has been revoked/));
});

test("an expired signing subkey is refused, though its key is good", async () => {
  const date = new Date("2024-01-01T00:00:00Z");
  const publisher = await generateKey({
    userIDs: [{ name: "publisher" }],
    date,
    subkeys: [{ sign: true, keyExpirationTime: 86_400 }],
  });
  const message = await createMessage({ binary: Buffer.from(content) });
  const signingKeys = await readPrivateKey({ armoredKey: publisher.privateKey });
  const at = new Date("2024-01-01T12:00:00Z");
  const signature = Buffer.from(await sign({ message, signingKeys, detached: true, format: "binary", date: at }));

  await check(signature, [publisher.publicKey], at);
  await assert.rejects(check(signature, [publisher.publicKey]), refused(/is not valid on/));
});

test("keys are read from files and folders, armored and binary, several in one", async () => {
  await using folder = await testFolder();
  await mkdir(join(folder.path, "keys"));
  await folder.file("keys/both.asc", `Comment\n${key.publicKey}\n${other.publicKey}`);
  await folder.file("keys/.hidden", "not looked at");
  const binary = (await readKey({ armoredKey: key.publicKey })).write();
  const file = await folder.file("key.gpg", Buffer.from(binary));
  const broken = await folder.file("broken.asc", "no key");

  assert.equal((await readReleaseKeys("terraform", [join(folder.path, "keys"), file])).length, 3);
  await assert.rejects(readReleaseKeys("terraform", [broken]), { code: "KeyMissing", message: /broken\.asc/ });
  await assert.rejects(readReleaseKeys("opentofu", [join(folder.path, "none")]), {
    code: "KeyMissing",
    message: /OpenTofu.*none.*terraform\.installer\.opentofu\.keys/,
  });
});
