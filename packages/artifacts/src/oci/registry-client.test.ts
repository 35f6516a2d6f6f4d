import assert from "node:assert/strict";
import { test } from "node:test";
import { ArtifactError } from "../artifact-error.ts";
import type { BytesRequest } from "../download/index.ts";
import { parseChallenge } from "./challenge.ts";
import type { RegistryCredential } from "./docker-credentials.ts";
import { createRegistryClient } from "./registry-client.ts";

const repository = { registry: "registry.example", name: "a/b" };
const descriptor = { mediaType: "x", digest: `sha256:${"0".repeat(64)}`, size: 4 };
const ann: RegistryCredential = { username: "ann", password: "secret", identityToken: undefined };

interface Given {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly text?: string;
  /** After redirects. */
  readonly url?: string;
}

/** A client whose requests are answered in turn. */
function clientWith(answers: readonly (Given | ArtifactError)[], credential?: RegistryCredential) {
  const sent: BytesRequest[] = [];
  const rest = [...answers];
  const client = createRegistryClient({
    fetch: async (request) => {
      sent.push(request);
      const answer = rest.shift() ?? { status: 500 };
      if (answer instanceof ArtifactError) {
        throw answer;
      }
      const { status = 200, headers = {}, text = "", url = request.url } = answer;
      return { status, headers, bytes: Buffer.from(text), url: new URL(url) };
    },
    credentials: () => Promise.resolve(credential),
    signal: new AbortController().signal,
  });
  return { client, sent };
}

const challenge = (header: string): Given => ({ status: 401, headers: { "www-authenticate": header } });
const emptyManifest: Given = { text: `{ "layers": [] }` };

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
  assert.deepEqual(parseChallenge(`Bearer realm="https://a/t", Basic realm="b"`), {
    scheme: "bearer",
    realm: "https://a/t",
    service: undefined,
  });
  assert.deepEqual(parseChallenge(`Basic realm="x"`), { scheme: "basic" });
  assert.equal(parseChallenge(`Bearer service="s"`), undefined);
  assert.equal(parseChallenge("Negotiate"), undefined);
  assert.equal(parseChallenge(undefined), undefined);
});

test("registries other than on this machine are only spoken to by https", async () => {
  const { client, sent } = clientWith([emptyManifest]);

  await client.manifest(repository, "v1");

  assert.equal(sent[0]?.url, "https://registry.example/v2/a/b/manifests/v1");
  assert.equal(sent[0]?.plainHttp, undefined);
  for (const [registry, url] of [
    ["docker.io", "https://registry-1.docker.io/v2/a/b/manifests/v1"],
    ["localhost:5000", "http://localhost:5000/v2/a/b/manifests/v1"],
    ["127.0.0.1:5000", "http://127.0.0.1:5000/v2/a/b/manifests/v1"],
    ["[::1]:5000", "http://[::1]:5000/v2/a/b/manifests/v1"],
    ["127.0.0.1.example.com", "https://127.0.0.1.example.com/v2/a/b/manifests/v1"],
  ] as const) {
    const other = clientWith([emptyManifest]);
    await other.client.manifest({ registry, name: "a/b" }, "v1");
    assert.equal(other.sent[0]?.url, url);
  }
});

for (const realm of [
  "http://evil.example/token",
  "http://127.0.0.1:8080/admin",
  "http://localhost/",
  "file:///etc/passwd",
]) {
  test(`a registry elsewhere cannot make us ask ${realm} for a token`, async () => {
    const { client, sent } = clientWith([challenge(`Bearer realm="${realm}"`)], ann);

    await assert.rejects(client.manifest(repository, "v1"), { code: "RegistryFailed" });

    assert.equal(sent.length, 1);
  });
}

test("an identity token is exchanged for an access token", async () => {
  const answers = [
    challenge(`Bearer realm="https://auth.example/token",service="s"`),
    { text: `{ "access_token": "abc" }` },
    emptyManifest,
  ];
  const { client, sent } = clientWith(answers, { username: "", password: "", identityToken: "refresh" });

  await client.manifest(repository, "v1");

  assert.deepEqual(Object.fromEntries(sent[1]?.form ?? []), {
    service: "s",
    scope: "repository:a/b:pull",
    grant_type: "refresh_token",
    refresh_token: "refresh",
  });
  assert.equal(sent[2]?.headers?.["authorization"], "Bearer abc");
});

test("a manifest and a token are never fetched by redirect, a blob is from anywhere", async () => {
  const answers = [challenge(`Bearer realm="https://auth.example/"`), { text: `{ "token": "t" }` }, emptyManifest];
  const { client, sent } = clientWith([...answers, { text: "four" }]);

  await client.manifest(repository, "v1");
  await assert.rejects(client.blob(repository, descriptor), { code: "DigestMismatch" });

  assert.deepEqual(
    sent.map(({ redirects }) => redirects),
    [undefined, undefined, undefined, { max: 5, to: "anyHost" }],
  );
});

test("what storage behind a registry asks for is not answered with credentials", async () => {
  const elsewhere = { ...challenge(`Bearer realm="https://evil.example/"`), url: "https://storage.example/blob" };
  const { client, sent } = clientWith([elsewhere], ann);

  await assert.rejects(client.blob(repository, descriptor), { code: "RegistryUnauthorized" });

  assert.equal(sent.length, 1);
});

for (const [code, expected] of [
  ["TooLarge", "ArtifactTooLarge"],
  ["Unreachable", "RegistryUnreachable"],
  ["TimedOut", "RegistryUnreachable"],
  ["Interrupted", "RegistryUnreachable"],
  ["CertificateRefused", "RegistryUnreachable"],
  ["RedirectRefused", "RegistryFailed"],
  ["InsecureRedirect", "RegistryFailed"],
  ["TooManyRedirects", "RegistryFailed"],
  ["AddressRefused", "RegistryFailed"],
  ["InvalidUrl", "RegistryFailed"],
] as const) {
  test(`a download that ends with ${code} is ${expected}`, async () => {
    const failing = () => clientWith([new ArtifactError(code, "Why.")]).client;

    await assert.rejects(failing().manifest(repository, "v1"), { code: expected });
    await assert.rejects(failing().manifest({ registry: "not a host", name: "a" }, "v1"), { code: expected });
  });
}

test("only as much as announced is read, and a descriptor beyond all measure is refused", async () => {
  const { client, sent } = clientWith([{ text: "fou" }]);

  await assert.rejects(client.blob(repository, descriptor), { code: "DigestMismatch" });
  assert.equal(sent[0]?.maxBytes, 4);
  await assert.rejects(client.blob(repository, { ...descriptor, size: 1e12 }), { code: "ArtifactTooLarge" });
  assert.equal(sent.length, 1);
});

for (const manifest of [
  "",
  "null",
  "[]",
  "{}",
  `{ "layers": {} }`,
  `{ "layers": [null] }`,
  `{ "layers": [{ "mediaType": "x", "digest": "sha256:00", "size": 1 }] }`,
  `{ "layers": [{ "mediaType": "x", "digest": "sha512:${"0".repeat(128)}", "size": 1 }] }`,
  `{ "layers": [{ "mediaType": "x", "digest": "sha256:${"0".repeat(64)}/../x", "size": 1 }] }`,
  `{ "layers": [{ "mediaType": "x", "digest": "sha256:${"0".repeat(64)}", "size": -1 }] }`,
  `{ "layers": [{ "mediaType": "x", "digest": "sha256:${"0".repeat(64)}", "size": 1.5 }] }`,
  `{ "layers": [{ "mediaType": 1, "digest": "sha256:${"0".repeat(64)}", "size": 1 }] }`,
]) {
  test(`the manifest ${manifest.slice(0, 60)} is refused`, async () => {
    await assert.rejects(clientWith([{ text: manifest }]).client.manifest(repository, "v1"), {
      code: "ArtifactInvalid",
    });
  });
}

test("a manifest whose digest is not the one announced is refused", async () => {
  const headers = { "docker-content-digest": `sha256:${"1".repeat(64)}` };

  await assert.rejects(clientWith([{ text: "{}", headers }]).client.manifest(repository, "v1"), {
    code: "DigestMismatch",
  });
  await assert.rejects(clientWith([{ text: "{}" }]).client.manifest(repository, `sha256:${"1".repeat(64)}`), {
    code: "DigestMismatch",
  });
});

for (const [status, code] of [
  [403, "RegistryUnauthorized"],
  [404, "ArtifactNotFound"],
  [500, "RegistryFailed"],
] as const) {
  test(`the status ${status} is ${code}`, async () => {
    await assert.rejects(clientWith([{ status }]).client.manifest(repository, "v1"), { code });
  });
}

test("a token with line breaks never becomes a header", async () => {
  const answers = [challenge(`Bearer realm="https://auth.example/"`), { text: JSON.stringify({ token: "a\r\nb" }) }];

  await assert.rejects(clientWith(answers).client.manifest(repository, "v1"), { code: "RegistryFailed" });
});
