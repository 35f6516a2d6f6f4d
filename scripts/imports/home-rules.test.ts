import assert from "node:assert/strict";
import { it } from "node:test";
import { homeProblems } from "./home-rules.ts";

const refused: readonly (readonly [text: string, problem: RegExp])[] = [
  [`const answer = await fetch(url);`, /calls fetch\(\); use @rad\/artifacts\/download/],
  [`return globalThis.fetch(url, init);`, /calls fetch/],
  [`await options.fetch(url);`, /calls fetch/],
  [`import { request } from "undici";`, /uses an HTTP client/],
  [`await import("undici");`, /uses an HTTP client/],
  [`import { createServer, request } from "node:https";`, /uses an HTTP client/],
  [`process.getBuiltinModule("node:http").request(url)`, /uses an HTTP client/],
  [`import { gunzipSync } from "node:zlib";`, /unpacks archives; use @rad\/artifacts\/archives/],
  [`process.getBuiltinModule("node:zlib")`, /unpacks archives/],
  [`import { extract } from "tar";`, /unpacks archives/],
  [`await import("yauzl");`, /unpacks archives/],
];

for (const [text, problem] of refused) {
  it(`refuses ${text} outside of its home`, () => {
    for (const name of ["cli", "control-plane", "deployments"]) {
      const problems = homeProblems(`packages/${name}/src/x.ts`, text);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? "", problem);
    }
    assert.deepEqual(homeProblems("packages/artifacts/src/download/x.ts", text), []);
  });
}

it("leaves the client of our own API its requests, and nothing else", () => {
  const request = `process.getBuiltinModule("node:https").request(url)`;
  assert.deepEqual(homeProblems("packages/client/src/http-request.ts", request), []);
  assert.equal(homeProblems("packages/client/src/x.ts", `${request}; fetch(url); import "tar"`).length, 3);
});

it("leaves the client of clusters its requests, and nothing else", () => {
  const request = `import { request as httpsRequest } from "node:https"`;
  assert.deepEqual(homeProblems("packages/kubernetes/src/api/http-api-client.ts", request), []);
  assert.equal(homeProblems("packages/kubernetes/src/api/x.ts", request).length, 1);
});

for (const text of [
  `import { createServer } from "node:http";`,
  `process.getBuiltinModule("node:http").createServer()`,
  `import type { IncomingMessage } from "node:http";`,
  `await prefetch(); this.#fetch(request); target.get(id);`,
  `function fetch(url: string) {}`,
  `import { fetchBytes } from "@rad/artifacts/download"; await fetchBytes(network, request);`,
]) {
  it(`allows ${text}`, () => {
    assert.deepEqual(homeProblems("packages/cli/src/x.ts", text), []);
  });
}
