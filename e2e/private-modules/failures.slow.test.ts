// Each way in which a private module cannot be fetched, with real Terraform and real git: told apart in words, with the
// host and the secret, and nothing is left behind.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { after, before, it } from "node:test";
import { startGitServer } from "@rad/terraform/testing";
import type { GitServer } from "@rad/terraform/testing";
import { clientOf, group } from "../support/api.ts";
import {
  deploy,
  failureOf,
  legacyVersion,
  moduleOf,
  openPrivateRig,
  putEnvironment,
  putStore,
  remove,
} from "./private-rig.ts";
import type { PrivateRig } from "./private-rig.ts";

let rig: PrivateRig;
let untrusted: GitServer;
before(async () => {
  rig = await openPrivateRig({ hosts: ["git.example"] });
  untrusted = await startGitServer({ hosts: ["untrusted.example"] });
});
after(async () => {
  await untrusted[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

it("each cause is a setup error with words of its own, and leaves nothing to delete", async () => {
  const { git, server } = rig;
  await git.repository("/acme/m.git", moduleOf("m"));
  await git.repository("/acme/closed.git", moduleOf("closed"));
  git.allow({ user: "ann", token: "canary-good", repositories: /^\/acme\/(?!closed)/u });
  // Credentials that we know nothing of, in a file of a module.
  const foreign = 'module "foreign" { source = "git::https://foreign:canary-foreign@git.example/acme/closed.git" }';
  await git.repository("/open/foreign.git", moduleOf("foreign", foreign), { isPublic: true });
  using _broken = git.fault(/^git\.example\/acme\/broken/u, { kind: "status", status: 503 });
  const good = await putStore(server, "good", { pat: "canary-good", username: "ann" });
  const expired = await putStore(server, "expired", { pat: "canary-expired", username: "ann" });
  const keyless = await putStore(server, "keyless", { username: "canary-name" });
  const gone = `${good}-gone`;
  const m = "git::https://git.example/acme/m.git";
  const cases: readonly (readonly [
    name: string,
    pat: Record<string, string>,
    templatePath: string,
    code: string,
    text: RegExp,
  ])[] = [
    [
      "expired",
      { "git.example": expired },
      m,
      "RecipeDownloadFailed",
      /git\.example refused the token of the secret '\S+\/expired' \(HTTP 401\).*with a new 'pat'/u,
    ],
    ["none", {}, m, "RecipeDownloadFailed", /git\.example asks for credentials, and the environment has none for it/u],
    [
      "closed",
      { "git.example": good },
      "git::https://git.example/acme/closed.git",
      "RecipeDownloadFailed",
      /does not let the token of the secret '\S+\/good' read .*\(HTTP 403\)/u,
    ],
    [
      "unknown",
      { "git.example": good },
      "git::https://git.example/acme/unknown.git",
      "RecipeDownloadFailed",
      /there is no repository at 'https:\/\/git\.example\/acme\/unknown\.git\/'/u,
    ],
    ["ref", { "git.example": good }, `${m}?ref=v9`, "RecipeDownloadFailed", /has no branch, tag or commit 'v9'/u],
    [
      "depth",
      { "git.example": good },
      `${m}?ref=v8&depth=1`,
      "RecipeDownloadFailed",
      /has no branch, tag or commit 'v8'/u,
    ],
    [
      "broken",
      { "git.example": good },
      "git::https://git.example/acme/broken.git",
      "RecipeDownloadFailed",
      /git\.example answered with HTTP 503/u,
    ],
    [
      "unreachable",
      { "127.0.0.1:1": good },
      "git::https://127.0.0.1:1/acme/m.git",
      "RecipeDownloadFailed",
      /127\.0\.0\.1:1 cannot be reached/u,
    ],
    [
      "untrusted",
      { [untrusted.address]: good },
      `git::https://${untrusted.address}/acme/m.git`,
      "RecipeDownloadFailed",
      /the certificate of 127\.0\.0\.1:\d+ is not trusted/u,
    ],
    [
      "path",
      {},
      "git::https://ann:canary-path@git.example/acme/m.git",
      "RecipeDownloadFailed",
      /source "git::https:\/\/\*\*\*@git\.example\/acme\/m\.git".*refused the credentials in the address/u,
    ],
    [
      "foreign",
      {},
      "git::https://git.example/open/foreign.git",
      "RecipeDownloadFailed",
      /git\.example refused the request \(HTTP 401\)/u,
    ],
    ["gone", { "git.example": gone }, m, "LoadSecretsFailed", /The secret '\S+good-gone' does not exist/u],
    [
      "keyless",
      { "git.example": keyless },
      m,
      "LoadSecretsFailed",
      /'pat' secret key was not found in secret store '\S+keyless'/u,
    ],
  ];
  const environments = await Promise.all(
    cases.map(([name, pat, templatePath]) => putEnvironment(rig, `fails-${name}`, { pat, templatePath })),
  );
  const failures = await Promise.all(
    cases.map(([name], index) => failureOf(deploy(server, `fails-${name}`, environments[index] ?? ""))),
  );

  for (const [index, [name, , templatePath, code, text]] of cases.entries()) {
    const failure = failures[index];
    assert.equal(failure?.code, code, `${name}: ${failure?.message}`);
    assert.match(failure.message, text, name);
    assert.match(failure.message, /recipe "default", module \S*(?:git\.example|127\.0\.0\.1)/u, name);
    assert.doesNotMatch(failure.message, /canary/u, name);
    if (code === "RecipeDownloadFailed") {
      const shown = templatePath.replace("ann:canary-path", "***");
      assert.ok(
        failure.message.startsWith(`failed to download Terraform module from source "${shown}", version ""`),
        failure.message,
      );
    }
    const { properties } = await clientOf(server).resources.get(
      `${group}/providers/Applications.Core/extenders/fails-${name}`,
      { apiVersion: legacyVersion },
    );
    assert.equal((properties as { provisioningState: string }).provisioningState, "Failed", name);
  }
  const logs = await fetch(`${server.url}/recipes/logs${group}/providers/Applications.Core/extenders/fails-foreign`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  const log = await logs.text();
  assert.match(log, /\/\/\*\*\*@git\.example/u);
  assert.doesNotMatch(`${log}${server.output}`, /canary/u);
  for (const name of ["gone", "keyless"]) {
    const id = `${group}/providers/Applications.Core/extenders/fails-${name}`;
    const none = await fetch(`${server.url}/recipes/logs${id}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    assert.equal(none.status, 404, `${name}: no Terraform was run, so there is no log`);
  }
  const seen = git.requests.length;
  await Promise.all(cases.map(([name]) => remove(server, `fails-${name}`)));
  assert.equal(git.requests.length, seen, "a delete after a setup error runs no Terraform");
  assert.equal(existsSync(path.join(rig.traps, "sprung")), false);
});
