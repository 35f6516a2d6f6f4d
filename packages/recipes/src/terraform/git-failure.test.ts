import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { gitFailureOf } from "./git-failure.ts";

const store = "/planes/radius/local/resourceGroups/g/providers/Applications.Core/secretStores/github";
const secret = "/planes/radius/local/providers/Radius.Security/secrets/other";
const context = {
  source: "git::https://git.example/acme/modules.git?ref=v1",
  tokens: [
    { host: "git.example", secretId: store },
    { host: "other.example:8443", secretId: secret },
  ],
  userInfo: undefined,
};
const before =
  "Failed to download module: Could not download module \"default\" (main.tf.json:3) source code from \"git::https://git.example/acme/modules.git?ref=v1\": error downloading 'https://git.example/acme/modules.git?ref=v1': /usr/bin/git exited with 128: Cloning into '.terraform/modules/default'... ";

/** As git 2.39 prints it, by cause. */
const messages: readonly (readonly [what: string, text: string, cause: RegExp, advice: RegExp])[] = [
  [
    "a refused token",
    "fatal: Authentication failed for 'https://git.example/acme/modules.git/'",
    /^git\.example refused the token of the secret '\S+secretStores\/github' \(HTTP 401\)/,
    /Deploy the secret store 'github' with a new 'pat'/,
  ],
  [
    "a refused token of a nested module",
    "fatal: Authentication failed for 'https://other.example:8443/x.git/'",
    /^other\.example:8443 refused the token of the secret '\S+secrets\/other'/,
    /'rad secret set other pat'/,
  ],
  [
    "a token without the right",
    "fatal: unable to access 'https://git.example/acme/modules.git/': The requested URL returned error: 403",
    /^git\.example does not let the token of the secret '\S+github' read 'https:\/\/git\.example\/acme\/modules\.git\/' \(HTTP 403\)/,
    /right to read the repository/,
  ],
  [
    "no credentials",
    "fatal: could not read Username for 'https://elsewhere.example': terminal prompts disabled",
    /^elsewhere\.example asks for credentials, and the environment has none for it/,
    /secret with the key 'pat' for 'elsewhere\.example'/,
  ],
  [
    "an unknown repository",
    "fatal: repository 'https://git.example/acme/modules.git/' not found",
    /^there is no repository at 'https:\/\/git\.example\/acme\/modules\.git\/', or the token of the secret '\S+' may not see it/,
    /Check the address/,
  ],
  [
    "an unknown repository of GitHub",
    "remote: Repository not found. fatal: repository 'https://git.example/acme/modules.git/' not found",
    /^there is no repository/,
    /Check/,
  ],
  [
    "an unknown ref",
    "error: pathspec 'v9' did not match any file(s) known to git",
    /^the repository 'git::https:\/\/git\.example\S*' has no branch, tag or commit 'v9'/,
    /'ref'/,
  ],
  [
    "an unknown ref with a depth",
    "warning: Could not find remote branch v9 to clone. fatal: Remote branch v9 not found in upstream origin",
    /has no branch, tag or commit 'v9'/,
    /'ref'/,
  ],
  [
    "a commit with a depth",
    "warning: Could not find remote branch 0123abcd to clone. fatal: Remote branch 0123abcd not found in upstream origin",
    /has no branch or tag '0123abcd', and 'depth' does not get commits/,
    /Leave out 'depth'/,
  ],
  [
    "a token for http",
    "fatal: could not read Username for 'http://git.example': terminal prompts disabled",
    /^git\.example asks for credentials, and a token is not sent over 'http:'/,
    /'https:'/,
  ],
  [
    "an unknown host",
    "fatal: unable to access 'https://git.example/acme/modules.git/': Could not resolve host: git.example",
    /^git\.example cannot be reached: its name is not known/,
    /network/,
  ],
  [
    "a host that does not answer",
    "fatal: unable to access 'https://git.example/acme/modules.git/': Failed to connect to git.example port 443 after 0 ms: Couldn't connect to server",
    /^git\.example cannot be reached: it does not answer/,
    /network/,
  ],
  [
    "a proxy that does not get there",
    "fatal: unable to access 'https://git.example/acme/modules.git/': CONNECT tunnel failed, response 502",
    /^git\.example cannot be reached: the proxy/,
    /proxy/,
  ],
  [
    "an untrusted certificate",
    "fatal: unable to access 'https://git.example/acme/modules.git/': server certificate verification failed. CAfile: none CRLfile: none",
    /^the certificate of git\.example is not trusted/,
    /SSL_CERT_FILE/,
  ],
  [
    "a redirect",
    "fatal: unable to update url base from redirection: asked for: https://git.example/a redirect: https://elsewhere.example/b",
    /^git\.example sends git to another address/,
    /address/,
  ],
  [
    "a host in trouble",
    "fatal: unable to access 'https://git.example/acme/modules.git/': The requested URL returned error: 503",
    /^git\.example answered with HTTP 503/,
    /again/,
  ],
];
for (const [what, text, cause, advice] of messages) {
  it(`the failure of git for ${what} is told in words`, () => {
    const failure = gitFailureOf(`${before}${text}`, context);

    assert.match(failure?.cause ?? "", cause);
    assert.match(failure?.advice ?? "", advice);
  });
}

it("a trace before git's last word does not count", () => {
  const trace =
    "http.c:725 == Info: Failed to connect to proxy; error: 404; CONNECT tunnel failed, then retried ".repeat(100);
  const failure = gitFailureOf(`${before}${trace}fatal: Authentication failed for 'https://git.example/a/'`, context);

  assert.match(failure?.cause ?? "", /^git\.example refused/);
});

it("every cause has words of its own", () => {
  const words = messages.map(([, text]) =>
    gitFailureOf(text, { ...context, tokens: [] })?.cause.replaceAll(/'[^']*'|\S+\.example\S*/g, "x"),
  );

  assert.ok(new Set(words).size >= 9, JSON.stringify(words));
});

it("credentials in the address of a module are called that, and other failures are left as they are", () => {
  const own = { username: "ann", password: "own" };
  const failure = gitFailureOf("fatal: Authentication failed for 'https://git.example/a/'", {
    ...context,
    userInfo: own,
  });

  assert.match(failure?.cause ?? "", /refused the credentials in the address of the module/);
  for (const [userInfo, url] of [
    [own, "https://other.example:8443/a/"],
    [{ username: "ann" }, "https://git.example/a/"],
  ] as const) {
    const other = gitFailureOf(`fatal: Authentication failed for '${url}'`, { ...context, userInfo });
    assert.match(other?.cause ?? "", /refused the token of the secret/, url);
  }
  assert.equal(gitFailureOf("Error: Module not found in the registry", context), undefined);
});

it("no text breaks it, and user info in one is never repeated", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const address = `https://canary-user:canary-token@git.example/${encodeURIComponent(text.toWellFormed())}`;
      const failure = gitFailureOf(`${text} fatal: repository '${address}' not found`, context);
      assert.doesNotMatch(JSON.stringify(failure ?? {}), /canary/);
    }),
  );
});
