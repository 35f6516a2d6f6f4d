import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import type { LookupAddress } from "node:dns";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import type { IncomingMessage, RequestListener } from "node:http";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inspect, promisify } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { createCa, createLeaf } from "../testing/certificates.ts";
import { startWebServer } from "../testing/web-server.ts";
import { fetchBytes } from "./fetch-bytes.ts";
import type { BytesRequest } from "./fetch-bytes.ts";
import { createNetwork } from "./network.ts";
import type { NetworkOptions } from "./network.ts";

const ca = createCa("test authority");
const leaf = createLeaf("127.0.0.1", ca);
const followAll = { max: 3, to: "anyHost" } as const;

async function get(url: string, more: Partial<BytesRequest> = {}, options: Partial<NetworkOptions> = {}) {
  const network = createNetwork({ addresses: "loopback", ca: ca.cert, ...options });
  const answer = await fetchBytes(network, { url, totalMs: 10_000, maxBytes: 1000, ...more });
  return { ...answer, text: new TextDecoder().decode(answer.bytes) };
}

/** Answers with what it was asked. */
const echo: RequestListener = (request, response) => {
  response.end(JSON.stringify({ url: request.url, method: request.method, headers: request.headers }));
};

const moved =
  (location: string): RequestListener =>
  (_request, response) => {
    response.writeHead(302, { location }).end("moved");
  };

test("an answer is one whatever its status, and only a good one brings content", async () => {
  await using server = await startWebServer((request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { "x-one": "1" }).end("content");
  });

  for (const [status, text] of [
    [200, "content"],
    [203, "content"],
    [304, ""],
    [401, ""],
    [404, ""],
    [500, ""],
  ] as const) {
    const answer = await get(`${server.url}/${status}`);
    assert.deepEqual([answer.status, answer.text, answer.headers["x-one"]], [status, text, "1"]);
  }
});

test("a form is sent by POST, and follows no redirect", async () => {
  await using server = await startWebServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => (request.url === "/moved" ? moved("/")(request, response) : response.end(body)));
  });
  const form = new URLSearchParams({ a: "b c" });

  assert.equal((await get(server.url, { form })).text, "a=b+c");
  await assert.rejects(get(`${server.url}/moved`, { form, redirects: followAll }), { code: "RedirectRefused" });
});

test("what is larger than allowed is refused: by its announcement, by its length, by what it unpacks to", async () => {
  await using server = await startWebServer((request, response) => {
    switch (request.url) {
      case "/announced":
        response.writeHead(200, { "content-length": "1001" });
        response.write("x"); // and never more
        break;
      case "/gzip":
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(1001)));
        break;
      case "/chunked":
        response.write("x".repeat(600));
        response.end("x".repeat(401));
        break;
      default:
        response.end("x".repeat(1000));
    }
  });

  assert.equal((await get(server.url)).text.length, 1000);
  for (const path of ["/announced", "/chunked", "/gzip"]) {
    await assert.rejects(get(`${server.url}${path}`), { code: "TooLarge" });
  }
});

test("content that its storage keeps compressed is decoded", async () => {
  const bodies: Record<string, Buffer> = {
    gzip: gzipSync("text"),
    br: brotliCompressSync("text"),
    zstd: Buffer.from("x"),
  };
  await using server = await startWebServer((request, response) => {
    const encoding = request.url?.slice(1) ?? "";
    response.writeHead(200, { "content-encoding": encoding }).end(bodies[encoding] ?? "not gzip");
  });

  assert.equal((await get(`${server.url}/gzip`)).text, "text");
  assert.equal((await get(`${server.url}/br`)).text, "text");
  await assert.rejects(get(`${server.url}/zstd`), { code: "InvalidAnswer" });
  await assert.rejects(get(`${server.url}/x-gzip`), { code: "InvalidAnswer" });
});

test("time is limited in all and between bytes, and the caller may give up", async () => {
  await using silent = await startWebServer(() => {});
  await using slow = await startWebServer((_request, response) => {
    const timer = setInterval(() => response.write("x"), 20);
    response.on("close", () => clearInterval(timer));
  });
  const controller = new AbortController();
  const given = new Error("given up");

  await assert.rejects(get(silent.url, { totalMs: 100 }), { code: "TimedOut" });
  await assert.rejects(get(silent.url, { idleMs: 100 }), { code: "TimedOut" });
  await assert.rejects(get(slow.url, { idleMs: 5000, totalMs: 300 }), { code: "TimedOut" });
  setTimeout(() => controller.abort(given), 50);
  await assert.rejects(get(silent.url, { signal: controller.signal }), given);
  await assert.rejects(get(silent.url, { signal: AbortSignal.abort(given) }), given);
});

test("a connection that breaks and one that is refused are told apart", async () => {
  await using server = await startWebServer((_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => response.destroy());
  });

  await assert.rejects(get(server.url), { code: "Interrupted" });
  await assert.rejects(get("http://127.0.0.1:1/"), { code: "Unreachable", reason: "ECONNREFUSED" });
  await assert.rejects(get("http://name.invalid/", { plainHttp: "anywhere" }), { code: "Unreachable" });
});

test("redirects are followed as far as they may lead", async () => {
  await using other = await startWebServer(echo);
  await using server = await startWebServer((request, response) => {
    const target = {
      "/here": "/there",
      "/there": "/end",
      "/circle": "/circle",
      "/away": `${other.url}/`,
      "/file": "file:///etc/passwd",
      "/bad": "http://[bad",
      "/script": "javascript:alert(1)",
      "/name": `http://localhost:${server.port}/end`,
    }[request.url ?? ""];
    (target === undefined ? echo : moved(target))(request, response);
  });
  const sameHost = { max: 2, to: "sameHost" } as const;

  assert.equal(JSON.parse((await get(`${server.url}/here`, { redirects: sameHost })).text).url, "/end");
  assert.equal((await get(`${server.url}/away`, { redirects: followAll })).url.href, `${other.url}/`);
  for (const [path, redirects, code] of [
    ["/here", undefined, "RedirectRefused"],
    ["/here", { max: 1, to: "anyHost" }, "TooManyRedirects"],
    ["/circle", followAll, "TooManyRedirects"],
    ["/away", sameHost, "RedirectRefused"],
    ["/name", sameHost, "RedirectRefused"],
    ["/file", followAll, "RedirectRefused"],
    ["/bad", followAll, "RedirectRefused"],
    ["/script", followAll, "RedirectRefused"],
  ] as const) {
    await assert.rejects(get(`${server.url}${path}`, redirects === undefined ? {} : { redirects }), { code }, path);
  }
});

test("a redirect leads to hosts and addresses that are allowed, and never from https to http", async () => {
  await using plain = await startWebServer(echo);
  await using server = await startWebServer((request, response) => {
    moved(decodeURIComponent(request.url?.slice(1) ?? ""))(request, response);
  }, leaf);
  const via = (target: string, more: Partial<BytesRequest> = {}) =>
    get(`${server.url}/${encodeURIComponent(target)}`, { redirects: followAll, ...more });

  await assert.rejects(via(plain.url), { code: "InsecureRedirect" });
  await assert.rejects(via(plain.url, { plainHttp: "anywhere" }), { code: "InsecureRedirect" });
  await assert.rejects(via("https://169.254.169.254/latest"), { code: "AddressRefused" });
  await assert.rejects(via("https://[::ffff:169.254.169.254]/"), { code: "AddressRefused" });
  await assert.rejects(via("https://0.0.0.0/"), { code: "AddressRefused" });
  await assert.rejects(via("https://2852039166/"), { code: "AddressRefused" }); // 169.254.169.254 as one number
  await assert.rejects(via("https://example.com/", { hosts: [server.host] }), { code: "HostRefused" });
});

test("only hosts that are listed are asked, by https unless they are this machine", async () => {
  let requests = 0;
  await using server = await startWebServer((_request, response) => {
    requests += 1;
    response.end();
  });

  await assert.rejects(get(server.url, { hosts: [] }), { code: "HostRefused" });
  await assert.rejects(get(server.url, { hosts: ["127.0.0.1:1", "0.0.1"] }), { code: "HostRefused" });
  await assert.rejects(get("http://example.com/"), { code: "InsecureUrl" });
  await assert.rejects(get("http://127.0.0.1.example.com/"), { code: "InsecureUrl" });
  for (const url of ["ftp://127.0.0.1/", "file:///etc/passwd", "no url", ""]) {
    await assert.rejects(get(url), { code: "InvalidUrl" });
  }
  assert.equal(requests, 0);
  await get(server.url, { hosts: ["127.0.0.1"] });
  await get(server.url, { hosts: [server.host] });
  assert.equal(requests, 2);
});

test("credentials reach the origin that they are for, and nobody behind a redirect", async () => {
  const seen: [string, IncomingMessage["headers"]][] = [];
  const note =
    (name: string, next: RequestListener): RequestListener =>
    (request, response) => {
      seen.push([`${name}${request.url}`, request.headers]);
      next(request, response);
    };
  await using third = await startWebServer(
    note("third", (request, response) => moved(`${first.url}/back`)(request, response)),
  );
  await using first = await startWebServer(
    note("first", (request, response) => {
      const target = { "/start?sig=1": "/again", "/again": third.url }[request.url ?? ""];
      (target === undefined ? echo : moved(target))(request, response);
    }),
  );
  const url = `${first.url.replace("//", "//ann:p%40ss@")}/start?sig=1#part`;

  await get(url, { headers: { "X-Api-Key": "key", Accept: "a/b", Cookie: "c=1" }, redirects: followAll });

  const basic = `Basic ${btoa("ann:p@ss")}`;
  assert.deepEqual(
    seen.map(([where, { authorization, accept, cookie, "x-api-key": key }]) => [
      where,
      authorization,
      key,
      cookie,
      accept,
    ]),
    [
      ["first/start?sig=1", basic, "key", "c=1", "a/b"],
      ["first/again", basic, "key", "c=1", "a/b"],
      ["third/", undefined, undefined, undefined, "a/b"],
      ["first/back", undefined, undefined, undefined, "a/b"],
    ],
  );
});

test("no error shows a query, a user, a header or content", async () => {
  await using server = await startWebServer((request, response) => {
    switch (new URL(request.url ?? "", "http://x").pathname) {
      case "/large":
        response.end("canary-content".repeat(100));
        break;
      case "/moved":
        moved("/moved?sig=canary-location")(request, response);
        break;
      case "/away":
        moved("http://canary-user:canary-word@169.254.1.1/?canary-location")(request, response);
        break;
      case "/broken":
        response.writeHead(200, { "content-length": "100", "set-cookie": "canary-cookie" });
        response.write("canary-content", () => response.destroy());
        break;
      case "/encoded":
        response.writeHead(200, { "content-encoding": "gzip" }).end("canary-content");
        break;
      default:
        break; // no answer
    }
  });
  const secret = (base: string, path: string) =>
    `${base.replace("//", "//canary-user:canary-word@")}${path}?sig=canary-query`;
  const headers = { authorization: "Bearer canary-token" };
  const cases: readonly (readonly [url: string, more?: Partial<BytesRequest>])[] = [
    [secret(server.url, "/large")],
    [secret(server.url, "/moved"), { redirects: followAll }],
    [secret(server.url, "/moved")],
    [secret(server.url, "/away"), { redirects: followAll }],
    [secret(server.url, "/broken")],
    [secret(server.url, "/encoded")],
    [secret(server.url, "/silent"), { totalMs: 100 }],
    [secret("http://127.0.0.1:1", "/")],
    [secret("http://169.254.169.254", "/"), { plainHttp: "anywhere" }],
    [secret("http://example.com", "/")],
    [secret(server.url, "/"), { hosts: [] }],
    ["http://canary-user:canary-word@[bad/?canary-query"],
  ];

  for (const [url, more] of cases) {
    await assert.rejects(get(url, { headers, ...more }), (error) => {
      assert.equal((error as Error).name, "ArtifactError");
      assert.doesNotMatch(inspect(error, { depth: 10, showHidden: true }), /canary/u);
      return true;
    });
  }
});

test("a name is checked by the addresses that are connected to, each time", async () => {
  await using server = await startWebServer(echo);
  const answers: LookupAddress[][] = [
    [{ address: "127.0.0.1", family: 4 }],
    [{ address: "169.254.169.254", family: 4 }],
    [
      { address: "169.254.169.254", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ],
    [{ address: "::ffff:169.254.169.254", family: 6 }],
    [],
  ];
  const network = () =>
    createNetwork({
      addresses: "loopback",
      resolve: (_host, answer) => answer(null, answers.shift() ?? []),
    });
  const ask = () =>
    fetchBytes(network(), {
      url: `http://rebinding.example:${server.port}/`,
      plainHttp: "anywhere",
      totalMs: 10_000,
      maxBytes: 1000,
    });

  assert.equal((await ask()).status, 200);
  await assert.rejects(ask(), { code: "AddressRefused" });
  assert.equal((await ask()).status, 200); // by the one address that is allowed
  await assert.rejects(ask(), { code: "AddressRefused" });
  await assert.rejects(ask(), { code: "AddressRefused" });
});

for (const [addresses, host] of [
  ["private", "127.0.0.1"],
  ["private", "localhost"],
  ["public", "localhost"],
  ["public", "10.1.2.3"],
  ["loopback", "0.0.0.0"],
  ["loopback", "[::]"],
  ["loopback", "[fe80::1]"],
] as const) {
  test(`${host} is not asked where only ${addresses} addresses are allowed`, async () => {
    let requests = 0;
    await using server = await startWebServer(() => {
      requests += 1;
    });

    const url = `http://${host}:${server.port}/`;

    await assert.rejects(get(url, { plainHttp: "anywhere" }, { addresses }), { code: "AddressRefused" });
    assert.equal(requests, 0);
  });
}

test("an authority of one's own is trusted besides the usual ones, and others are not", async () => {
  await using server = await startWebServer(echo, leaf);

  assert.equal((await get(server.url)).status, 200);
  await assert.rejects(get(server.url, {}, { ca: undefined }), { code: "CertificateRefused" });
  await assert.rejects(get(server.url, {}, { ca: createCa("other").cert }), { code: "CertificateRefused" });
  await assert.rejects(get(`https://localhost:${server.port}/`), { code: "CertificateRefused" });
  await assert.rejects(get(server.url, {}, { ca: ca.cert.replaceAll("A", "!") }), { code: "CertificateRefused" });
});

test("the authorities of the system are trusted if that is asked for", async () => {
  await using server = await startWebServer(echo, leaf);
  await using folder = await mkdtempDisposable(join(tmpdir(), "rad-authorities-"));
  const certificates = join(folder.path, "certificates.pem");
  await writeFile(certificates, ca.cert);
  const script = `
    const { createNetwork, fetchBytes } = await import(${JSON.stringify(new URL("index.ts", import.meta.url).href)});
    const network = createNetwork({ addresses: "loopback", systemRoots: process.argv[1] === "system" });
    const request = { url: ${JSON.stringify(server.url)}, totalMs: 10_000, maxBytes: 1000 };
    const said = await fetchBytes(network, request).then(({ status }) => status, ({ code }) => code);
    console.log(said);`;
  const ask = async (roots: string): Promise<string> => {
    const args = ["--input-type=module", "-e", script, roots];
    const env = { ...process.env, SSL_CERT_FILE: certificates };
    return (await promisify(execFile)(process.execPath, args, { env })).stdout.trim();
  };

  assert.deepEqual(await Promise.all([ask("system"), ask("usual")]), ["200", "CertificateRefused"]);
});

test("a process that turns verification off is not listened to", async () => {
  await using server = await startWebServer(echo, leaf);
  process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  try {
    await assert.rejects(get(server.url, {}, { ca: undefined }), { code: "CertificateRefused" });
  } finally {
    delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
  }
});

test("plain http can be ruled out, also for this machine", async () => {
  await using server = await startWebServer(echo);

  await assert.rejects(get(server.url, { plainHttp: "never" }), { code: "InsecureUrl" });
  assert.equal((await get(server.url)).status, 200);
});

test("a proxy is used as said, with the rules for literal addresses still in force", async () => {
  await using server = await startWebServer(echo, leaf);
  await using proxy = await startProxy(server.port);
  const through = (url: string, options: NetworkOptions["proxy"]) => get(url, {}, { proxy: options });

  assert.equal((await through("https://127.0.0.1:9/", { url: proxy.url })).status, 200);
  assert.equal((await through("https://127.0.0.1:9/", { url: proxy.url.replace("//", "//ann:word@") })).status, 200);
  await assert.rejects(through("https://169.254.169.254/", { url: proxy.url }), { code: "AddressRefused" });
  assert.deepEqual(proxy.requests, ["127.0.0.1:9", `127.0.0.1:9 Basic ${btoa("ann:word")}`]);
});

test("the environment names a proxy and who is reached without it; this machine always is", async () => {
  await using server = await startWebServer(echo, leaf);
  await using proxy = await startProxy(server.port);
  const env = { HTTPS_PROXY: proxy.url, NO_PROXY: "direct.example" };
  const ask = (url: string) => get(url, {}, { proxy: { env } });

  assert.equal((await ask(server.url)).status, 200);
  await assert.rejects(ask("https://direct.example.invalid/"), { code: "CertificateRefused" }); // it got through
  await assert.rejects(get("https://direct.example:1/", {}, { proxy: { env }, resolve: refusing }), {
    code: "AddressRefused",
  });
  const { host } = new URL(proxy.url); // as Terraform and git take it
  const bare = get("https://bare.example.invalid/", {}, { proxy: { env: { HTTPS_PROXY: host } } });
  await assert.rejects(bare, { code: "CertificateRefused" });
  assert.deepEqual(proxy.requests, ["direct.example.invalid:443", "bare.example.invalid:443"]);
  await assert.rejects(get(server.url, {}, { proxy: { url: "not a url:canary" } }), (error) => {
    assert.doesNotMatch(inspect(error, { depth: 10 }), /canary/u);
    return (error as { code?: string }).code === "InvalidProxy";
  });
});

const refusing: NonNullable<NetworkOptions["resolve"]> = (_host, answer) =>
  answer(null, [{ address: "169.254.1.1", family: 4 }]);

/** A proxy that leads everybody to one port of this machine. */
async function startProxy(
  port: number,
): Promise<AsyncDisposable & { readonly url: string; readonly requests: string[] }> {
  const requests: string[] = [];
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.once("data", (head) => {
      const [, target = ""] = /^CONNECT (\S+)/u.exec(head.toString()) ?? [];
      const [, authorization = ""] = /proxy-authorization: (.*)\r/iu.exec(head.toString()) ?? [];
      requests.push(`${target} ${authorization}`.trim());
      const upstream = connect(port, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        client.pipe(upstream).pipe(client);
      });
      upstream.on("error", () => client.destroy());
      client.on("error", () => {}).on("close", () => upstream.destroy());
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: () => {
      clients.forEach((client) => client.destroy());
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
