import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { it } from "node:test";
import { FakeClock } from "@rad/core/testing";
import { silentLogger } from "@rad/core";
import type { Logger } from "@rad/core";
import { generateKeyPair, SignJWT } from "jose";
import type { JWTPayload } from "jose";
import { loadServerConfig } from "../config/index.ts";
import { fetchJson } from "./fetch-json.ts";
import { createAuthenticator } from "./authenticator.ts";
import type { Authenticator } from "./authenticator.ts";
import { startTokenIssuer } from "./testing/token-issuer.ts";
import type { TokenIssuer } from "./testing/token-issuer.ts";

const startMs = Date.parse("2025-03-01T10:00:00Z");

function recordingLog(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  return { ...silentLogger, lines, warn: (message, fields) => lines.push(`${message} ${JSON.stringify(fields)}`) };
}

function authenticatorFor(
  issuerUrl: string,
  settings = "",
  clock = new FakeClock(new Date(startMs)),
  log: Logger = silentLogger,
): Authenticator {
  const text = `authentication: { oidc: [{ issuer: "${issuerUrl}", audience: [radius, rad-cli], ${settings} }] }`;
  return createAuthenticator({ config: loadServerConfig({ env: {}, text }).authentication, clock, log });
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}`, headers: {} };
}

function claimsOf(issuer: TokenIssuer, changes: JWTPayload = {}): JWTPayload {
  const nowSeconds = startMs / 1000;
  return { iss: issuer.url, aud: "radius", sub: "alice", exp: nowSeconds + 3600, nbf: nowSeconds, ...changes };
}

async function assertRefused(authenticator: Authenticator, token: string, message: RegExp): Promise<void> {
  await assert.rejects(
    authenticator.authenticate(bearer(token)),
    (error: Error & { code?: string; status?: number }) => {
      assert.equal(error.code, "InvalidAuthenticationInfo");
      assert.equal(error.status, 401);
      assert.match(error.message, message);
      assert(!error.message.includes("\n"));
      assert(!error.message.includes(token));
      assert.equal(error.cause, undefined);
      return true;
    },
  );
}

it("a renewed local token takes the place of the one before, and configured ones stay", async () => {
  const text = `authentication: { tokens: [{ name: ci, sha256: ${hash("sha256", "secret-ci", "hex")} }] }`;
  let undecided: Error | undefined = new Error("not yet");
  const authenticator = createAuthenticator({
    config: loadServerConfig({ env: {}, text }).authentication,
    undecided: () => undecided,
    clock: new FakeClock(new Date(startMs)),
    log: silentLogger,
  });

  await assert.rejects(authenticator.authenticate(bearer("rad_first")), /not yet/);
  undecided = undefined;
  authenticator.setLocalToken(hash("sha256", "rad_first", "hex"));
  const first = await authenticator.authenticate(bearer("rad_first"));
  authenticator.setLocalToken(hash("sha256", "rad_second", "hex"));
  const second = await authenticator.authenticate(bearer("rad_second"));

  assert.deepEqual([first.subject, second.subject], ["local-admin", "local-admin"]);
  await assert.rejects(authenticator.authenticate(bearer("rad_first")), { status: 401 });
  assert.equal((await authenticator.authenticate(bearer("secret-ci"))).subject, "token:ci");
});

it("configured tokens and the local token are known by their hash", async () => {
  const text = `authentication: { tokens: [{ name: ci, sha256: ${hash("sha256", "secret-ci", "hex").toUpperCase()} }] }`;
  const authenticator = createAuthenticator({
    config: loadServerConfig({ env: {}, text }).authentication,
    clock: new FakeClock(new Date(startMs)),
    log: silentLogger,
  });
  authenticator.setLocalToken(hash("sha256", "rad_local", "hex"));

  const ci = await authenticator.authenticate(bearer("secret-ci"));
  const local = await authenticator.authenticate({ authorization: "bearer  rad_local", headers: {} });

  assert.deepEqual(ci, { kind: "token", subject: "token:ci", groups: [] });
  assert.deepEqual(local, { kind: "token", subject: "local-admin", groups: [] });
  await assertRefused(authenticator, "secret-c", /not known/);
  await assertRefused(authenticator, hash("sha256", "secret-ci", "hex"), /not known/);
});

it("a request without usable credentials is refused", async () => {
  const authenticator = authenticatorFor("https://unused.example.com");
  const headers = {};

  for (const authorization of [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Basic YTpi",
    "Bearer a b",
    `Bearer ${"x".repeat(20_000)}`,
  ]) {
    await assert.rejects(authenticator.authenticate({ authorization, headers }), { code: "InvalidAuthenticationInfo" });
  }
});

for (const algorithm of ["RS256", "PS256", "ES256", "Ed25519"]) {
  it(`a token signed with ${algorithm} gives its user and groups`, async () => {
    await using issuer = await startTokenIssuer(algorithm);
    const authenticator = authenticatorFor(issuer.url);

    const caller = await authenticator.authenticate(bearer(await issuer.sign(claimsOf(issuer, { groups: ["dev"] }))));

    assert.deepEqual(caller, { kind: "oidc", subject: "oidc:alice", groups: ["oidc:dev"] });
  });
}

const refusedClaims: readonly (readonly [why: string, JWTPayload, RegExp])[] = [
  ["has expired", { exp: startMs / 1000 - 31 }, /expired/],
  ["is not valid yet", { nbf: startMs / 1000 + 31 }, /'nbf'/],
  ["never expires", { exp: undefined }, /'exp'/],
  ["is meant for somebody else", { aud: "other" }, /'aud'/],
  ["is meant for nobody", { aud: undefined }, /'aud'/],
  ["comes from an issuer that is not configured", { iss: "https://evil.example.com" }, /not known/],
  ["comes from nobody", { iss: undefined }, /not known/],
  ["names no user", { sub: undefined }, /'sub'/],
  ["has an empty user", { sub: "" }, /'sub'/],
  ["has groups that are not text", { groups: [1] }, /'groups'/],
];

for (const [why, changes, message] of refusedClaims) {
  it(`a token that ${why} is refused`, async () => {
    await using issuer = await startTokenIssuer("ES256");

    const token = await issuer.sign(claimsOf(issuer, changes));

    await assertRefused(authenticatorFor(issuer.url), token, message);
  });
}

it("clocks that differ by a little do no harm", async () => {
  await using issuer = await startTokenIssuer("ES256");
  const nowSeconds = startMs / 1000;
  const authenticator = authenticatorFor(issuer.url);

  await authenticator.authenticate(bearer(await issuer.sign(claimsOf(issuer, { exp: nowSeconds - 20 }))));
  await authenticator.authenticate(bearer(await issuer.sign(claimsOf(issuer, { nbf: nowSeconds + 20 }))));
});

it("any of the audiences will do, and a claim of one's choice names the user", async () => {
  await using issuer = await startTokenIssuer("ES256");
  const authenticator = authenticatorFor(issuer.url, "usernameClaim: email, groupsClaim: roles, prefix: 'corp:'");
  const claims = claimsOf(issuer, { aud: ["x", "rad-cli"], email: "a@example.com", roles: "admins" });

  const caller = await authenticator.authenticate(bearer(await issuer.sign(claims)));

  assert.deepEqual(caller, { kind: "oidc", subject: "corp:a@example.com", groups: ["corp:admins"] });
  const unverified = await issuer.sign({ ...claims, email_verified: false });
  await assertRefused(authenticator, unverified, /not verified/);
});

it("a public key passed off as a shared secret opens nothing", async () => {
  await using issuer = await startTokenIssuer("RS256");
  const secret = new TextEncoder().encode(JSON.stringify(issuer.publicKey));
  const header = { alg: "HS256", kid: "key-1" };

  const token = await new SignJWT(claimsOf(issuer)).setProtectedHeader(header).sign(secret);

  await assertRefused(authenticatorFor(issuer.url), token, /algorithm/);
});

it("an unsigned token opens nothing", async () => {
  await using issuer = await startTokenIssuer("RS256");
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

  for (const alg of ["none", "None", "NONE", ""]) {
    const token = `${part({ alg })}.${part(claimsOf(issuer))}.`;
    await assertRefused(authenticatorFor(issuer.url), token, /algorithm|not a valid signed JWT/);
  }
});

it("an algorithm that is not among the configured ones is refused", async () => {
  await using issuer = await startTokenIssuer("RS256");

  const token = await issuer.sign(claimsOf(issuer));

  await assertRefused(authenticatorFor(issuer.url, "algorithms: [ES256]"), token, /algorithm/);
});

it("a token signed by somebody else under a known key id is refused", async () => {
  await using issuer = await startTokenIssuer("ES256");
  const { privateKey } = await generateKeyPair("ES256");

  const token = await new SignJWT(claimsOf(issuer)).setProtectedHeader({ alg: "ES256", kid: "key-1" }).sign(privateKey);

  await assertRefused(authenticatorFor(issuer.url), token, /signature/);
});

it("a rotated key is picked up, the old one stops working, and made-up key ids cause no flood of requests", async () => {
  await using issuer = await startTokenIssuer("ES256");
  const clock = new FakeClock(new Date(startMs));
  const authenticator = authenticatorFor(issuer.url, "", clock);
  const oldToken = await issuer.sign(claimsOf(issuer, { jti: "old, not seen before the rotation" }));
  await authenticator.authenticate(bearer(await issuer.sign(claimsOf(issuer))));

  await issuer.rotate();
  const newToken = await issuer.sign(claimsOf(issuer));
  await assertRefused(authenticator, newToken, /signature/); // within the cooldown
  clock.advance(31_000);
  await authenticator.authenticate(bearer(newToken));
  const fetchesSoFar = issuer.requests.length;
  await assertRefused(authenticator, oldToken, /signature/);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await assertRefused(authenticator, await issuer.sign(claimsOf(issuer), { kid: `made-up-${attempt}` }), /signature/);
  }

  assert.equal(fetchesSoFar, 4); // two documents, twice
  assert.equal(issuer.requests.length, fetchesSoFar);
});

it("a verified token is not verified again until it expires", async () => {
  await using issuer = await startTokenIssuer("ES256");
  const clock = new FakeClock(new Date(startMs));
  const authenticator = authenticatorFor(issuer.url, "", clock);
  const token = await issuer.sign(claimsOf(issuer, { exp: startMs / 1000 + 300 }));
  const first = await authenticator.authenticate(bearer(token));
  issuer.answers.status = 500;

  clock.advance(299_000);
  const second = await authenticator.authenticate(bearer(token));

  assert.equal(second, first);
  clock.advance(40_000);
  await assertRefused(authenticator, token, /expired/);
});

it("a withdrawn key stops working within ten minutes also for tokens seen before", async () => {
  await using issuer = await startTokenIssuer("ES256");
  const clock = new FakeClock(new Date(startMs));
  const authenticator = authenticatorFor(issuer.url, "", clock);
  const token = await issuer.sign(claimsOf(issuer));
  await authenticator.authenticate(bearer(token));

  await issuer.rotate();
  clock.advance(600_000);

  await assertRefused(authenticator, token, /signature/);
});

it("a wall clock that is set back keeps neither withdrawn keys nor failures alive, nor new keys away", async () => {
  const day = 86_400_000;
  await using issuer = await startTokenIssuer("ES256");
  const clock = new FakeClock(new Date(startMs));
  const authenticator = authenticatorFor(issuer.url, "", clock);
  const claims = { nbf: undefined, iat: undefined, exp: startMs / 1000 + 3_600 };
  const token = await issuer.sign(claimsOf(issuer, claims));
  issuer.answers.status = 503;
  await assertRefused(authenticator, token, /issuer cannot be reached/);
  delete issuer.answers.status;
  clock.jump(-day);
  clock.advance(5_000);
  await authenticator.authenticate(bearer(token));

  await issuer.rotate();
  const newToken = await issuer.sign(claimsOf(issuer, claims));
  clock.jump(-day);
  clock.advance(600_000);

  await authenticator.authenticate(bearer(newToken));
  await assertRefused(authenticator, token, /signature/);
});

it("tokens are refused while their issuer is down, with a warning, and accepted when it is back", async () => {
  await using issuer = await startTokenIssuer("ES256");
  const clock = new FakeClock(new Date(startMs));
  const log = recordingLog();
  const authenticator = authenticatorFor(issuer.url, "", clock, log);
  const token = await issuer.sign(claimsOf(issuer));

  issuer.answers.status = 503;
  await assertRefused(authenticator, token, /issuer cannot be reached/);
  await assertRefused(authenticator, token, /issuer cannot be reached/);
  const requestsWhileDown = issuer.requests.length;
  delete issuer.answers.status;
  clock.advance(5000);
  const caller = await authenticator.authenticate(bearer(token));

  assert.equal(requestsWhileDown, 1);
  assert.equal(caller.subject, "oidc:alice");
  assert.equal(log.lines.length, 2);
  assert(log.lines.every((line) => line.includes(issuer.url) && line.includes("503") && !line.includes(token)));
});

it("an issuer that nobody listens for is unreachable too", async () => {
  await using issuer = await startTokenIssuer("ES256");
  const unused = createServer().listen(0, "127.0.0.1");
  await once(unused, "listening");
  const url = `http://127.0.0.1:${(unused.address() as AddressInfo).port}`;
  unused.close();
  await once(unused, "close");

  const token = await issuer.sign(claimsOf(issuer, { iss: url }));

  await assertRefused(authenticatorFor(url), token, /issuer cannot be reached/);
});

const badAnswers: readonly (readonly [why: string, TokenIssuer["answers"]])[] = [
  ["names another issuer", { discovery: { issuer: "https://evil.example.com" } }],
  ["points to no keys", { discovery: { jwks_uri: undefined } }],
  ["is endless", { padding: 600_000 }],
  ["redirects", { redirect: true }],
];

for (const [why, answers] of badAnswers) {
  it(`an issuer whose discovery document ${why} is not believed`, async () => {
    await using issuer = await startTokenIssuer("ES256");
    Object.assign(issuer.answers, answers);

    const token = await issuer.sign(claimsOf(issuer));

    await assertRefused(authenticatorFor(issuer.url), token, /issuer cannot be reached/);
    assert.equal(issuer.requests.length, 1);
  });
}

it("keys are never asked for over plain http elsewhere", async () => {
  await using issuer = await startTokenIssuer("ES256");
  issuer.answers.discovery = { jwks_uri: "http://keys.example.com/keys" };
  const asked: string[] = [];
  const text = `authentication: { oidc: [{ issuer: "${issuer.url}", audience: radius }] }`;
  const authenticator = createAuthenticator({
    config: loadServerConfig({ env: {}, text }).authentication,
    clock: new FakeClock(new Date(startMs)),
    log: silentLogger,
    fetchJson(url) {
      asked.push(url);
      return fetchJson(url);
    },
  });

  await assertRefused(authenticator, await issuer.sign(claimsOf(issuer)), /issuer cannot be reached/);

  assert.deepEqual(asked, [`${issuer.url}/.well-known/openid-configuration`]);
});

it("many requests at once fetch the keys once", async () => {
  await using issuer = await startTokenIssuer("ES256");
  const authenticator = authenticatorFor(issuer.url);
  const tokens = await Promise.all(
    Array.from({ length: 20 }, (_, n) => issuer.sign(claimsOf(issuer, { sub: `u${n}` }))),
  );

  const callers = await Promise.all(tokens.map((token) => authenticator.authenticate(bearer(token))));

  assert.deepEqual(callers.map((caller) => caller.subject).slice(0, 2), ["oidc:u0", "oidc:u1"]);
  assert.deepEqual(issuer.requests, ["/.well-known/openid-configuration", "/keys"]);
});
