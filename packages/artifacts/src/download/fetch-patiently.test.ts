import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { test } from "node:test";
import { startWebServer } from "../testing/web-server.ts";
import { fetchPatiently } from "./fetch-patiently.ts";
import { createNetwork } from "./network.ts";

const ok: RequestListener = (_request, response) => response.end("content");
const status = (code: number, headers: Record<string, string> = {}): RequestListener => {
  return (_request, response) => response.writeHead(code, headers).end();
};
const broken: RequestListener = (_request, response) => {
  response.writeHead(200, { "content-length": "9" });
  response.write("x", () => response.destroy());
};
const hangUp: RequestListener = (request) => request.socket.destroy();

/** Answers one request after the other; the last answer stays. */
async function fetchFrom(answers: readonly RequestListener[], totalMs = 10_000) {
  const waits: number[] = [];
  let requests = 0;
  await using server = await startWebServer((request, response) => {
    answers[Math.min(requests, answers.length - 1)]?.(request, response);
    requests += 1;
  });
  const network = createNetwork({ addresses: "loopback" });
  const outcome = await fetchPatiently(
    network,
    { url: server.url, totalMs, maxBytes: 100 },
    { maxAttempts: 3, sleep: async (ms) => void waits.push(ms) },
  ).then(
    (answer) => answer.status,
    (error: { readonly code?: string }) => error.code,
  );
  return { outcome, waits, requests };
}

for (const [what, answers, outcome, waits] of [
  ["a good answer is taken at once", [ok], 200, []],
  ["what may pass by itself is tried three times", [status(503), broken, ok], 200, [500, 1000]],
  ["a connection that ends is tried again", [hangUp, ok], 200, [500]],
  ["Retry-After is honoured", [status(429, { "retry-after": "7" }), ok], 200, [7000]],
  ["a Retry-After that is no number is not", [status(503, { "retry-after": "tomorrow" }), ok], 200, [500]],
  ["the third answer counts whatever it is", [status(429, { "retry-after": "7" })], 429, [7000, 7000]],
  ["the third failure counts", [broken], "Interrupted", [500, 1000]],
  ["other answers are final", [status(404), ok], 404, []],
  ["other failures are final", [status(302, { location: "/x" }), ok], "RedirectRefused", []],
] as const) {
  test(what, async () => {
    const result = await fetchFrom(answers);

    assert.deepEqual([result.outcome, result.waits], [outcome, waits]);
    assert.equal(result.requests, waits.length + 1);
  });
}

test("all tries together have one time limit, waits included", async () => {
  await using server = await startWebServer(status(429, { "retry-after": "99999999" })); // more than a timer takes
  const network = createNetwork({ addresses: "loopback" });
  const request = { url: server.url, totalMs: 200, maxBytes: 100 };
  const given = new Error("given up");

  await assert.rejects(fetchPatiently(network, request, { maxAttempts: 3 }), { code: "TimedOut" });
  const signal = AbortSignal.abort(given);
  await assert.rejects(fetchPatiently(network, { ...request, signal }, { maxAttempts: 3 }), given);
});
