import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { silentLogger, systemClock } from "@rad/core";
import { loadServerConfig } from "../config/index.ts";
import type { ServerConfig } from "../config/index.ts";
import { authRequestOf } from "./auth-request.ts";
import { createAuthenticator } from "./authenticator.ts";
import type { Authenticator } from "./authenticator.ts";
import { createCa, createLeaf } from "@rad/artifacts/testing";
import type { Certificate } from "@rad/artifacts/testing";
import { loadTlsOptions } from "./tls-options.ts";

const proxyCa = createCa("front-proxy-ca");
const otherCa = createCa("front-proxy-ca"); // the same name, another key
const serverCa = createCa("server-ca");
const headers = { "x-remote-user": "alice", "x-remote-group": ["dev", "a, system:masters"] };

const directory = await mkdtemp(join(tmpdir(), "rad-front-proxy-"));
const serverCertificate = createLeaf("radius", serverCa);
await writeFile(join(directory, "tls.crt"), serverCertificate.cert);
await writeFile(join(directory, "tls.key"), serverCertificate.key);
await writeFile(join(directory, "ca.crt"), proxyCa.cert);
after(() => rm(directory, { recursive: true }));

function configWithProxy(allowedNames: readonly string[]): ServerConfig {
  const text = JSON.stringify({
    server: { tlsCertificateDirectory: directory },
    authentication: { frontProxy: { caFile: join(directory, "ca.crt"), allowedNames } },
  });
  return loadServerConfig({ env: {}, text });
}

function authenticatorFor(config: ServerConfig): Authenticator {
  return createAuthenticator({ config: config.authentication, clock: systemClock, log: silentLogger });
}

/** Sends one request over a real TLS handshake, and gives back who the server took the caller for. */
async function callerSeen(
  clientCertificate: Certificate | undefined,
  allowedNames: readonly string[],
): Promise<unknown> {
  const config = configWithProxy(allowedNames);
  const tls = await loadTlsOptions(config);
  assert(tls !== undefined);
  const authenticator = authenticatorFor(config);
  const server = createServer({ ...tls }, (message, response) => {
    const answer = authenticator.authenticate(authRequestOf(message)).catch((error: { code: string }) => error.code);
    void answer.then((seen) => response.end(JSON.stringify(seen)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const client = clientCertificate && { cert: clientCertificate.cert, key: clientCertificate.key };
    const sent = request({ host: "127.0.0.1", port, ca: serverCa.cert, headers, agent: false, ...client });
    sent.end();
    const [response] = await once(sent, "response");
    const chunks: Buffer[] = [];
    for await (const chunk of response) {
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString());
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
}

const alice = {
  kind: "frontProxy",
  subject: "proxy:alice",
  // One header line is one group, whatever it contains.
  groups: ["proxy:dev", "proxy:a, system:masters"],
};

it("the proxy's headers count behind a certificate of the configured CA", async () => {
  assert.deepEqual(await callerSeen(createLeaf("front-proxy-client", proxyCa), ["front-proxy-client"]), alice);
  assert.deepEqual(await callerSeen(createLeaf("whoever", proxyCa), []), alice);
});

it("the headers are ignored without a client certificate", async () => {
  assert.equal(await callerSeen(undefined, []), "InvalidAuthenticationInfo");
});

it("the headers are ignored behind a certificate of another CA, even one of the same name", async () => {
  assert.equal(await callerSeen(createLeaf("front-proxy-client", otherCa), []), "InvalidAuthenticationInfo");
});

it("the headers are ignored behind a certificate whose name is not allowed", async () => {
  assert.equal(await callerSeen(createLeaf("kubelet", proxyCa), ["front-proxy-client"]), "InvalidAuthenticationInfo");
});

it("without a configured front proxy no certificate is asked for, and the headers mean nothing", async () => {
  const config = loadServerConfig({
    env: {},
    text: JSON.stringify({ server: { tlsCertificateDirectory: directory } }),
  });
  const authenticator = authenticatorFor(config);
  const clientCertificate = { authorized: true, commonName: "front-proxy-client" };

  const tls = await loadTlsOptions(config);
  const attempt = authenticator.authenticate({ headers: { "x-remote-user": ["alice"] }, clientCertificate });

  assert.deepEqual(Object.keys(tls ?? {}).sort(), ["cert", "key", "minVersion"]);
  await assert.rejects(attempt, { code: "InvalidAuthenticationInfo" });
});

it("the headers are ignored when the certificate was not verified, or there is none", async () => {
  const authenticator = authenticatorFor(configWithProxy([]));

  for (const clientCertificate of [undefined, { authorized: false, commonName: "front-proxy-client" }]) {
    const attempt = authenticator.authenticate({ headers: { "x-remote-user": ["alice"] }, clientCertificate });
    await assert.rejects(attempt, { code: "InvalidAuthenticationInfo" });
  }
});

it("two users in one request are no user", async () => {
  const authenticator = authenticatorFor(configWithProxy([]));
  const clientCertificate = { authorized: true, commonName: "front-proxy-client" };

  for (const users of [["alice", "bob"], [""], []]) {
    const attempt = authenticator.authenticate({ headers: { "x-remote-user": users }, clientCertificate });
    await assert.rejects(attempt, { code: "InvalidAuthenticationInfo" });
  }
});

it("the same caller is the same object, so that what is known about it can be kept", async () => {
  const authenticator = authenticatorFor(configWithProxy([]));
  const clientCertificate = { authorized: true, commonName: "front-proxy-client" };
  const sent = { headers: { "x-remote-user": ["alice"], "x-remote-group": ["dev"] }, clientCertificate };

  assert.equal(await authenticator.authenticate(sent), await authenticator.authenticate(sent));
});
