import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  gitSourceOf,
  isGitSource,
  moduleAddressProblem,
  sameOrigin,
  splitCredentials,
  withHidden,
  withSecretQuery,
  withUserInfo,
} from "./module-address.ts";
import { withoutCredentials } from "./without-credentials.ts";

const hosts = new Set(["git.example", "git.example:8443", "dev.azure.com"]);

for (const [source, asked] of [
  ["https://git.example/a/b", "git::https://git.example/a/b"],
  ["https://GIT.example:443/a/b?ref=v1", "git::https://GIT.example:443/a/b?ref=v1"],
  ["https://git.example:8443/a.git//sub?ref=v1&depth=1", "git::https://git.example:8443/a.git//sub?ref=v1&depth=1"],
  ["https://ann@dev.azure.com/o/p/_git/r", "git::https://ann@dev.azure.com/o/p/_git/r"],
  ["https://public.example/a.git", "git::https://public.example/a.git"],
  ["https://public.example/a.git//sub?ref=v1", "git::https://public.example/a.git//sub?ref=v1"],
  ...[
    "https://git.example/a.zip",
    "https://git.example/a.tar.gz//sub",
    "https://git.example/a.tgz?checksum=md5:1",
    "https://git.example/download?archive=zip",
    "https://git.example:9000/a/b",
    "http://git.example/a/b",
    "https://git.example.evil.example/a",
    "https://public.example/git.example/a",
    "git::https://git.example/a",
    "git::ssh://git@git.example/a.git",
    "git@git.example:a.git",
    "github.com/acme/modules",
    "s3::https://git.example/a",
    "acme/bucket/aws",
  ].map((same) => [same, same] as const),
] as const) {
  test(`the source ${source} is given to Terraform as ${asked}`, () => {
    assert.equal(gitSourceOf(source, hosts), asked);
  });
}

for (const [source, isGit] of [
  ["git::https://any.example/a", true],
  ["git::ssh://git@any.example/a", true],
  ["git@any.example:a.git", true],
  ["github.com/acme/modules", true],
  ["https://git.example/a", true],
  ["https://any.example/a", false],
  ["acme/bucket/aws", false],
  ["github.com/acme", false],
] as const) {
  test(`the source ${source} is ${isGit ? "" : "not "}fetched with Git`, () => {
    assert.equal(isGitSource(source, hosts), isGit);
  });
}

for (const [source, shown, userInfo] of [
  ["git::https://ann:t%40k@h/r.git?ref=1", "git::https://***@h/r.git?ref=1", { username: "ann", password: "t@k" }],
  ["https://ann:a:b%@c@h:8/r", "https://***@h:8/r", { username: "ann", password: "a:b%@c" }],
  ["git::https://token@h/r", "git::https://***@h/r", { username: "token" }],
  ["git::https://ann:@h/r", "git::https://***@h/r", { username: "ann", password: "" }],
  ["git::https://org@dev.azure.com/org/p/_git/r", "git::https://org@dev.azure.com/org/p/_git/r", undefined],
  ["git::https://***@h/r", "git::https://***@h/r", undefined],
  ["git::https://h/r@x", "git::https://h/r@x", undefined],
  ["git::ssh://git@h/r", "git::ssh://git@h/r", undefined],
] as const) {
  test(`${source} is shown as ${shown}`, () => {
    assert.deepEqual(splitCredentials(source), { shown, ...(userInfo === undefined ? {} : { userInfo }) });
  });
}

for (const [source, shown, secretQuery] of [
  [
    "git::ssh://git@h/a.git//sub?ref=feature/x&sshkey=QUJD+/=&depth=1",
    "git::ssh://git@h/a.git//sub?ref=feature/x&sshkey=***&depth=1",
    [{ name: "sshkey", value: "QUJD+/=" }],
  ],
  ["git@h:a.git?sshkey=QUJD", "git@h:a.git?sshkey=***", [{ name: "sshkey", value: "QUJD" }]],
  [
    "https://h/m.zip?sig=a&archive=zip&token=b&sig=c",
    "https://h/m.zip?sig=***&archive=zip&token=***&sig=***",
    [
      { name: "sig", value: "a" },
      { name: "token", value: "b" },
      { name: "sig", value: "c" },
    ],
  ],
  [
    "s3::https://h/b/m.zip?aws_access_key_id=A",
    "s3::https://h/b/m.zip?aws_access_key_id=***",
    [{ name: "aws_access_key_id", value: "A" }],
  ],
  ["https://h/m.zip?ref=v1&checksum=md5:a&token=&sig", "https://h/m.zip?ref=v1&checksum=md5:a&token=&sig", undefined],
  ["https://h/m?ref=v1#?sig=a", "https://h/m?ref=v1#?sig=a", undefined],
] as const) {
  test(`keys in ${source} are not shown`, () => {
    assert.deepEqual(splitCredentials(source), { shown, ...(secretQuery === undefined ? {} : { secretQuery }) });
    assert.equal(withSecretQuery(shown, secretQuery ?? []), source);
  });
}

for (const [source, kept, whole] of [
  ["https://***@h/b?ref=v2&sig=***", "https://u:p@h/a?sig=s", "https://u:p@h/b?ref=v2&sig=s"],
  [
    "git::ssh://git@h/a.git?ref=v2&sshkey=***",
    "git::ssh://git@h/a.git?sshkey=K",
    "git::ssh://git@h/a.git?ref=v2&sshkey=K",
  ],
  ["git::ssh://git@evil/a.git?sshkey=***", "git::ssh://git@h/a.git?sshkey=K", undefined],
  ["https://evil/a?sig=***", "https://h/a?sig=s", undefined],
  ["https://h/a?token=***", "https://h/a?sig=s", undefined],
  ["https://h/a?sig=***&sig=***", "https://h/a?sig=s", undefined],
  ["https://***@h/a?sig=***", "https://h/a?sig=s", undefined],
] as const) {
  test(`${source} in place of ${kept} is ${whole ?? "refused"}`, () => {
    assert.equal(withHidden(source, kept), whole);
  });
}

test("user info of any characters is found as it was written, is never shown, and can be put back", () => {
  const anything = fc.string({ unit: "binary", minLength: 1, maxLength: 20 }).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(anything, anything, (username, password) => {
      const source = withUserInfo("git::https://git.example/acme/r.git//sub?ref=v1", { username, password });
      const { shown, userInfo } = splitCredentials(source);
      assert.deepEqual(userInfo, { username, password });
      assert.equal(shown, "git::https://***@git.example/acme/r.git//sub?ref=v1");
      assert.equal(withUserInfo(shown, userInfo), source);
      assert.equal(withUserInfo(shown, undefined), "git::https://git.example/acme/r.git//sub?ref=v1");
      assert.equal(withoutCredentials(source), shown);
    }),
  );
});

test("any text is an address or none, and its host can be read or is refused", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.constantFrom("", "https://", "git::https://", "http://a:"),
      (text, start) => {
        const { shown } = splitCredentials(`${start}${text}`);
        assert.equal(splitCredentials(shown).shown, shown);
        gitSourceOf(`${start}${text}`, hosts);
      },
    ),
  );
  assert.match(moduleAddressProblem("git::https://ann:a/b@h/r") ?? "", /%2F/);
  assert.equal(moduleAddressProblem("git::https://ann:a%2Fb@h:8443/r"), undefined);
  assert.equal(moduleAddressProblem("acme/bucket/aws"), undefined);
  assert.match(moduleAddressProblem("git::ssh://git:canary@h/r") ?? "", /^(?!.*canary).*Leave it out/);
  assert.match(moduleAddressProblem("ssh://git:canary@h:22/r") ?? "", /Leave it out/);
  assert.equal(moduleAddressProblem("git::ssh://git@h:22/r@v:1"), undefined);
  assert.equal(moduleAddressProblem(`ssh://${":".repeat(200_000)}`), undefined, "in linear time");
  assert.equal(moduleAddressProblem("git@h:acme/r.git"), undefined);
});

for (const [one, other, same] of [
  ["git::https://***@h/a", "https://u:p@H:443/b", true],
  ["git::https://h/a", "git::https://h:8443/a", false],
  ["git::https://h/a", "git::http://h/a", false],
  ["git::https://h/a", "git::https://h.evil.example/a", false],
  ["acme/a/b", "acme/a/b", false],
] as const) {
  test(`${one} and ${other} are ${same ? "" : "not "}of one origin`, () => {
    assert.equal(sameOrigin(one, other), same);
  });
}
