// TLS, and the headers that count only behind the front proxy's certificate.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { loadServerConfig } from "../config/index.ts";
import { type Certificate, createCa, createLeaf } from "@rad/artifacts/testing";
import { startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";

const [proxyCa, serverCa] = [createCa("proxy-ca"), createCa("server-ca")];
const proxy = createLeaf("front-proxy-client", proxyCa);
const impostors: readonly (readonly [string, Certificate | undefined])[] = [
  ["without a client certificate", undefined],
  ["with a certificate of the server's CA", createLeaf("front-proxy-client", serverCa)],
  ["with a certificate of another name", createLeaf("kubelet", proxyCa)],
];

let folder: string;
let server: TestServer;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "radius-tls-"));
  const certificate = createLeaf("radius", serverCa);
  await writeFile(join(folder, "tls.crt"), certificate.cert);
  await writeFile(join(folder, "tls.key"), certificate.key);
  await writeFile(join(folder, "proxy-ca.crt"), proxyCa.cert);
  server = await startTestServer({
    overrides: {
      server: { tlsCertificateDirectory: folder },
      authentication: { frontProxy: { caFile: join(folder, "proxy-ca.crt"), allowedNames: ["front-proxy-client"] } },
      authorization: {
        assignments: [
          { role: "radius-reader", group: "proxy:readers", subject: undefined, scope: "/" },
          { role: "radius-admin", subject: "proxy:alice", group: undefined, scope: "/" },
        ],
      },
    },
  });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface Sent {
  readonly certificate?: Certificate | undefined;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: object;
}

interface Received {
  readonly status: number | undefined;
  readonly body: JsonObject;
}

/** `fetch` cannot show a client certificate. */
async function send(method: string, path: string, { certificate, headers, body }: Sent): Promise<Received> {
  const sent = request(`${server.url}${path}`, {
    method,
    agent: false,
    ca: serverCa.cert,
    headers: { "content-type": "application/json", ...headers },
    ...(certificate === undefined ? {} : { cert: certificate.cert, key: certificate.key }),
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const chunks = await response.toArray();
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) as JsonObject };
}

/** A plane: it shows who created it. */
const planePath = (name: string): string => `/planes/aws/${name}?${systemVersion}`;
const asAlice = { "x-remote-user": "alice" };
const claimed = {
  createdBy: "carol",
  createdByType: "User",
  createdAt: "2024-01-02T03:04:05Z",
  lastModifiedBy: "carol",
  lastModifiedByType: "User",
  lastModifiedAt: "2024-01-02T03:04:05Z",
};
const systemDataHeader = { "x-ms-arm-resource-system-data": JSON.stringify(claimed) };

it("the user and the groups that the proxy names get their roles", async () => {
  const asReader = { "x-remote-user": "bob", "x-remote-group": ["devs", "readers"] };
  const body = { location: "global", properties: {} };

  const read = await send("GET", `/planes?${systemVersion}`, { certificate: proxy, headers: asReader });
  const refused = await send("PUT", planePath("bobs"), { certificate: proxy, headers: asReader, body });
  const written = await send("PUT", planePath("alices"), { certificate: proxy, headers: asAlice, body });

  assert.deepEqual([read.status, refused.status, written.status], [200, 403, 200]);
  assert.equal((written.body["systemData"] as JsonObject)["createdBy"], "proxy:alice");
});

it("two groups in one header line are one group of that name", async () => {
  const headers = { "x-remote-user": "bob", "x-remote-group": "devs, readers" };

  const reply = await send("GET", `/planes?${systemVersion}`, { certificate: proxy, headers });

  assert.equal(reply.status, 403);
});

for (const [index, [what, certificate]] of impostors.entries()) {
  it(`the proxy's headers mean nothing ${what}`, async () => {
    const path = planePath(`impostor${index}`);
    const sent = { certificate, headers: asAlice, body: { location: "global", properties: {} } };

    const reply = await send("PUT", path, sent);

    assert.equal(reply.status, 401);
    const token = { authorization: `Bearer ${server.token}` };
    assert.equal((await send("GET", path, { headers: token })).status, 404);
  });

  it(`a token works ${what}, and its holder stays who it is`, async () => {
    const headers = { authorization: `Bearer ${server.token}`, ...asAlice, ...systemDataHeader };
    const body = { location: "global", properties: {}, tags: { index: String(index) } };

    const reply = await send("PUT", planePath(`holder${index}`), { certificate, headers, body });

    assert.equal(reply.status, 200);
    assert.partialDeepStrictEqual(reply.body["systemData"], {
      createdBy: "local-admin",
      lastModifiedBy: "local-admin",
    });
  });
}

it("a certificate whose signature is forged opens nothing", async () => {
  const certificate = createLeaf("front-proxy-client", createCa("proxy-ca")); // the CA's name, another CA's key

  const reply = await send("PUT", planePath("forged"), {
    certificate,
    headers: asAlice,
    body: { location: "global", properties: {} },
  });

  // OpenSSL may report the signature in the middle of the request, which is the end of it.
  assert.ok(reply.status === 401 || reply.status === 400, JSON.stringify(reply.body));
  const token = { authorization: `Bearer ${server.token}` };
  assert.equal((await send("GET", planePath("forged"), { headers: token })).status, 404);
});

it("the proxy says who created a resource, in a header that must make sense", async () => {
  const body = { location: "global", properties: {} };
  const headers = { ...asAlice, ...systemDataHeader };

  const believed = await send("PUT", planePath("carols"), { certificate: proxy, headers, body });
  const broken = { ...asAlice, "x-ms-arm-resource-system-data": "{" };
  const refused = await send("PUT", planePath("nobodys"), { certificate: proxy, headers: broken, body });

  assert.deepEqual([believed.status, believed.body["systemData"]], [200, claimed]);
  assert.equal(refused.status, 400);
});

it("plain HTTP gets nowhere on the TLS port", async () => {
  await assert.rejects(fetch(`${server.url.replace("https", "http")}/healthz`));
  const sent = request(`${server.url}/healthz`, { agent: false, ca: proxyCa.cert });
  sent.end();
  await assert.rejects(once(sent, "response"), "a client that trusts another CA does not connect");
});

for (const host of ["0.0.0.0", "::", "10.0.0.1", "radius.example"]) {
  it(`listening on ${host} without TLS is refused before anything starts`, () => {
    assert.throws(
      () => loadServerConfig({ env: {}, overrides: { server: { host } } }),
      (error: Error) => {
        assert.equal("code" in error && error.code, "InvalidConfiguration");
        assert.match(error.message, /server\.host.*server\.tlsCertificateDirectory/);
        assert.doesNotMatch(error.message, /\n/);
        return true;
      },
    );
  });
}

it("a certificate that cannot be used stops the start with one line, and the folder is free again", async () => {
  const directory = await mkdtemp(join(tmpdir(), "radius-tls-data-"));

  const start = startTestServer({ directory, overrides: { server: { tlsCertificateDirectory: directory } } });

  await assert.rejects(start, (error: Error) => {
    assert.equal("code" in error && error.code, "InvalidConfiguration");
    assert.match(error.message, /tls\.crt: cannot be read \(ENOENT\)$/);
    return true;
  });

  await using _next = await startTestServer({ directory });
  await rm(directory, { recursive: true });
});
