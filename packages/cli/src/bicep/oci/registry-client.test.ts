import assert from "node:assert/strict";
import { test } from "node:test";
import { parseChallenge } from "./challenge.ts";
import type { RegistryCredential } from "./docker-credentials.ts";
import { createRegistryClient } from "./registry-client.ts";

const repository = { registry: "registry.example", name: "a/b" };
const descriptor = { mediaType: "x", digest: `sha256:${"0".repeat(64)}`, size: 4 };
const ann: RegistryCredential = { username: "ann", password: "secret", identityToken: undefined };

interface Sent {
  readonly url: string;
  readonly authorization: string | null;
  readonly body: string;
}

/** A client whose requests are answered in turn. */
function clientWith(answers: readonly Response[], credential?: RegistryCredential) {
  const sent: Sent[] = [];
  const rest = [...answers];
  const client = createRegistryClient({
    fetch: (input, init) => {
      const body = init?.body instanceof URLSearchParams ? init.body.toString() : "";
      sent.push({ url: String(input), authorization: new Headers(init?.headers).get("authorization"), body });
      return Promise.resolve(rest.shift() ?? new Response("", { status: 500 }));
    },
    credentials: () => Promise.resolve(credential),
    signal: new AbortController().signal,
  });
  return { client, sent };
}

const challenge = (header: string) => new Response("", { status: 401, headers: { "www-authenticate": header } });
const redirect = (location: string) => new Response(null, { status: 307, headers: { location } });

test("challenges are read, whatever stands around their parts", () => {
  assert.deepEqual(parseChallenge(`Bearer realm="https://a/t", service="s"`), {
    scheme: "bearer",
    realm: "https://a/t",
    service: "s",
  });
  assert.deepEqual(parseChallenge(`bearer scope="x,y",realm=https://a`), {
    scheme: "bearer",
    realm: "https://a",
    service: undefined,
  });
  assert.deepEqual(parseChallenge(`Basic realm="x"`), { scheme: "basic" });
  assert.equal(parseChallenge(`Bearer service="s"`), undefined);
  assert.equal(parseChallenge("Negotiate"), undefined);
  assert.equal(parseChallenge(null), undefined);
});

test("registries other than on this machine are only spoken to by https", async () => {
  const { client, sent } = clientWith([new Response(`{ "layers": [] }`)]);

  await client.manifest(repository, "v1");

  assert.equal(sent[0]?.url, "https://registry.example/v2/a/b/manifests/v1");
});

test("credentials go to no token service that is reached in the open", async () => {
  const { client, sent } = clientWith([challenge(`Bearer realm="http://evil.example/token"`)], ann);

  await assert.rejects(client.manifest(repository, "v1"), { code: "RegistryFailed" });

  assert.equal(sent.length, 1);
});

test("an identity token is exchanged for an access token", async () => {
  const answers = [
    challenge(`Bearer realm="https://auth.example/token",service="s"`),
    new Response(`{ "access_token": "abc" }`),
    new Response(`{ "layers": [] }`),
  ];
  const { client, sent } = clientWith(answers, { username: "", password: "", identityToken: "refresh" });

  await client.manifest(repository, "v1");

  assert.deepEqual(Object.fromEntries(new URLSearchParams(sent[1]?.body)), {
    service: "s",
    scope: "repository:a/b:pull",
    grant_type: "refresh_token",
    refresh_token: "refresh",
  });
  assert.equal(sent[2]?.authorization, "Bearer abc");
});

test("a manifest is never fetched by redirect", async () => {
  const { client, sent } = clientWith([redirect("https://elsewhere.example/")]);

  await assert.rejects(client.manifest(repository, "v1"), { code: "RegistryFailed" });
  assert.equal(sent.length, 1);
});

for (const location of ["http://elsewhere.example/x", "file:///etc/passwd", "http://[bad"]) {
  test(`a blob's redirect to ${location} is not followed`, async () => {
    const { client, sent } = clientWith([redirect(location)]);

    await assert.rejects(client.blob(repository, descriptor), { code: "RegistryFailed" });
    assert.equal(sent.length, 1);
  });
}

test("redirects end after a few", async () => {
  const { client, sent } = clientWith(Array.from({ length: 20 }, () => redirect("https://elsewhere.example/x")));

  await assert.rejects(client.blob(repository, descriptor), { code: "RegistryFailed" });
  assert.ok(sent.length < 10);
});

test("a body that is larger than announced, or a descriptor beyond all measure, is refused", async () => {
  await assert.rejects(clientWith([new Response("too long")]).client.blob(repository, descriptor), {
    code: "ArtifactTooLarge",
  });
  await assert.rejects(clientWith([]).client.blob(repository, { ...descriptor, size: 1e12 }), {
    code: "ArtifactTooLarge",
  });
});

test("a manifest whose digest is not the one announced is refused", async () => {
  const headers = { "docker-content-digest": `sha256:${"1".repeat(64)}` };

  await assert.rejects(clientWith([new Response("{}", { headers })]).client.manifest(repository, "v1"), {
    code: "DigestMismatch",
  });
  await assert.rejects(clientWith([new Response("{}")]).client.manifest(repository, `sha256:${"1".repeat(64)}`), {
    code: "DigestMismatch",
  });
});

for (const [status, code] of [
  [403, "RegistryUnauthorized"],
  [404, "ArtifactNotFound"],
  [500, "RegistryFailed"],
] as const) {
  test(`the status ${status} is ${code}`, async () => {
    await assert.rejects(clientWith([new Response("", { status })]).client.manifest(repository, "v1"), { code });
  });
}

test("a token with line breaks never becomes a header", async () => {
  const answers = [
    challenge(`Bearer realm="https://auth.example/"`),
    new Response(JSON.stringify({ token: "a\r\nb" })),
  ];

  await assert.rejects(clientWith(answers).client.manifest(repository, "v1"), { code: "RegistryFailed" });
});
