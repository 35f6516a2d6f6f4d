import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { loadServerConfig } from "../config/index.ts";
import { createCa, createLeaf } from "@rad/artifacts/testing";
import { loadTlsOptions } from "./tls-options.ts";

const root = await mkdtemp(join(tmpdir(), "rad-tls-"));
after(() => rm(root, { recursive: true }));
const ca = createCa("ca");
const one = createLeaf("one", ca);
const other = createLeaf("other", ca);

async function load(files: { cert?: string; key?: string; ca?: string }) {
  const directory = await mkdtemp(join(root, "case-"));
  const contents = { "tls.crt": files.cert, "tls.key": files.key, "ca.crt": files.ca };
  for (const [name, content] of Object.entries(contents)) {
    if (content !== undefined) {
      await writeFile(join(directory, name), content);
    }
  }
  const frontProxy = files.ca === undefined ? undefined : { caFile: join(directory, "ca.crt") };
  const text = JSON.stringify({ server: { tlsCertificateDirectory: directory }, authentication: { frontProxy } });
  return await loadTlsOptions(loadServerConfig({ env: {}, text }));
}

it("without a certificate there is no TLS", async () => {
  assert.equal(await loadTlsOptions(loadServerConfig({ env: {} })), undefined);
});

it("a client certificate is asked for, but not demanded, with a front proxy only", async () => {
  const plain = await load({ cert: one.cert, key: one.key });
  const proxied = await load({ cert: one.cert, key: one.key, ca: ca.cert });

  assert.deepEqual(Object.keys(plain ?? {}).sort(), ["cert", "key", "minVersion"]);
  assert.equal(proxied?.ca?.toString(), ca.cert);
  assert.deepEqual([proxied?.requestCert, proxied?.rejectUnauthorized], [true, false]);
});

const unusable: readonly (readonly [why: string, files: Parameters<typeof load>[0], message: RegExp])[] = [
  ["a missing certificate", { key: one.key }, /tls\.crt: cannot be read \(ENOENT\)/],
  ["a missing key", { cert: one.cert }, /tls\.key: cannot be read \(ENOENT\)/],
  ["a damaged certificate", { cert: "x", key: one.key }, /tls\.key: cannot be used for TLS \(ERR_/],
  ["the key of another certificate", { cert: one.cert, key: other.key }, /tls\.key: cannot be used for TLS \(ERR_/],
  [
    "a damaged CA",
    { cert: one.cert, key: one.key, ca: "-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----" },
    /ca\.crt: cannot be used for TLS/,
  ],
];

for (const [why, files, message] of unusable) {
  it(`${why} stops the start with the file's name`, async () => {
    await assert.rejects(load(files), { code: "InvalidConfiguration", message });
  });
}
