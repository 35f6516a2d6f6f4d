import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { FakeClock, until } from "@rad/core/testing";
import { silentLogger } from "@rad/core";
import type { Identity } from "./certificates.ts";
import { ensureAuthority } from "./loopback-authority.ts";
import { LoopbackCertificate } from "./loopback-certificate.ts";

const dayMs = 86_400_000;
const now = new Date();

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "radius-loopback-"));
});
afterEach(() => rm(directory, { recursive: true }));

const ensure = (at = now) => ensureAuthority(directory, at, silentLogger);

test("several starts at once make one authority, whose files are the owner's alone", async () => {
  const made = await Promise.all([ensure(), ensure(), ensure()]);

  assert.deepEqual(new Set(made.map(({ cert, key }) => cert + key)).size, 1);
  for (const name of await readdir(directory)) {
    assert.equal((await stat(join(directory, name))).mode & 0o777, 0o600, name);
  }
  assert.equal(await readFile(made[0].caFile, "utf8"), made[0].cert);
});

test("an authority is kept until it is about to end, also while the clock is wrong", async () => {
  const { cert } = await ensure();

  assert.equal((await ensure(new Date(now.getTime() - 500 * dayMs))).cert, cert);
  assert.equal((await ensure(new Date(now.getTime() + 3_000 * dayMs))).cert, cert);
  assert.notEqual((await ensure(new Date(now.getTime() + 3_300 * dayMs))).cert, cert);
});

test("what a crash left behind, or somebody damaged, is replaced by a pair that fits", async () => {
  const first = await ensure();
  const { key: otherKey } = await ensureAuthority(await mkdtemp(join(directory, "other-")), now, silentLogger);
  for (const [file, text] of [
    ["tls-ca.key", otherKey], // the new key is there, the new certificate is not
    ["tls-ca.key", "nothing"],
    ["tls-ca.crt", ""],
  ] as const) {
    await writeFile(join(directory, file), text);

    const { cert, key } = await ensure();

    assert.notEqual(cert, first.cert);
    assert.equal(await readFile(join(directory, "tls-ca.crt"), "utf8"), cert);
    assert.equal(await readFile(join(directory, "tls-ca.key"), "utf8"), key);
  }
});

test("a key that others can read stops the start with the command that fixes it", async () => {
  await ensure();
  await chmod(join(directory, "tls-ca.key"), 0o644);

  await assert.rejects(ensure(), { code: "InsecureTlsKey", message: /chmod 600/ });
});

test("a certificate is renewed before it ends, while it is used, by the same authority", async () => {
  const clock = new FakeClock(now);
  await using certificate = await LoopbackCertificate.create({
    directory,
    host: "127.0.0.1",
    clock,
    log: silentLogger,
  });
  const used: Identity[] = [];
  certificate.renewInto((identity) => used.push(identity));
  const tick = async (): Promise<void> => {
    await until("the next check is due", () => clock.sleeping > 0);
    clock.advance(600_000);
    await until("the check is over", () => clock.sleeping > 0);
  };

  await tick();
  clock.jump(59 * dayMs);
  await tick();
  assert.equal(used.length, 0);
  clock.jump(2 * dayMs);
  await tick();

  const [renewed] = used;
  assert.ok(renewed !== undefined);
  assert.equal(certificate.identity, renewed);
  const ca = new X509Certificate(await readFile(certificate.caFile, "utf8"));
  assert.equal(new X509Certificate(renewed.cert).verify(ca.publicKey), true);
  assert.ok(new X509Certificate(renewed.cert).validToDate.getTime() > clock.now().getTime() + 89 * dayMs);
});

test("a certificate of the future, after the clock was set back, is renewed too", async () => {
  const clock = new FakeClock(now);
  await using certificate = await LoopbackCertificate.create({ directory, host: "::1", clock, log: silentLogger });
  const used: Identity[] = [];
  certificate.renewInto((identity) => used.push(identity));
  await until("the next check is due", () => clock.sleeping > 0);

  clock.jump(-10 * dayMs);
  clock.advance(600_000);

  await until("it is renewed", () => used.length === 1);
});
