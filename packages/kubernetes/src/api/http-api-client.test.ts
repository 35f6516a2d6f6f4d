import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { once } from "node:events";
import { test } from "node:test";
import { createCa, createLeaf } from "@rad/artifacts/testing";
import { ApiError, systemClock } from "@rad/core";
import type { Clock } from "@rad/core";
import { resolveConnection } from "../config/resolve-connection.ts";
import type { Connection } from "../config/connection.ts";
import type { Credentials } from "../config/credentials.ts";
import { answerJson, kubeStatus, startStandIn } from "../testing/stand-in-server.ts";
import type { StandIn } from "../testing/stand-in-server.ts";
import type { ApiCall, ApiClient } from "./api-client.ts";
import { createApiClient } from "./http-api-client.ts";

const { signal } = new AbortController();
const call: ApiCall = { method: "GET", path: "/api/v1/nodes", signal };

async function connectionTo(
  { url, ca }: Pick<StandIn, "url" | "ca">,
  more: Partial<Connection> = {},
): Promise<Connection> {
  const config = { kind: "explicit", server: url, ca: ca.cert, token: "secret-token" } as const;
  return { ...(await resolveConnection(config)), ...more };
}

async function clientOf(server: Pick<StandIn, "url" | "ca">, more: Partial<Connection> = {}): Promise<ApiClient> {
  return createApiClient(await connectionTo(server, more));
}

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ApiError, `not refused: ${String(error)}`);
  assert.ok(!`${error.message} ${String(error.stack)}`.includes("secret-token"));
  return error;
}

/** Sleeps at once, and remembers for how long. */
function hurriedClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  const sleep = async (ms: number, aborted?: AbortSignal): Promise<void> => {
    aborted?.throwIfAborted();
    slept.push(ms);
    await Promise.resolve();
  };
  return { ...systemClock, slept, sleep };
}

test("a call carries credentials, query and body, and its connection is used again", async () => {
  await using server = await startStandIn((_request, response) => answerJson(response, 201, { ok: true }));
  using client = await clientOf(server);

  const answer = await client.exchange({
    ...call,
    method: "PATCH",
    query: { fieldManager: "radius-rp", labelSelector: "a=b c" },
    contentType: "application/apply-patch+yaml",
    body: { kind: "Namespace" },
  });
  await client.request(call);

  assert.equal(answer.status, 201);
  assert.deepEqual(answer.body, { ok: true });
  assert.ok(Math.abs(answer.date.getTime() - Date.now()) < 60_000);
  const [first] = server.requests;
  assert.equal(first?.url, "/api/v1/nodes?fieldManager=radius-rp&labelSelector=a%3Db+c");
  assert.equal(first.headers["authorization"], "Bearer secret-token");
  assert.equal(first.headers["content-type"], "application/apply-patch+yaml");
  assert.equal(first.body, '{"kind":"Namespace"}');
  assert.equal(server.connections(), 1);
});

test("a call that deletes has a body of a known length", async () => {
  await using server = await startStandIn((_request, response) => answerJson(response, 200, {}));
  using client = await clientOf(server);

  await client.request({ ...call, method: "DELETE", body: { kind: "Löschung" } });

  const [received] = server.requests;
  assert.equal(received?.body, '{"kind":"Löschung"}');
  assert.equal(received.headers["content-length"], "20");
});

test("an address may have a path of its own", async () => {
  await using server = await startStandIn((_request, response) => answerJson(response, 200, {}));
  using client = await clientOf({ ...server, url: `${server.url}/k8s/clusters/c-1/` });

  await client.request(call);

  assert.equal(server.requests[0]?.url, "/k8s/clusters/c-1/api/v1/nodes");
  assert.equal((await client.connection({ signal })).url, `${server.url}/k8s/clusters/c-1`);
});

test("many calls share a bounded number of connections", async () => {
  await using server = await startStandIn((_request, response) => answerJson(response, 200, {}));
  using client = createApiClient(await connectionTo(server), { maxSockets: 4 });

  await Promise.all(Array.from({ length: 100 }, async () => await client.request(call)));

  assert.equal(server.requests.length, 100);
  assert.ok(server.connections() <= 4, String(server.connections()));
});

test("a throttled call waits as long as the server says, and is sent again", async () => {
  let throttled = 2;
  await using server = await startStandIn((_request, response) => {
    const isThrottled = (throttled -= 1) >= 0;
    answerJson(response, isThrottled ? 429 : 200, {}, isThrottled ? { "retry-after": "3" } : {});
  });
  const clock = hurriedClock();
  using client = createApiClient(await connectionTo(server), { clock });

  await client.request(call);

  assert.equal(server.requests.length, 3);
  assert.equal(clock.slept.length, 2);
  assert.ok(clock.slept.every((ms) => ms >= 3_000 && ms < 4_000));
});

test("a call that stays throttled is given up as transient", async () => {
  const body = kubeStatus(429, "too many requests, please try again later");
  const headers = { "retry-after": "9999" };
  await using server = await startStandIn((_request, response) => answerJson(response, 429, body, headers));
  const clock = hurriedClock();
  using client = createApiClient(await connectionTo(server), { clock });

  const error = await refusal(client.request(call));

  assert.equal(error.code, "ServiceUnavailable");
  assert.equal(error.transient, true);
  assert.match(error.message, /throttles requests/);
  assert.equal(server.requests.length, 7);
  assert.ok(clock.slept.every((ms) => ms < 40_000));
});

test("a call whose caller gives up ends, while it waits or is under way", async () => {
  await using server = await startStandIn((request, response) => {
    if (request.url.startsWith("/throttled")) {
      answerJson(response, 429, {}, { "retry-after": "30" });
    } else if (request.url === "/half") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write("{");
    }
  });
  using client = await clientOf(server);
  for (const path of ["/throttled", "/silent", "/half"]) {
    const caller = new AbortController();
    const work = client.request({ ...call, path, signal: caller.signal });
    setTimeout(() => caller.abort(new Error("given up")), 50);

    await assert.rejects(work, { message: "given up" });
  }
});

test("a server that does not answer in time is away", async () => {
  await using server = await startStandIn(() => {});
  using client = await clientOf(server);

  const error = await refusal(client.request({ ...call, timeoutMs: 30 }));

  assert.equal(error.transient, true);
  assert.match(error.message, /did not answer within 0\.03 s/);
});

test("a server that does not shake hands is away", async () => {
  const silent = createTcpServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  using client = createApiClient(await connectionTo({ url, ca: createCa("CA") }), { connectTimeoutMs: 30 });

  const error = await refusal(client.request(call));
  silent.close();

  assert.equal(error.transient, true);
  assert.match(error.message, /cannot be reached within 0\.03 s/);
});

test("a refused connection, an unknown host and a cut answer are transient", async () => {
  await using server = await startStandIn((request, response) => {
    if (request.url === "/half") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write("{");
    }
    setTimeout(() => response.destroy(), 20);
  });
  const { ca } = server;
  const cases = [
    { url: "https://127.0.0.1:1", path: "/x", says: /refuses connections \(ECONNREFUSED\)/ },
    { url: "https://nowhere.invalid", path: "/x", says: /'nowhere\.invalid' does not resolve/ },
    { url: server.url, path: "/cut", says: /closed the connection/ },
    { url: server.url, path: "/half", says: /closed the connection/ },
  ];
  for (const { url, path, says } of cases) {
    using client = await clientOf({ url, ca }, { proxies: {} });
    const error = await refusal(client.request({ ...call, method: "POST", path, subject: "Pod 'web'" }));

    assert.equal(error.code, "ServiceUnavailable");
    assert.equal(error.transient, true);
    assert.match(error.message, says);
    assert.match(error.message, /^Pod 'web': the cluster at/);
  }
});

test("a call on a connection that the server has just closed is sent again", async () => {
  const cut = new Set(["/second"]);
  await using server = await startStandIn((request, response) =>
    cut.delete(request.url) ? response.destroy() : answerJson(response, 200, {}),
  );
  using client = await clientOf(server);
  await client.request({ ...call, path: "/first" });

  await client.request({ ...call, path: "/second" });

  assert.deepEqual(
    server.requests.map(({ url }) => url),
    ["/first", "/second", "/second"],
  );
  cut.add("/third");
  await refusal(client.request({ ...call, method: "POST", path: "/third" }));
});

test("credentials that are refused are renewed once", async () => {
  await using server = await startStandIn((request, response) =>
    answerJson(
      response,
      request.headers["authorization"] === "Bearer new" ? 200 : 401,
      kubeStatus(401, "Unauthorized"),
    ),
  );
  const given = (token: string): Credentials => ({
    headers: { authorization: `Bearer ${token}` },
    certificate: undefined,
  });
  for (const [next, works] of [
    ["new", true],
    ["other", false],
  ] as const) {
    let current = given("old");
    let renewals = 0;
    const renew = async (): Promise<boolean> => {
      renewals += 1;
      current = given(next);
      return await Promise.resolve(true);
    };
    const description = "the user 'dev'";
    const credentials = { description, renewal: "Log in.", get: () => Promise.resolve(current), renew };
    using client = await clientOf(server, { credentials });

    if (works) {
      await client.request(call);
    } else {
      const error = await refusal(client.request(call));
      assert.equal(error.code, "InvalidAuthenticationInfo");
      assert.equal(error.transient, false);
      assert.match(error.message, /does not accept the credentials of the user 'dev'\. Log in\.$/);
    }
    assert.equal(renewals, 1);
  }
});

test("client certificates are shown, and a new one makes new connections", async () => {
  await using server = await startStandIn((_request, response) => answerJson(response, 200, {}), {
    asksForCertificate: true,
  });
  const ca = createCa("client CA");
  let name = "first";
  const leaves = new Map(["first", "second"].map((each) => [each, createLeaf(each, ca)]));
  const get = async (): Promise<Credentials> => await Promise.resolve({ headers: {}, certificate: leaves.get(name) });
  const renew = async (): Promise<boolean> => await Promise.resolve(false);
  using client = await clientOf(server, { credentials: { description: "", renewal: "", get, renew } });

  await client.request(call);
  await client.request(call);
  name = "second";
  await client.request(call);

  assert.deepEqual(
    server.requests.map(({ clientName }) => clientName),
    ["first", "first", "second"],
  );
  assert.equal(server.connections(), 2);
});

const untrusted = {
  "another authority": {
    leaf: () => createLeaf("server", createCa("another CA")),
    says: /not signed by the authorities in/,
  },
  "a certificate that is not valid yet": {
    leaf: (ca: ReturnType<typeof createCa>) => createLeaf("server", ca, { start: "480101000000Z" }),
    says: /not valid yet, and it is 20.* here: check the clocks/,
  },
  "a certificate that has expired": {
    leaf: (ca: ReturnType<typeof createCa>) => createLeaf("server", ca, { end: "210101000000Z" }),
    says: /has expired, and it is 20/,
  },
  "a certificate for another address": {
    leaf: (ca: ReturnType<typeof createCa>) => createLeaf("server", ca, { address: [10, 0, 0, 1] }),
    says: /for another name: .*tls-server-name/,
  },
};
for (const [problem, { leaf, says }] of Object.entries(untrusted)) {
  test(`${problem} is told, and not tried again`, async () => {
    const ca = createCa("CA");
    await using server = await startStandIn((_request, response) => answerJson(response, 200, {}), {
      ca,
      leaf: leaf(ca),
    });
    using client = await clientOf(server);

    const error = await refusal(client.request(call));

    assert.equal(error.code, "ServiceUnavailable");
    assert.equal(error.transient, false);
    assert.match(error.message, says);
    using insecure = await clientOf(server, { isInsecure: true });
    await insecure.request(call);
  });
}

test("a client certificate that cannot be read is told, and not tried again", async () => {
  await using server = await startStandIn((_request, response) => answerJson(response, 200, {}));
  for (const certificate of [
    { cert: "no PEM", key: "no PEM" },
    { cert: server.ca.cert, key: "secret-token" },
  ]) {
    const get = async (): Promise<Credentials> => await Promise.resolve({ headers: {}, certificate });
    const renew = async (): Promise<boolean> => await Promise.resolve(false);
    using client = await clientOf(server, { credentials: { description: "the user 'dev'", renewal: "", get, renew } });

    const error = await refusal(client.request(call));

    assert.equal(error.transient, false);
    assert.match(error.message, /The certificate or the key of the user 'dev' cannot be read/);
  }
});

test("a token that no header can have is told, without the token", async () => {
  await using server = await startStandIn((_request, response) => answerJson(response, 200, {}));
  const config = { kind: "explicit", server: server.url, ca: server.ca.cert, token: "secret-token\nmore" } as const;
  using client = createApiClient(await resolveConnection(config));

  const error = await refusal(client.request(call));

  assert.equal(error.transient, false);
  assert.match(error.message, /The token of the configuration has characters that no token has/);
});

test("tls-server-name is the name that the certificate is checked for", async () => {
  const ca = createCa("CA");
  const leaf = createLeaf("server", ca, { address: [10, 0, 0, 1] });
  await using server = await startStandIn((_request, response) => answerJson(response, 200, {}), { ca, leaf });
  using client = await clientOf(server, { serverName: "10.0.0.1" });

  await client.request(call);
});

test("an address of something else is called so", async () => {
  const page = createServer((_request: IncomingMessage, response) => response.end("<html>")).listen(0, "127.0.0.1");
  await once(page, "listening");
  const port = (page.address() as AddressInfo).port;
  const ca = createCa("CA");
  using plain = await clientOf({ url: `http://127.0.0.1:${port}`, ca });
  using secure = await clientOf({ url: `https://127.0.0.1:${port}`, ca });

  assert.match((await refusal(plain.request(call))).message, /did not answer as an API server does/);
  assert.match((await refusal(secure.request(call))).message, /does not speak TLS/);
  page.close();
});

test("calls go through the proxy of the kube config", async () => {
  await using server = await startStandIn((_request, response) => answerJson(response, 200, {}));
  const asked: string[] = [];
  const proxy = createServer().listen(0, "127.0.0.1");
  proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
    asked.push(request.url ?? "");
    const onward = connect(Number(new URL(server.url).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    socket.on("error", () => onward.destroy());
    onward.on("error", () => socket.destroy());
  });
  await once(proxy, "listening");
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  using client = await clientOf(server, { proxies: { HTTPS_PROXY: address } });

  await client.request(call);

  assert.deepEqual(asked, [new URL(server.url).host]);
  assert.equal(server.requests[0]?.headers["authorization"], "Bearer secret-token");
  client[Symbol.dispose]();
  proxy.close();
});

test("a stream gives what comes, ends with its reader, and is not limited in time", async () => {
  await using server = await startStandIn((request, response) => {
    if (request.url === "/refused") {
      answerJson(response, 403, kubeStatus(403, "no"));
      return;
    }
    response.writeHead(200);
    const timer = setInterval(() => response.write("line\n"), 20);
    response.on("close", () => clearInterval(timer));
    setTimeout(() => request.url === "/cut" && response.destroy(), 60);
  });
  using client = await clientOf(server);

  let count = 0;
  for await (const chunk of await client.stream({ ...call, timeoutMs: 50 })) {
    assert.match(Buffer.from(chunk).toString(), /line/);
    count += 1;
    if (count === 6) {
      break;
    }
  }
  assert.equal((await refusal(client.stream({ ...call, path: "/refused" }))).code, "Forbidden");
  const cut = async (): Promise<void> => {
    for await (const _ of await client.stream({ ...call, path: "/cut" }));
  };
  assert.equal((await refusal(cut())).transient, true);
  const caller = new AbortController();
  const followed = async (): Promise<void> => {
    for await (const _ of await client.stream({ ...call, signal: caller.signal })) {
      caller.abort(new Error("enough"));
    }
  };
  await assert.rejects(followed(), { message: "enough" });
});

test("nothing is left open after the client, and it says so when it is used once more", async () => {
  await using server = await startStandIn((_request, response) => answerJson(response, 200, {}));
  const client = await clientOf(server);
  await client.request(call);

  client[Symbol.dispose]();

  assert.equal((await refusal(client.request(call))).transient, true);
});
