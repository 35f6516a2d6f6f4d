import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { basePath, requestedUrl, trustedLink } from "./links.ts";

const endpoint = new URL("https://rad.example.com/team-a");

for (const [link, expected] of [
  ["https://rad.example.com/anything?x=1", "https://rad.example.com/anything?x=1"],
  [`http://ucp:9000${basePath}/planes?api-version=1`, `https://rad.example.com/team-a${basePath}/planes?api-version=1`],
  [`https://other/team-a${basePath}/planes`, `https://rad.example.com/team-a${basePath}/planes`],
  [`${basePath}/planes`, `https://rad.example.com${basePath}/planes`],
] as const) {
  test(`${link} is followed at ${expected}`, () => {
    assert.equal(trustedLink(endpoint, link).href, expected);
  });
}

for (const link of [
  "https://evil.example/",
  "https://evil.example/x",
  `https://evil.example/other${basePath}/planes`,
  "//evil.example/x",
  "https://rad.example.com@evil.example/",
  "javascript:alert(1)",
  "http://[",
]) {
  test(`${link} is not followed`, () => {
    assert.throws(() => trustedLink(endpoint, link), { code: "UntrustedLink" });
  });
}

test("whatever a server sends, the link is on our origin or refused", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.webPath()), (link) => {
      try {
        assert.equal(trustedLink(endpoint, link).origin, endpoint.origin);
      } catch (error) {
        assert.equal((error as { code?: string }).code, "UntrustedLink");
      }
    }),
  );
});

for (const [typed, expected] of [
  ["/planes/radius/local?api-version=1", `https://rad.example.com/team-a${basePath}/planes/radius/local?api-version=1`],
  ["/planes/a%2Fb/c d", `https://rad.example.com/team-a${basePath}/planes/a%2Fb/c%20d`],
  ["/version", "https://rad.example.com/team-a/version"],
  ["/planesque", "https://rad.example.com/team-a/planesque"],
  [`http://ucp:9000${basePath}/planes?x=1`, `https://rad.example.com/team-a${basePath}/planes?x=1`],
] as const) {
  test(`${typed} is requested at ${expected}`, () => {
    assert.equal(requestedUrl(endpoint, typed).href, expected);
  });
}

for (const typed of [
  "//evil.example/x",
  "/\\evil.example/x",
  "/\t/evil.example/x",
  "/\n\\evil.example/x",
  "/a/.\r./b",
  "planes",
  "",
  "/a/../b",
  "/a/%2E%2e/b",
  "/a/./b",
]) {
  test(`${JSON.stringify(typed)} is not a path`, () => {
    assert.throws(() => requestedUrl(new URL("https://rad.example.com"), typed), { code: "InvalidPath" });
  });
}

test("whatever somebody types, the request goes to our origin or nowhere", () => {
  const bare = new URL("https://rad.example.com");
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.webPath(),
        fc.string().map((text) => `/${text}`),
      ),
      (typed) => {
        try {
          assert.equal(requestedUrl(bare, typed).origin, bare.origin);
        } catch (error) {
          assert.ok(["UntrustedLink", "InvalidPath"].includes((error as { code?: string }).code ?? ""), String(error));
        }
      },
    ),
  );
});
