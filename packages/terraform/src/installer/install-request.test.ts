import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonValue } from "@rad/core";
import { createCa } from "@rad/artifacts/testing";
import { readInstallRequest, readUninstallRequest, secretsIn, shownUrl } from "./install-request.ts";

const { cert } = createCa("authority");
const digits = "Ab".repeat(32);

const good: readonly (readonly [string, JsonValue | undefined, object])[] = [
  ["no body", undefined, {}],
  ["an empty body", {}, {}],
  ["a version", { version: "1.6.4" }, { version: "1.6.4" }],
  ["a pre-release", { version: "1.7.0-rc1" }, { version: "1.7.0-rc1" }],
  ["a special build", { version: "1.7.0+ent.1" }, { version: "1.7.0+ent.1" }],
  ["another product", { product: "opentofu", version: "1.6.4" }, { product: "opentofu", version: "1.6.4" }],
  ["a checksum", { source: { checksum: digits } }, { checksum: digits.toLowerCase() }],
  ["a checksum with its prefix", { source: { checksum: `SHA256:${digits}` } }, { checksum: digits.toLowerCase() }],
  ["a URL", { source: { url: "https://Mirror.example/t.zip#top" } }, { url: "https://mirror.example/t.zip" }],
  ["certificates among other text", { source: { caBundle: `# ours\n${cert}` } }, { caBundle: `${cert.trim()}\n` }],
];

for (const [what, body, expected] of good) {
  it(`reads a request with ${what}`, () => {
    const order = readInstallRequest(body);

    const nothing = { version: undefined, url: undefined, checksum: undefined, caBundle: undefined };
    assert.deepEqual(order, { product: "terraform", ...nothing, ...expected });
  });
}

const bad: readonly (readonly [string, JsonValue, RegExp])[] = [
  ["a list", [], /the body must be an object/],
  ["an unknown member", { versoin: "1.6.4" }, /the unknown member "versoin".*product, version, source/],
  ["an unknown member of the source", { source: { sha256: "" } }, /source has the unknown member "sha256"/],
  ["an unknown product", { product: "pulumi" }, /product must be one of terraform, opentofu/],
  ...["../1.6.4", "1/6/4", "1\\6.4", "1.6.4 ", "", "v1.6.4", "1.6", "1.6.4-", "1".repeat(300), "latest"].map(
    (version) => [`the version ${JSON.stringify(version)}`, { version }, /version must look like "1\.6\.4"/] as const,
  ),
  ["a version that is a number", { version: 1.6 }, /version must look like/],
  ...["http:", "file:", "ftp:"].map(
    (scheme) =>
      [`a URL with ${scheme}`, { source: { url: `${scheme}//mirror/t.zip` } }, /must be an https URL/] as const,
  ),
  ["a relative URL", { source: { url: "/terraform.zip" } }, /absolute URL that starts with https/],
  ["a URL that is none", { source: { url: "https://" } }, /absolute URL/],
  ...["", "12", `md5:${digits}`, `${digits}0`, "g".repeat(64)].map(
    (checksum) => [`the checksum ${JSON.stringify(checksum)}`, { source: { checksum } }, /64 hexadecimal/] as const,
  ),
  ["certificates that are none", { source: { caBundle: "certificate" } }, /at least one certificate/],
  [
    "a certificate that does not parse",
    { source: { caBundle: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" } },
    /at least one certificate/,
  ],
];

for (const [what, body, message] of bad) {
  it(`refuses ${what}`, () => {
    assert.throws(() => readInstallRequest(body), { code: "InvalidRequestContent", status: 400, message });
  });
}

it("refuses an uninstall that names something", () => {
  readUninstallRequest(undefined);
  readUninstallRequest({});
  assert.throws(() => readUninstallRequest({ version: "1.6.4" }), { status: 400 });
});

it("does not repeat a refused URL", () => {
  const request = () => readInstallRequest({ source: { url: "http://user:canary@mirror/t.zip?sig=canary" } });

  assert.throws(request, (error: Error) => !error.message.includes("canary"));
});

it("finds what of a URL is secret, and shows the rest", () => {
  const url = "https://us%20er:pass%40word@mirror.example:8443/t.zip?sig=a%2Fb&x=yz";

  assert.deepEqual(
    secretsIn(url).toSorted(),
    ["a/b", "yz", "us%20er", "pass%40word", "sig=a%2Fb&x=yz", "us er", "pass@word", "sig=a/b&x=yz"].toSorted(),
  );
  assert.equal(shownUrl(url), "https://mirror.example:8443/t.zip");
});
