import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { test } from "node:test";
import { startWebServer } from "@rad/artifacts/testing";
import { CliError } from "../cli-error.ts";
import { fetchTemplate } from "./download-template.ts";
import { displayUrl } from "./template-url.ts";

/** Fetches `/app.bicep` with secrets in every part of the URL. */
async function fetchFrom(listener: RequestListener, env: Record<string, string> = {}) {
  await using server = await startWebServer(listener);
  const url = `${server.url.replace("//", "//user:word@")}/app.bicep?sig=canary#part`;
  return await fetchTemplate({ env, signal: new AbortController().signal }, url);
}

test("a template is fetched with the URL's own credentials", async () => {
  const content = await fetchFrom((request, response) => {
    assert.equal(request.url, "/app.bicep?sig=canary");
    assert.equal(request.headers.authorization, `Basic ${btoa("user:word")}`);
    response.end("param a int");
  });

  assert.equal(Buffer.from(content).toString(), "param a int");
});

test("what may pass by itself is tried again, and redirects are followed", async () => {
  let requests = 0;
  const content = await fetchFrom((request, response) => {
    requests += 1;
    if (requests === 1) {
      response.writeHead(503, { "retry-after": "0" }).end();
    } else if (request.url?.startsWith("/app.bicep") === true) {
      response.writeHead(302, { location: "/other" }).end();
    } else {
      response.end("param a int");
    }
  });

  assert.equal(Buffer.from(content).toString(), "param a int");
  assert.equal(requests, 3);
});

const moved = (location: string): RequestListener => {
  return (_request, response) => response.writeHead(302, { location }).end();
};
const refusals: readonly (readonly [what: string, listener: RequestListener, reason: RegExp])[] = [
  ["a missing file", (_, response) => response.writeHead(404).end(), /: the server answered 404\.$/],
  [
    "a web page",
    (_, response) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<html>"),
    /: the server sent a web page and no template\.$/,
  ],
  [
    "too much",
    (_, response) => response.writeHead(200, { "content-length": 1e12 }).end(),
    /: it is larger than \d+ bytes\.$/,
  ],
  ["a redirect to something that is no page", moved("file:///etc/passwd"), /redirects to something that is no URL\.$/],
  ["redirects without end", moved("/again?sig=canary"), /: the server redirects more than 10 times\.$/],
  [
    "a redirect to a metadata service",
    moved("http://169.254.169.254/canary"),
    /169\.254\.169\.254, which may not be connected to\.$/,
  ],
];

for (const [what, listener, reason] of refusals) {
  test(`${what} is refused at once, and no secret of the URL is shown`, async () => {
    let requests = 0;
    const counting: RequestListener = (request, response) => {
      requests += 1;
      listener(request, response);
    };

    await assert.rejects(fetchFrom(counting), (error) => {
      assert.ok(error instanceof CliError);
      assert.equal(error.code, "DownloadFailed");
      assert.match(error.message, reason);
      return !/canary|word|user/.test(error.message.replace(displayed, ""));
    });
    assert.equal(requests, what === "redirects without end" ? 11 : 1);
  });
}

const displayed = /redacted@127\.0\.0\.1:\d+/;

test("a proxy of the environment is not asked for this machine, and a server that is not there is told", async () => {
  const env = { HTTP_PROXY: "http://127.0.0.1:1" };
  assert.equal(Buffer.from(await fetchFrom((_, response) => response.end("x"), env)).toString(), "x");
  const signal = new AbortController().signal;

  await assert.rejects(fetchTemplate({ env: {}, signal }, "http://127.0.0.1:1/app.json"), {
    code: "DownloadFailed",
    message: "http://127.0.0.1:1/app.json could not be downloaded: the server cannot be reached (ECONNREFUSED).",
  });
});

test("a URL is shown without its secrets", () => {
  const url = "https://user:word@example.com/app.bicep?sig=canary#part";

  assert.equal(displayUrl(url), "https://redacted@example.com/app.bicep?sig=redacted");
  assert.equal(displayUrl("http://example.com/a.json"), "http://example.com/a.json");
  assert.equal(displayUrl("http://["), "the URL");
});
