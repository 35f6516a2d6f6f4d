import assert from "node:assert/strict";
import { test } from "node:test";
import { hidesCredentials, withoutCredentials } from "./without-credentials.ts";

for (const [source, shown] of [
  ["registry.terraform.io/contoso/redis/azurerm", "registry.terraform.io/contoso/redis/azurerm"],
  ["git::https://user:token@example.com/a.git?ref=v1", "git::https://***@example.com/a.git?ref=v1"],
  ["git::https://token@example.com/a.git//modules/redis", "git::https://***@example.com/a.git//modules/redis"],
  [
    "fatal: 'https://u:a@b:c@example.com/a.git' and 'https://x:y@h/'",
    "fatal: 'https://***@example.com/a.git' and 'https://***@h/'",
  ],
  ["https://example.com:8443/a@v1.git", "https://example.com:8443/a@v1.git"],
  ["git::ssh://git@example.com/a.git", "git::ssh://git@example.com/a.git"],
  ["git::ssh://git:word@example.com/a.git", "git::ssh://***@example.com/a.git"],
  ["git@example.com:contoso/a.git", "git@example.com:contoso/a.git"],
  ["git@example.com:a.git?ref=v1&sshkey=abc=", "git@example.com:a.git?ref=v1&sshkey=***"],
  ["https://example.com/m.zip?sig=abc&archive=zip", "https://example.com/m.zip?sig=***&archive=zip"],
  ["https://example.com/m.zip?code=abc&ref=v1&depth=1", "https://example.com/m.zip?code=***&ref=v1&depth=1"],
  [
    "https://example.com/m.zip?X-Amz-Signature=a&x%2Dauth=b&author=c",
    "https://example.com/m.zip?X-Amz-Signature=***&x%2Dauth=***&author=c",
  ],
  ['from "https://example.com/m.zip?sig=abc", version "1"', 'from "https://example.com/m.zip?sig=***", version "1"'],
  ["s3::https://example.com/m.zip?aws_access_key_secret=a", "s3::https://example.com/m.zip?aws_access_key_secret=***"],
] as const) {
  test(`${source} is shown without credentials`, () => {
    assert.equal(withoutCredentials(source), shown);
  });
}

test("a line of any length and any characters is cleaned at once", () => {
  for (const part of ["a.", "a://", "?key", "?key=", "a://b", "&sig", "a@"]) {
    const line = part.repeat(1_000_000 / part.length);
    assert.equal(typeof withoutCredentials(line), "string");
  }
});

test("credentials are hidden before the host and in parameters for them, and nowhere else", () => {
  const hiding = [
    "https://***@h/m.zip",
    "git::https://***@h/m.git?ref=v1",
    "GIT::HTTP://***@h/m.git",
    "git@h:m.git?ref=v1&sshkey=***",
    "https://h/m.zip?sig=***#x",
  ];
  const others = [
    "https://h/m.zip?ref=***",
    "https://h/m.zip?sig=***a",
    "https://h/sig=***",
    "https://h/m.zip#?sig=***",
    "https://h/m.zip",
    "https://u@h/m.zip",
    "https://h/m.zip?x=https://***@",
    "git::https://h/m.git//x://***@/y",
    "https://h/m.zip#https://***@h",
  ];
  assert.deepEqual([...hiding, ...others].filter(hidesCredentials), hiding);
});
