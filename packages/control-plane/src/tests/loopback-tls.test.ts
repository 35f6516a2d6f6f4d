// The second listener of a server on loopback, which speaks TLS with a certificate of the server's own.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { it } from "node:test";
import { connect } from "node:tls";
import { until } from "@rad/core/testing";
import { local, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { callOverTls } from "./support/tls-calls.ts";

const group = `${local}/resourcegroups/tls?${systemVersion}`;

function tlsOf(server: TestServer): { url: string; caFile: string } {
  assert.ok(server.loopbackTls !== undefined);
  return server.loopbackTls;
}

it("requests over TLS are those of the API, with its callers and with links that lead back there", async () => {
  const gate = Promise.withResolvers<void>();
  await using server = await startTestServer({ handlers: { "Test.Tls/waits": { put: () => gate.promise } } });
  const { url, caFile } = tlsOf(server);
  await server.register("Test.Tls", { waits: {} });

  const put = await callOverTls(`${url}${group}`, {
    method: "PUT",
    caFile,
    token: server.token,
    body: { location: "global" },
  });
  const accepted = await callOverTls(
    `${url}${local}/resourcegroups/tls/providers/Test.Tls/waits/one?api-version=2025-01-01`,
    {
      method: "PUT",
      caFile,
      token: server.token,
      body: { properties: {} },
    },
  );
  gate.resolve();
  const nobody = await callOverTls(`${url}${group}`, { caFile });
  const stranger = await callOverTls(`${url}${group}`, { caFile, token: "unknown" });
  const proxy = await callOverTls(`${url}${group}`, { caFile, headers: { "x-remote-user": "admin" } });

  assert.equal(put.status, 200);
  assert.equal((await server.call("GET", group)).status, 200);
  assert.ok(String(accepted.headers["azure-asyncoperation"]).startsWith(`${url}/`));
  assert.deepEqual([nobody.status, stranger.status, proxy.status], [401, 401, 401]);
});

it("what is not HTTP is answered as on the first listener", async () => {
  await using server = await startTestServer();
  const { url, caFile } = tlsOf(server);
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port), ca: await readFile(caFile) });

  socket.end("NONSENSE\r\n\r\n");

  assert.match(await text(socket), /^HTTP\/1.1 400 [^]*"code":"BadRequest"/);
});

it("every start has a certificate by the same authority, and another folder another one", async () => {
  const directory = await mkdtemp(join(tmpdir(), "radius-loopback-"));
  try {
    const start = async (): Promise<string> => {
      await using server = await startTestServer({ directory });
      const { url, caFile } = tlsOf(server);
      assert.equal((await callOverTls(`${url}/healthz`, { caFile })).status, 200);
      return await readFile(caFile, "utf8");
    };
    assert.equal(await start(), await start());

    await using server = await startTestServer();
    const { url } = tlsOf(server);
    await assert.rejects(callOverTls(`${url}/healthz`, { caFile: join(directory, "tls-ca.crt") }), {
      code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    });
  } finally {
    await rm(directory, { recursive: true });
  }
});

it("a taken port is an error where it is configured, and otherwise another one is taken", async () => {
  const squatter = createServer().listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const { port } = squatter.address() as AddressInfo;
  try {
    await assert.rejects(startTestServer({ overrides: { server: { loopbackTls: { port } } } }), {
      code: "EADDRINUSE",
      port,
    });
    const apiPort = port - 443; // whose usual companion is taken
    await using server = await startTestServer({ overrides: { server: { port: apiPort } } });
    assert.notEqual(new URL(tlsOf(server).url).port, String(port));
    assert.equal((await callOverTls(`${tlsOf(server).url}/healthz`, tlsOf(server))).status, 200);
  } finally {
    squatter.close();
  }
});

it("it can be turned off, and a folder that cannot keep the certificate turns it off for PostgreSQL", async () => {
  await using off = await startTestServer({ overrides: { server: { loopbackTls: { enabled: false } } } });
  assert.equal(off.loopbackTls, undefined);

  const file = join(off.directory, "file");
  await writeFile(file, "");
  const { serveLoopbackTls } = await import("../loopback-tls/serve-loopback-tls.ts");
  const { silentLogger, systemClock } = await import("@rad/core");
  const options = {
    http: undefined as never,
    directory: file,
    host: "127.0.0.1",
    apiPort: 0,
    clock: systemClock,
    log: silentLogger,
  };
  await using served = await serveLoopbackTls({ ...options, port: undefined });
  assert.equal(served.loopbackTls, undefined);
  await assert.rejects(serveLoopbackTls({ ...options, port: 0 }));
});

it("a stopping server lets requests over TLS finish, and ends while others keep their connections open", async () => {
  const started = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const server = await startTestServer({
    handlers: {
      "Radius.Core/settings": {
        put: async () => {
          started.resolve();
          await gate.promise;
        },
      },
    },
  });
  const { url, caFile } = tlsOf(server);
  await server.register("Radius.Core", { settings: {} });
  await server.call("PUT", group, { body: { location: "global" } });
  const answer = callOverTls(
    `${url}${local}/resourcegroups/tls/providers/Radius.Core/settings/one?api-version=2025-01-01`,
    {
      method: "PUT",
      caFile,
      token: server.token,
      body: { location: "global", properties: {} },
    },
  );
  await started.promise;

  const stopped = server[Symbol.asyncDispose]();
  await until("new connections are refused", () =>
    callOverTls(`${url}/healthz`, { caFile }).then(
      () => undefined,
      () => true,
    ),
  );
  gate.resolve();

  assert.equal((await answer).status, 200);
  await stopped;
});
