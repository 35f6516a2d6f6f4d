// A configured certificate that is renewed while the server runs.
import assert from "node:assert/strict";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@rad/core/testing";
import { createAuthority, issueCertificate } from "../loopback-tls/certificates.ts";
import { startTestServer } from "../testing/test-server.ts";
import { callOverTls } from "./support/tls-calls.ts";

/** How often the server looks at the files. */
const lookMs = 2_000;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "radius-certificates-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** Puts a certificate of a new authority into the folder. @returns the authority's file */
async function renew(name: string): Promise<string> {
  const now = new Date();
  const authority = createAuthority(now, 10);
  const { cert, key } = issueCertificate(authority, { now, validDays: 1, addresses: [] });
  for (const [file, text] of [
    ["tls.crt", cert],
    ["tls.key", key],
  ] as const) {
    await writeFile(join(directory, `${file}.new`), text, { mode: 0o600 });
    await rename(join(directory, `${file}.new`), join(directory, file));
  }
  const caFile = join(directory, `${name}.pem`);
  await writeFile(caFile, authority.cert);
  return caFile;
}

it("new connections get the new certificate, and a pair that does not fit changes nothing", async () => {
  const first = await renew("first");
  await using server = await startTestServer({ overrides: { server: { tlsCertificateDirectory: directory } } });
  const accepts = (caFile: string): Promise<boolean> =>
    callOverTls(`${server.url}/healthz`, { caFile }).then(
      ({ status }) => status === 200,
      () => false,
    );
  assert.equal(await accepts(first), true);

  const second = await renew("second");
  await until("the new certificate is used", () => accepts(second));
  assert.equal(await accepts(first), false);

  await writeFile(join(directory, "tls.key"), "nothing");
  await sleep(3 * lookMs);
  assert.equal(await accepts(second), true, "the pair before is still used");
  const third = await renew("third");
  await until("the next pair that fits is used", () => accepts(third));
});
