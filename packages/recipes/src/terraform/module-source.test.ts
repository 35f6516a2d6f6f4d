import assert from "node:assert/strict";
import { it } from "node:test";
import type { RecipeDefinition, RecipeError } from "@rad/radius-types";
import { addressSecrets, moduleAccess } from "./module-source.ts";

const stored = [
  { origin: "https://git.example", password: "stored" },
  { origin: "https://named.example", username: "bot", password: "stored-two" },
];

function accessTo(definition: Partial<RecipeDefinition>) {
  const work = { definition: { name: "default", kind: "terraform", source: "", parameters: {}, ...definition } };
  return moduleAccess(work, stored);
}

for (const source of [
  "acme/db/aws",
  "git::https://git.example/a.git//sub?ref=v1&depth=1",
  "git::ssh://git@git.example/a.git",
]) {
  it(`${source} reaches Terraform as it is`, () => {
    assert.deepEqual(accessTo({ source }), { source, git: stored });
  });
}

it("a plain address on a host with a token is a repository", () => {
  assert.equal(accessTo({ source: "https://git.example/a" }).source, "git::https://git.example/a");
});

it("credentials of an address are taken out of it, and come before those of its host", () => {
  const userInfo = { username: "ann", password: "own" };
  const { source, git } = accessTo({ source: "git::https://***@git.example/a.git?ref=v1", userInfo });

  assert.equal(source, "git::https://git.example/a.git?ref=v1");
  assert.deepEqual(git, [stored[1], { origin: "https://git.example", ...userInfo }]);
});

for (const [what, source, expected] of [
  [
    "goes with the token of the host",
    "git::https://***@git.example/a",
    { origin: "https://git.example", username: "ann", password: "stored" },
  ],
  [
    "gives way to the name in the secret",
    "git::https://***@named.example/a",
    { origin: "https://named.example", username: "bot", password: "stored-two" },
  ],
  [
    "is sent alone where there is no token",
    "git::https://***@free.example/a",
    { origin: "https://free.example", username: "ann", password: "" },
  ],
] as const) {
  it(`a name without a password in an address ${what}`, () => {
    const { git } = accessTo({ source, userInfo: { username: "ann" } });

    assert.deepEqual(git.at(-1), expected);
  });
}

it("an archive keeps its credentials, which Terraform takes from nowhere else", () => {
  const userInfo = { username: "ann", password: "o/wn" };

  assert.deepEqual(accessTo({ source: "https://***@git.example/a.zip", userInfo }), {
    source: "https://ann:o%2Fwn@git.example/a.zip",
    git: stored,
  });
});

it("keys in the query reach Terraform, which takes them from nowhere else", () => {
  const secretQuery = [{ name: "sshkey", value: "QUJD%2B" }];
  const definition = { source: "git::ssh://git@h/a.git?ref=v1&sshkey=***", secretQuery };

  assert.equal(accessTo(definition).source, "git::ssh://git@h/a.git?ref=v1&sshkey=QUJD%2B");
  assert.deepEqual(addressSecrets(definition), ["QUJD%2B", "QUJD+"]);
});

it("a version of a repository is refused, also where only the settings tell that it is one", () => {
  assert.throws(
    () => accessTo({ source: "https://git.example/a", version: "1.0.0" }),
    (error: RecipeError) =>
      error.code === "RecipeConfigurationFailure" &&
      error.recipeStatus === "setupError" &&
      /\?ref=/.test(error.message),
  );
});
