import assert from "node:assert/strict";
import { test } from "node:test";
import { fetchTemplate } from "./download-template.ts";
import { displayUrl } from "./template-url.ts";

const url = "https://user:word@example.com/app.bicep?sig=canary#part";

/** Answers one request after the other; the last answer stays. */
function serve(...answers: readonly (() => Response)[]) {
  const asked: { url: string; authorization: string | null }[] = [];
  const waits: number[] = [];
  let count = 0;
  const options = {
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const headers = new Headers(init?.headers);
      asked.push({
        url: String(input instanceof Request ? input.url : input),
        authorization: headers.get("authorization"),
      });
      const answer = answers[Math.min(count, answers.length - 1)];
      count += 1;
      return answer?.() ?? new Response("");
    },
    signal: new AbortController().signal,
    maxBytes: 100,
    sleep: async (ms: number) => {
      waits.push(ms);
    },
  };
  return { asked, waits, fetch: (from = url) => fetchTemplate(from, options) };
}

const ok = () => new Response("param a int", { headers: { "content-type": "text/plain" } });
const status =
  (code: number, headers: Record<string, string> = {}) =>
  () =>
    new Response("", { status: code, headers });
const moved = (location: string) => status(302, { location });

test("a template is fetched with the URL's own credentials", async () => {
  const { asked, fetch } = serve(ok);

  assert.equal(Buffer.from(await fetch()).toString(), "param a int");
  assert.deepEqual(asked, [
    { url: "https://example.com/app.bicep?sig=canary#part", authorization: `Basic ${btoa("user:word")}` },
  ]);
});

test("what may pass by itself is tried three times", async () => {
  const unreachable = () => {
    throw new TypeError("fetch failed");
  };
  const { waits, fetch } = serve(status(503), unreachable, ok);

  await fetch();

  assert.deepEqual(waits, [500, 1000]);
});

test("Retry-After is honoured, and the third failure is the last", async () => {
  const { asked, waits, fetch } = serve(status(429, { "retry-after": "7" }));

  await assert.rejects(fetch(), { code: "DownloadFailed" });
  assert.deepEqual(waits, [7000, 7000]);
  assert.equal(asked.length, 3);
});

test("credentials may be any text", async () => {
  const { asked, fetch } = serve(ok);

  await fetch("https://us%20er:100%25%E2%82%AC@example.com/app.bicep");
  await fetch("https://user:100%@example.com/app.bicep");

  assert.deepEqual(
    asked.map(({ authorization }) => Buffer.from(authorization?.split(" ")[1] ?? "", "base64").toString()),
    ["us er:100%€", "user:100%"],
  );
});

test("a redirect within the same server keeps the credentials", async () => {
  const { asked, fetch } = serve(moved("/other/app.bicep"), ok);

  await fetch();

  assert.deepEqual(asked[1], {
    url: "https://example.com/other/app.bicep",
    authorization: `Basic ${btoa("user:word")}`,
  });
});

test("redirects to other servers are followed without the credentials", async () => {
  const { asked, fetch } = serve(moved("https://cdn.example.net/x"), ok);

  await fetch();

  assert.deepEqual(asked[1], { url: "https://cdn.example.net/x", authorization: null });
});

const refusals = [
  ["a missing file", status(404)],
  ["a web page", () => new Response("<html>", { headers: { "content-type": "text/html; charset=utf-8" } })],
  ["too much", () => new Response("x".repeat(101))],
  ["a redirect from https to http", moved("http://example.com/app.bicep")],
  ["a redirect to something that is no page", moved("file:///etc/passwd")],
  ["redirects without end", moved("https://example.com/again")],
] as const;

for (const [what, answer] of refusals) {
  test(`${what} is refused at once, and no secret of the URL is shown`, async () => {
    const { waits, fetch } = serve(answer);

    await assert.rejects(fetch(), (error: Error & { code?: string }) => {
      assert.equal(error.code, "DownloadFailed");
      return !/canary|word|user/.test(error.message);
    });
    assert.deepEqual(waits, []);
  });
}

test("a URL is shown without its secrets", () => {
  assert.equal(displayUrl(url), "https://redacted@example.com/app.bicep?sig=redacted");
  assert.equal(displayUrl("http://example.com/a.json"), "http://example.com/a.json");
  assert.equal(displayUrl("http://["), "the URL");
});
