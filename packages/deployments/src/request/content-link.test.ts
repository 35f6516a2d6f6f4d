import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { readContentLink } from "./content-link.ts";

/** Serves on this machine only; `host` is what an administrator would allow. */
async function serve(listener: RequestListener): Promise<AsyncDisposable & { readonly host: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const content = { contentVersion: "1.0.0.0", resources: {} };

const listener: RequestListener = (request, response) => {
  const url = new URL(request.url ?? "/", "http://self");
  switch (url.pathname) {
    case "/template.json":
      response.end(JSON.stringify({ ...content, query: url.search }));
      break;
    case "/moved":
      response.writeHead(302, { location: "/template.json" }).end();
      break;
    case "/away":
      response.writeHead(302, { location: "http://127.0.0.1:9/template.json" }).end();
      break;
    case "/circle":
      response.writeHead(302, { location: "/circle" }).end();
      break;
    case "/large":
      response.end(`"${"x".repeat(5 << 20)}"`);
      break;
    case "/text":
      response.end("secret text");
      break;
    case "/list":
      response.end("[]");
      break;
    default:
      response.writeHead(404).end();
  }
};

async function fetchFrom(path: string, more: JsonObject = {}): Promise<JsonObject> {
  await using server = await serve(listener);
  const link = { uri: `http://${server.host}${path}`, ...more };
  return await readContentLink(link, "link", { linkHosts: [server.host] });
}

it("fetches from an allowed host, also where that sends it elsewhere on itself", async () => {
  assert.deepEqual(await fetchFrom("/template.json"), { ...content, query: "" });
  assert.deepEqual(await fetchFrom("/moved"), { ...content, query: "" });
  assert.deepEqual(await fetchFrom("/template.json", { contentVersion: "1.0.0.0", queryString: "sig=1" }), {
    ...content,
    query: "?sig=1",
  });
});

for (const [what, path, more] of [
  ["leads to another host", "/away", {}],
  ["leads in a circle", "/circle", {}],
  ["leads to more than 4 MB", "/large", {}],
  ["leads to a text", "/text", {}],
  ["leads to an array", "/list", {}],
  ["leads nowhere", "/none", {}],
  ["leads to another version", "/template.json", { contentVersion: "2.0.0.0" }],
  ["names a template spec", "/template.json", { id: "/subscriptions/s" }],
  ["has a relative path", "/template.json", { relativePath: "x.json" }],
] as const) {
  it(`refuses a link that ${what}`, async () => {
    await assert.rejects(fetchFrom(path, more), { code: "InvalidContentLink", target: "link" });
  });
}

it("asks nobody who is not allowed, and others by https only", async () => {
  let asked = 0;
  await using server = await serve((_request, response) => {
    asked += 1;
    response.end("{}");
  });
  const uri = `http://${server.host}/template.json`;

  await assert.rejects(readContentLink({ uri }, "link", { linkHosts: [] }), { code: "InvalidContentLink" });
  await assert.rejects(readContentLink({ uri }, "link", { linkHosts: ["example.com"] }), {
    code: "InvalidContentLink",
  });
  assert.equal(asked, 0);
  for (const bad of ["http://example.com/t.json", "file:///etc/passwd", "t.json", "https://u:p@example.com/t.json"]) {
    await assert.rejects(readContentLink({ uri: bad }, "link", { linkHosts: ["example.com", ""] }), {
      code: "InvalidContentLink",
    });
  }
});

it("asks no metadata service, not even one that is allowed, and follows no redirect there", async () => {
  for (const host of ["169.254.169.254", "[::ffff:169.254.169.254]", "0.0.0.0"]) {
    const link = { uri: `https://${host}/latest/meta-data?canary` };
    await assert.rejects(readContentLink(link, "link", { linkHosts: [host, "[::ffff:a9fe:a9fe]"] }), (error: Error) => {
      assert.match(error.message, /may not be connected to/);
      return (error as { code?: string }).code === "InvalidContentLink" && !error.message.includes("canary");
    });
  }
});

it("gives up when the caller does, with the caller's reason", async () => {
  await using server = await serve(() => {});
  const reason = new Error("the request took too long");

  const link = { uri: `http://${server.host}/template.json` };

  const signal = AbortSignal.any([AbortSignal.abort(reason)]);
  await assert.rejects(readContentLink(link, "link", { linkHosts: [server.host], signal }), reason);
});

it("shows neither the query nor what was fetched", async () => {
  for (const path of ["/none", "/text"]) {
    await assert.rejects(fetchFrom(`${path}?sig=secret`), (error: Error) => !error.message.includes("secret"));
  }
});
