import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { devNull } from "node:os";
import { it } from "node:test";
import fc from "fast-check";
import type { ConfigurationError } from "./configuration-error.ts";
import {
  defaultGitUser,
  type GitCredential,
  gitTokensOf,
  gitVariables,
  storedGitCredential,
} from "./git-credentials.ts";

const store = "/planes/radius/local/providers/Applications.Core/secretStores/git";
const other = "/planes/radius/local/providers/Radius.Security/secrets/git";

it("settings are taken alone, and entries without a secret mean no credentials", () => {
  const recipeConfig = {
    terraform: { authentication: { git: { pat: { "GitHub.com:443": { secret: store }, "empty.example": {} } } } },
  };
  const settings = { authentication: { git: { pat: { "git.example:8443": { secret: other } } } } };

  assert.deepEqual(gitTokensOf(undefined, recipeConfig), [{ host: "github.com", secretId: store }]);
  assert.deepEqual(gitTokensOf(settings, recipeConfig), [{ host: "git.example:8443", secretId: other }]);
  assert.deepEqual(gitTokensOf({}, recipeConfig), []);
  assert.deepEqual(gitTokensOf(undefined, { terraform: { authentication: { git: {} } } }), []);
});

for (const [what, values, credential] of [
  ["a name and a token", { pat: "t", username: "u" }, { username: "u", password: "t" }],
  ["a token alone", { pat: "t" }, { password: "t" }],
  ["keys of a cluster's Secret", { "tls.pat": "t", "tls.username": "u" }, { username: "u", password: "t" }],
  ["an empty name", { pat: "t", username: "" }, { password: "t" }],
  ["a final line break", { pat: "t\n", username: "u\r\n" }, { username: "u", password: "t" }],
] as const) {
  it(`a secret with ${what} is a credential for its host alone`, () => {
    assert.deepEqual(storedGitCredential({ host: "git.example", secretId: store }, values), {
      origin: "https://git.example",
      ...credential,
    });
  });
}

for (const [what, values, message] of [
  ["no token", { username: "canary" }, `'pat' secret key was not found in secret store '${store}'`],
  [
    "two keys that end in .pat",
    { "a.pat": "canary", "b.pat": "canary" },
    `'pat' secret key was not found in secret store '${store}'`,
  ],
  ["an empty token", { pat: "\n" }, `'pat' in secret store '${store}' is empty`],
  [
    "a token of several lines",
    { pat: "canary\nhost=evil.example" },
    `'pat' in secret store '${store}' has several lines; a name and a token have one each`,
  ],
  [
    "a name of several lines",
    { pat: "canary", "x.username": "a\nb" },
    `'x.username' in secret store '${store}' has several lines; a name and a token have one each`,
  ],
] as const) {
  it(`a secret with ${what} is an error that names the secret and the key, and no value`, () => {
    assert.throws(
      () => storedGitCredential({ host: "git.example", secretId: store }, values),
      (error: ConfigurationError) => error.code === "LoadSecretsFailed" && error.message === message,
    );
  });
}

for (const [host, user] of [
  ["github.com", "x-access-token"],
  ["github.contoso.example", "x-access-token"],
  ["gitlab.com", "oauth2"],
  ["GitLab.contoso.example:8443", "oauth2"],
  ["bitbucket.org", "x-token-auth"],
  ["bitbucket.contoso.example", "x-token-auth"],
  ["dev.azure.com", "pat"],
  ["contoso.visualstudio.com", "pat"],
  ["git.example:8443", "x-access-token"],
] as const) {
  it(`the name that goes with a token for ${host} is ${user} where the secret has none`, () => {
    assert.equal(defaultGitUser(host), user);
  });
}

/** What git itself finds for an address, with these variables and nothing else. */
function filled(
  url: string,
  credentials: readonly GitCredential[],
  chosen: Readonly<Record<string, string>> = {},
): string | undefined {
  const env = {
    PATH: process.env["PATH"],
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ASKPASS: "",
    ...chosen,
    ...gitVariables(credentials, chosen),
  };
  try {
    const answer = execFileSync("git", ["credential", "fill"], { env, input: `url=${url}\n\n`, stdio: "pipe" });
    const [, user, password] = /^username=(.*)\npassword=(.*)$/mu.exec(answer.toString("utf8")) ?? [];
    return `${user}:${password}`;
  } catch {
    return undefined;
  }
}

const one: GitCredential = { origin: "https://git.example", password: "token-one" };
const named: GitCredential = { origin: "https://other.example:8443", username: "ann", password: "token-two" };

for (const [url, expected] of [
  ["https://git.example/a/b.git", "x-access-token:token-one"],
  ["https://GIT.example:443/a", "x-access-token:token-one"],
  ["https://org@git.example/org/p", "org:token-one"],
  ["https://other.example:8443/a", "ann:token-two"],
  ["https://org@other.example:8443/a", "ann:token-two"],
  ["http://git.example/a", undefined],
  ["https://git.example:8443/a", undefined],
  ["https://other.example/a", undefined],
  ["https://git.example.evil.example/a", undefined],
  ["https://evil.example/git.example", undefined],
  ["https://sub.git.example/a", undefined],
] as const) {
  it(`git finds ${expected === undefined ? "nothing" : "its own token"} for ${url}`, () => {
    assert.equal(filled(url, [one, named]), expected);
  });
}

it("git gets names and tokens of any characters unchanged, for several hosts at once", () => {
  const text = fc
    .string({
      unit: fc.constantFrom(...(" @:/+%#&'\"$`\\!*?=~^|;<>(){}[]äé漢🔑aZ09".match(/./gu) ?? [])),
      minLength: 1,
      maxLength: 30,
    })
    .filter((value) => !value.startsWith("\0"));
  fc.assert(
    fc.property(text, text, text, (username, password, another) => {
      const credentials = [
        { origin: "https://git.example", username, password },
        { origin: "https://other.example", username: another, password: another },
      ];
      assert.equal(filled("https://git.example/x", credentials), `${username}:${password}`);
      assert.equal(filled("https://other.example/x", credentials), `${another}:${another}`);
    }),
    { numRuns: 25 },
  );
});

it("the user's own git configuration stays, and none of it gets in the way", () => {
  const chosen = {
    GIT_CONFIG_COUNT: "3",
    GIT_CONFIG_KEY_0: "credential.helper",
    GIT_CONFIG_VALUE_0: "!echo username=wrong; echo password=wrong; :",
    GIT_CONFIG_KEY_1: "http.sslVersion",
    GIT_CONFIG_VALUE_1: "tlsv1.2",
    GIT_CONFIG_KEY_2: "without.a.value",
    GIT_TERMINAL_PROMPT: "1",
    GIT_TRACE_REDACT: "0",
    GIT_TRACE2_ENV_VARS: "RAD_GIT_PASSWORD_0",
    RAD_GIT_PASSWORD_0: "wrong",
  };
  const variables = gitVariables([one], chosen);

  assert.equal(filled("https://git.example/a", [one], chosen), "x-access-token:token-one");
  assert.equal(filled("https://elsewhere.example/a", [one], chosen), "wrong:wrong");
  assert.equal(variables["GIT_CONFIG_COUNT"], "4");
  assert.equal(variables["GIT_CONFIG_KEY_1"], "http.sslVersion");
  assert.equal(variables["GIT_TERMINAL_PROMPT"], "0");
  assert.equal(variables["GIT_TRACE_REDACT"], "1");
  assert.equal(variables["GIT_TRACE2_ENV_VARS"], "");
  for (const count of ["-1", "many", "99999", ""]) {
    assert.equal(filled("https://git.example/a", [one], { GIT_CONFIG_COUNT: count }), "x-access-token:token-one");
  }
});

it("git trusts the authorities that Terraform trusts, unless it has some of its own", () => {
  assert.deepEqual(gitVariables([], {}), { GIT_TERMINAL_PROMPT: "0", GIT_TRACE2_ENV_VARS: "" });
  assert.equal(gitVariables([], { SSL_CERT_FILE: "/ca.pem" })["GIT_SSL_CAINFO"], "/ca.pem");
  assert.equal(
    gitVariables([], { SSL_CERT_FILE: "/ca.pem", GIT_SSL_CAINFO: "/git.pem" })["GIT_SSL_CAINFO"],
    "/git.pem",
  );
});

it("no value is in the configuration that git gets", () => {
  const { GIT_CONFIG_COUNT: count, ...rest } = gitVariables(
    [{ ...named, password: "canary-token", username: "canary-user" }],
    {},
  );
  const configuration = Object.entries(rest).filter(([name]) => name.startsWith("GIT_"));

  assert.equal(count, "2");
  assert.doesNotMatch(JSON.stringify(configuration), /canary/);
});
