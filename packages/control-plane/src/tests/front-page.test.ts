import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, it } from "node:test";
import { objectMember } from "@rad/core";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await startTestServer({ overrides: { server: { pathBase: "/radius" } } });
});
after(() => server[Symbol.asyncDispose]());

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

it("/ tells programs the version and the links, without a token", async () => {
  const { status, headers, body } = await server.call("GET", "/", { token: null });

  assert.equal(status, 200);
  assert.equal(headers.get("vary"), "Accept");
  assert.match(String(body["version"]), /^\d+\.\d+\.\d+/);
  for (const link of Object.values(objectMember(body, "links"))) {
    const url = String(link);
    assert.ok(url.startsWith(`${server.url}/`), url);
    assert.equal((await server.call("GET", url.slice(server.url.length))).status, 200, url);
  }
});

for (const base of ["/", "/radius/"]) {
  it(`${base} is a page for browsers whose links lead somewhere`, async () => {
    const { status, headers, text } = await server.call("GET", base, { token: null, headers: { accept: browser } });

    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => new URL(link, server.url + base));
    assert.ok(links.length >= 6);
    for (const url of links) {
      assert.ok(url.pathname.startsWith(base), url.href);
      assert.equal((await server.call("GET", url.pathname + url.search)).status, 200, url.href);
    }
  });
}

it("the page runs no scripts, loads nothing, and its style is the one that the policy allows", async () => {
  const { headers, text } = await server.call("GET", "/", { token: null, headers: { accept: browser } });

  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = headers.get("content-security-policy") ?? "";
  assert.ok(policy.includes("default-src 'none'") && policy.includes(`'sha256-${hash}'`), policy);
  assert.match(style, /color-scheme: light dark/);
  assert.doesNotMatch(text, /<script|<img|<link| style=| on\w+=/);
  assert.equal(headers.get("x-content-type-options"), "nosniff");
});

it("a host name with markup does not reach the page, and other methods are refused", async () => {
  const { text } = await server.call("GET", "/", {
    token: null,
    headers: { accept: browser, "x-forwarded-proto": "<b>", referer: "http://<b>/planes/x" },
  });

  assert.doesNotMatch(text, /<b>/);
  assert.equal((await server.call("POST", "/", { token: null })).status, 405);
});
