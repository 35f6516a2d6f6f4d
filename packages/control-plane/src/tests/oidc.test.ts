// Tokens of an OpenID Connect issuer, from its discovery document to the permission check.
import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { afterEach, beforeEach, it, mock } from "node:test";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { startTokenIssuer, type TokenIssuer } from "../identity/testing/token-issuer.ts";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";

const minute = 60_000;
const group = `${local}/resourcegroups/oidc?${systemVersion}`;

let issuer: TokenIssuer;
let server: TestServer;
// Only the date stands still, and moves when a test says so; timers and the network go on as ever.
beforeEach(async () => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const elapsed = performance.now.bind(performance);
  mock.method(performance, "now", () => elapsed() + passedMs);
  issuer = await startTokenIssuer();
  server = await startTestServer({
    overrides: {
      authentication: {
        oidc: [
          {
            issuer: issuer.url,
            audience: ["radius"],
            prefix: "corp:",
            usernameClaim: "sub",
            groupsClaim: "groups",
            algorithms: ["RS256", "ES256"],
          },
        ],
      },
      authorization: {
        roles: [{ name: "group-editor", permissions: ["System.Resources/resourceGroups/*"] }],
        assignments: [
          { role: "radius-reader", group: "corp:readers", subject: undefined, scope: "/" },
          { role: "group-editor", subject: "corp:alice", group: undefined, scope: local },
        ],
      },
    },
  });
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
  mock.timers.reset();
  mock.restoreAll();
});

let passedMs = 0;

/** Time goes by, on the wall and for durations. */
function pass(ms: number): void {
  passedMs += ms;
  mock.timers.tick(ms);
}

const seconds = (): number => Math.floor(Date.now() / 1_000);

function claims(changes: JWTPayload = {}): JWTPayload {
  return { iss: issuer.url, aud: "radius", sub: "bob", groups: ["readers"], exp: seconds() + 3_600, ...changes };
}

const read = (token: string): Promise<Reply> => server.call("GET", `/planes?${systemVersion}`, { token });
const write = (token: string): Promise<Reply> =>
  server.call("PUT", group, { token, body: { location: "global", tags: { n: String(Math.random()) } } });

async function assertRefused(token: string): Promise<void> {
  const reply = await read(token);
  assert.deepEqual([reply.status, reply.code], [401, "InvalidAuthenticationInfo"]);
  assert.equal(reply.headers.get("www-authenticate"), "Bearer");
  assert.ok(!reply.text.includes(token));
}

for (const algorithm of ["RS256", "ES256"]) {
  it(`${algorithm}: groups and subjects of a token get the roles assigned to them`, async () => {
    await issuer.rotate(algorithm);
    const [bob, alice] = [await issuer.sign(claims()), await issuer.sign(claims({ sub: "alice", groups: [] }))];

    assert.deepEqual([(await read(bob)).status, (await write(bob)).status], [200, 403]);
    assert.deepEqual([(await read(alice)).status, (await write(alice)).status], [403, 200]);
    assert.equal((await server.call("GET", group)).body["name"], "oidc");
  });
}

it("a group of the issuer cannot pass for another source's subject", async () => {
  const token = await issuer.sign(claims({ sub: "local-admin", groups: ["radius-admin"] }));

  assert.equal((await read(token)).status, 403);
});

it("HS256 with the public key as its secret is refused", async () => {
  const pem = createPublicKey({ key: { ...issuer.publicKey }, format: "jwk" }).export({
    type: "spki",
    format: "pem",
  });
  const kid = issuer.publicKey.kid ?? "";
  for (const secret of [pem, pem.trim(), issuer.publicKey.n ?? ""]) {
    const forged = new SignJWT(claims()).setProtectedHeader({ alg: "HS256", kid });
    await assertRefused(await forged.sign(new TextEncoder().encode(secret)));
  }
});

it("a signature of another kind than the configured ones is refused, however good it is", async () => {
  await issuer.rotate("PS256");

  await assertRefused(await issuer.sign(claims()));
});

it("a token without a signature is refused, whatever it says about its algorithm", async () => {
  const unsigned = new UnsecuredJWT(claims()).encode();
  const [, payload = ""] = unsigned.split(".");
  const header = Buffer.from(JSON.stringify({ alg: "RS256", kid: issuer.publicKey.kid })).toString("base64url");

  await assertRefused(unsigned);
  await assertRefused(`${header}.${payload}.`);
  await assertRefused(`${header}.${payload}`);
});

it("a token that was changed after it was signed is refused", async () => {
  const [header, , signature] = (await issuer.sign(claims({ sub: "bob" }))).split(".");
  const payload = Buffer.from(JSON.stringify(claims({ sub: "alice" }))).toString("base64url");

  await assertRefused(`${header}.${payload}.${signature}`);
});

const wrongClaims: readonly (readonly [string, () => JWTPayload])[] = [
  ["another audience", () => ({ aud: "elsewhere" })],
  ["no audience", () => ({ aud: undefined })],
  ["another issuer", () => ({ iss: "https://elsewhere.example" })],
  ["an expiry in the past", () => ({ exp: seconds() - 3_600 })],
  ["no expiry", () => ({ exp: undefined })],
  ["a start in the future", () => ({ nbf: seconds() + 3_600 })],
  ["no subject", () => ({ sub: undefined })],
  ["groups that are no list of names", () => ({ groups: [{ name: "readers" }] })],
];
for (const [what, changes] of wrongClaims) {
  it(`a token with ${what} is refused`, async () => {
    await assertRefused(await issuer.sign(claims(changes())));
  });
}

it("a token stops working when it expires, although it was accepted before", async () => {
  const token = await issuer.sign(claims({ exp: seconds() + 60 }));
  const before = await read(token);

  pass(2 * minute);

  assert.equal(before.status, 200);
  await assertRefused(token);
});

it("a rotated key is noticed, and the withdrawn one counts no longer", async () => {
  const old = await issuer.sign(claims());
  assert.equal((await read(old)).status, 200);
  const unknown = await issuer.sign(claims(), { kid: "made-up" });
  await assertRefused(unknown);
  const late = await issuer.sign(claims({ sub: "late" }));

  await issuer.rotate();
  pass(minute);
  const fresh = await issuer.sign(claims());

  assert.equal((await read(fresh)).status, 200);
  await assertRefused(late);
});

it("without its issuer a token is refused, and works again once the issuer is back", async () => {
  issuer.answers.status = 503;
  const token = await issuer.sign(claims());
  await assertRefused(token);
  assert.equal((await server.call("GET", `/planes?${systemVersion}`)).status, 200, "other callers are not affected");

  delete issuer.answers.status;
  pass(minute);

  assert.equal((await read(token)).status, 200);
});

it("keys of an issuer that is gone are not believed for ever", async () => {
  const token = await issuer.sign(claims());
  assert.equal((await read(token)).status, 200);

  await issuer[Symbol.asyncDispose]();
  pass(11 * minute);

  await assertRefused(token);
});
