import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { test } from "node:test";
import { createClient } from "./create-client.ts";
import { readText } from "./http-request.ts";

interface RawServer extends AsyncDisposable {
  readonly url: string;
  /** How many were opened. */
  readonly connections: () => number;
}

async function serve(listener: RequestListener): Promise<RawServer> {
  let connections = 0;
  const server = createServer(listener).on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const group = JSON.stringify({ id: "/planes/radius/local/resourceGroups/größe", name: "größe" });
/** In the middle of the first letter that takes two bytes. */
const middle = Buffer.from(group).indexOf("ö") + 1;

test("requests share a connection, whatever comes of them", async () => {
  let count = 0;
  await using server = await serve((_, response) => {
    count += 1;
    response.writeHead(count % 2 === 0 ? 404 : 200, { "content-type": "application/json" }).end(group);
  });
  const client = createClient({ endpoint: server.url });

  for (let turn = 0; turn < 3; turn += 1) {
    await client.groups.get("a");
    await assert.rejects(client.groups.get("b"), { status: 404 });
  }

  assert.equal(count, 6);
  assert.equal(server.connections(), 1);
});

test("a letter may arrive in two pieces", async () => {
  await using server = await serve((_, response) => {
    response.write(Buffer.from(group).subarray(0, middle), () => {
      setImmediate(() => response.end(Buffer.from(group).subarray(middle)));
    });
  });
  const client = createClient({ endpoint: server.url });

  assert.equal((await client.groups.get("größe")).name, "größe");
  assert.equal((await Array.fromAsync(client.stream("/audit"))).join(""), group);
});

test("an answer that breaks off is asked for again", async () => {
  let count = 0;
  await using server = await serve((_, response) => {
    count += 1;
    response.writeHead(200, { "content-length": Buffer.byteLength(group) });
    if (count === 1) {
      response.write(group.slice(0, 5), () => response.destroy());
    } else {
      response.end(group);
    }
  });
  const client = createClient({ endpoint: server.url, sleep: async () => {} });

  assert.equal((await client.groups.get("a")).name, "größe");
  assert.equal(count, 2);
});

for (const [what, options, expected] of [
  ["the time that a request may take", () => ({ requestTimeoutMs: 30 }), { code: "RequestTimeout" }],
  [
    "the caller",
    (abort: AbortController) => {
      setTimeout(() => abort.abort(new Error("enough")), 30);
      return { signal: abort.signal };
    },
    { message: "enough" },
  ],
] as const) {
  test(`an answer that does not end is ended by ${what}, and so is its connection`, async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    await using server = await serve((_, response) => {
      response.on("close", resolve).write("{");
    });
    const client = createClient({ endpoint: server.url, ...options(new AbortController()) });

    await assert.rejects(client.groups.get("a"), expected);
    await closed;
  });
}

test("a body that was cut off before anybody read it has no text", { timeout: 5_000 }, async () => {
  const answer = (body: Readable) => ({ status: 200, headers: { get: () => null, all: [] }, body });
  const cut = new Readable({ read: () => {} }).destroy();
  const broken = new Readable({ read: () => {} }).on("error", () => {}).destroy(new Error("broken"));

  await assert.rejects(readText(answer(cut)), { code: "ECONNRESET" });
  await assert.rejects(readText(answer(broken)), { message: "broken" });
});

test("what cannot be sent is told without a request", async () => {
  await using server = await serve(() => assert.fail("nothing is to be sent"));
  const client = createClient({ endpoint: server.url, token: "a\nb" });

  await assert.rejects(client.groups.list(), (error: Error) => {
    assert.ok("code" in error && error.code === "ConnectionFailed");
    assert.ok(!error.message.includes("a\nb"));
    return true;
  });
  assert.equal(server.connections(), 0);
});

test("a body that never ends is given up", async () => {
  const bytes = Buffer.alloc(16 * 1024 * 1024);
  const body = Readable.from(
    (function* () {
      for (;;) {
        yield bytes;
      }
    })(),
  );

  await assert.rejects(readText({ status: 200, headers: { get: () => null, all: [] }, body }), {
    code: "UnexpectedResponse",
  });
});
