import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { connect, createServer } from "node:tls";
import { createAuthority, type Identity, issueCertificate } from "./certificates.ts";
import { time } from "./der.ts";

const now = new Date();
const days = (count: number): number => count * 86_400_000;

/** What a client that trusts `ca` and expects `servername` says about a server with `identity`. */
async function handshake(identity: Identity, ca: string, servername: string): Promise<string> {
  const server = createServer(identity, (socket) => socket.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = connect({ port, host: "127.0.0.1", servername, ca }, () => resolve("ok"));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === undefined || error.code === "UNSPECIFIED" ? error.message : error.code);
    });
    const outcome = await promise;
    socket.destroy();
    return outcome;
  } finally {
    server.close();
  }
}

test("a certificate counts for localhost and loopback addresses, for clients that trust its authority", async () => {
  const authority = createAuthority(now, 3_650);
  const identity = issueCertificate(authority, { now, validDays: 90, addresses: ["127.0.0.9"] });
  const certificate = new X509Certificate(identity.cert);

  assert.equal(certificate.checkIssued(new X509Certificate(authority.cert)), true);
  assert.equal(
    certificate.subjectAltName,
    "DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:127.0.0.9",
  );
  assert.equal(certificate.ca, false);
  assert.equal(await handshake(identity, authority.cert, "localhost"), "ok");
  assert.equal(await handshake(identity, authority.cert, "radius.example.com"), "ERR_TLS_CERT_ALTNAME_INVALID");
  const stranger = createAuthority(now, 3_650);
  assert.equal(await handshake(identity, stranger.cert, "localhost"), "UNABLE_TO_VERIFY_LEAF_SIGNATURE");
});

test("an authority's certificates count for nothing but loopback, whatever somebody makes it sign", async () => {
  const authority = createAuthority(now, 3_650);
  const identity = issueCertificate(authority, { now, validDays: 90, addresses: ["10.0.0.1"] });

  assert.equal(await handshake(identity, authority.cert, "localhost"), "permitted subtree violation");
});

test("certificates begin a day ago and end when they should, also after 2049", async () => {
  for (const validDays of [90, 36_500]) {
    const { cert } = createAuthority(now, validDays);
    const { validFromDate, validToDate } = new X509Certificate(cert);
    const second = Math.floor(now.getTime() / 1000) * 1000;
    assert.equal(validFromDate.getTime(), second - days(1));
    assert.equal(validToDate.getTime(), second + days(validDays));
  }
  assert.equal(time(new Date("2049-12-31T23:59:59Z")).subarray(2).toString(), "491231235959Z");
  assert.equal(time(new Date("2050-01-01T00:00:00Z")).subarray(2).toString(), "20500101000000Z");
});

test("serial numbers differ, and no two authorities have a name in common", () => {
  const [one, two] = [createAuthority(now, 1), createAuthority(now, 1)].map(({ cert }) => new X509Certificate(cert));

  assert.notEqual(one?.serialNumber, two?.serialNumber);
  assert.notEqual(one?.subject, two?.subject);
});
