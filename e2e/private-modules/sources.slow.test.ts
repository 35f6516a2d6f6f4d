// Modules of private repositories in every form of address, with real Terraform and real git.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { after, before, it } from "node:test";
import { zipOf } from "@rad/artifacts/testing";
import {
  coreVersion,
  credentialsSent,
  deploy,
  failureOf,
  moduleOf,
  openPrivateRig,
  put,
  putEnvironment,
  putStore,
  remove,
} from "./private-rig.ts";
import type { PrivateRig } from "./private-rig.ts";

/** Each platform with a repository as its addresses look, and the name that goes with a token there. */
const platforms = {
  github: ["github.com", "/acme/modules.git", "git::https://github.com/acme/modules.git", "x-access-token"],
  shorthand: ["github.com", "/acme/modules.git", "github.com/acme/modules", "x-access-token"],
  enterprise: [
    "github.contoso.example",
    "/acme/modules.git",
    "https://github.contoso.example/acme/modules.git",
    "x-access-token",
  ],
  gitlab: [
    "gitlab.com",
    "/group/nested/deep/modules.git",
    "git::https://gitlab.com/group/nested/deep/modules.git",
    "oauth2",
  ],
  bitbucket: ["bitbucket.org", "/team/modules.git", "git::https://bitbucket.org/team/modules.git", "x-token-auth"],
  datacenter: [
    "bitbucket.contoso.example:7990",
    "/scm/team/modules.git",
    "git::https://bitbucket.contoso.example:7990/scm/team/modules.git",
    "x-token-auth",
  ],
  azure: ["dev.azure.com", "/org/project/_git/modules", "https://dev.azure.com/org/project/_git/modules", "pat"],
  named: [
    "dev.azure.com",
    "/org/project/_git/modules",
    "git::https://org@dev.azure.com/org/project/_git/modules",
    "org",
  ],
  visualstudio: [
    "org.visualstudio.com",
    "/project/_git/modules",
    "git::https://org.visualstudio.com/project/_git/modules",
    "pat",
  ],
  plain: ["git.example:8443", "/modules.git", "git::https://git.example:8443/modules.git", "x-access-token"],
} as const;

let rig: PrivateRig;
before(async () => {
  const hosts = Object.values(platforms).map(([host]) => host.replace(/:\d+$/u, ""));
  rig = await openPrivateRig({ hosts: [...new Set([...hosts, "other.example", "public.example"])] });
});
after(() => rig[Symbol.asyncDispose]());

it("every platform's addresses work side by side, each host with its own token and the name that suits it", async () => {
  const { git, server } = rig;
  const pat: Record<string, string> = {};
  for (const [host, place] of Object.values(platforms)) {
    if (pat[host] === undefined) {
      const name = host.replaceAll(/\W/gu, "-");
      await git.repository(place, moduleOf(place));
      git.allow({ token: `token of ${host}`, host });
      pat[host] = await putStore(server, name, { pat: `token of ${host}` });
    }
  }
  const environment = await putEnvironment(rig, "platforms", {
    pat,
    templatePath: Object.fromEntries(Object.entries(platforms).map(([name, [, , address]]) => [name, address])),
  });
  const names = Object.keys(platforms);
  const seen = git.requests.length;
  const messages = await Promise.all(names.map((name) => deploy(server, `platform-${name}`, environment, name)));

  assert.deepEqual(
    messages,
    Object.values(platforms).map(([, place]) => JSON.stringify(place)),
  );
  const expected = Object.values(platforms).map(([host, , , user]) => `https://${host} ${user}:token of ${host}`);
  assert.deepEqual(credentialsSent(git.requests.slice(seen)), [...new Set(expected)].toSorted());
});

it("plain addresses, refs, depths and subdirectories keep their meaning; public modules and archives get no credentials", async () => {
  const { git, server } = rig;
  const repository = await git.repository(
    "/acme/forms",
    { ...moduleOf("root 1"), "sub/main.tf": moduleOf("sub 1")["main.tf"] ?? "" },
    { tag: "v1.2.0" },
  );
  const commit = await repository.commit({ ...moduleOf("root 2"), "sub/main.tf": moduleOf("sub 2")["main.tf"] ?? "" });
  await repository.commit(
    { ...moduleOf("branch"), "sub/main.tf": moduleOf("sub of the branch")["main.tf"] ?? "" },
    { branch: "next" },
  );
  await git.repository("/open.git", moduleOf("public"), { isPublic: true });
  git.file("/archives/module.zip", zipOf(Object.entries(moduleOf("archive"))));
  using _ = git.allow({ user: "ann", token: "forms-token", host: "other.example" });
  const store = await putStore(server, "forms", { pat: "forms-token", username: "ann" });
  const forms = {
    plain: ["https://other.example/acme/forms", "root 2"],
    tag: ["https://other.example/acme/forms?ref=v1.2.0", "root 1"],
    branch: ["git::https://other.example/acme/forms?ref=next", "branch"],
    commit: [`git::https://other.example/acme/forms?ref=${commit}`, "root 2"],
    sub: ["git::https://other.example/acme/forms//sub?ref=v1.2.0&depth=1", "sub 1"],
    public: ["https://public.example/open.git", "public"],
    archive: ["https://other.example/archives/module.zip", "archive"],
  } as const;
  const environment = await putEnvironment(rig, "forms", {
    pat: { "other.example": store },
    templatePath: Object.fromEntries(Object.entries(forms).map(([name, [address]]) => [name, address])),
  });
  const seen = git.requests.length;
  const names = Object.keys(forms);
  const messages = await Promise.all(names.map((name) => deploy(server, `form-${name}`, environment, name)));

  assert.deepEqual(
    messages,
    Object.values(forms).map(([, message]) => JSON.stringify(message)),
  );

  await repository.commit(moduleOf("root 3"));
  assert.equal(await deploy(server, "form-plain", environment, "plain"), '"root 3"');
  assert.equal(await deploy(server, "form-tag", environment, "tag"), '"root 1"');
  const requests = git.requests.slice(seen);
  assert.deepEqual(credentialsSent(requests), ["https://other.example ann:forms-token"]);
  assert.ok(
    requests
      .filter(({ host, path: asked }) => host === "public.example" || asked.startsWith("/archives"))
      .every(({ user }) => user === undefined),
  );
  assert.ok(
    requests.every(({ method, path: asked }) => ["GET", "HEAD"].includes(method) || asked.endsWith("/git-upload-pack")),
  );
});

it("nested modules of the same and of another host get credentials, and their pushes and revoked tokens are seen", async () => {
  const { git, server } = rig;
  await git.repository("/nested/same.git", { "main.tf": 'output "text" { value = "same" }\n' });
  const far = await git.repository("/nested/far.git", { "main.tf": 'output "text" { value = "far 1" }\n' });
  const calls = `
module "same" { source = "git::https://git.example:8443/nested/same.git" }
module "far" { source = "git::https://other.example/nested/far.git" }
`;
  await git.repository("/nested/root.git", moduleOf("${module.same.text}, ${module.far.text}", calls));
  using _near = git.allow({ token: "near-token", host: "git.example:8443" });
  using access = git.allow({ token: "far-token", host: "other.example" });
  const environment = await putEnvironment(rig, "nested", {
    pat: {
      "git.example:8443": await putStore(server, "near", { pat: "near-token" }),
      "other.example": await putStore(server, "far", { pat: "far-token" }),
    },
    templatePath: "git::https://git.example:8443/nested/root.git",
  });

  assert.equal(await deploy(server, "nested", environment), '"same, far 1"');
  const fetches = (): number => git.requests.filter(({ method }) => method === "POST").length;
  const before2 = fetches();
  assert.equal(await deploy(server, "nested", environment), '"same, far 1"');
  const listed = fetches() - before2;
  await far.commit({ "main.tf": 'output "text" { value = "far 2" }\n' });
  assert.equal(await deploy(server, "nested", environment), '"same, far 2"');
  const cloned = fetches() - before2 - listed;
  assert.ok(listed < cloned, `the second run only looked: ${listed} requests, ${cloned} for a download`);

  access[Symbol.dispose]();
  const { code, message } = await failureOf(deploy(server, "nested", environment));
  assert.equal(code, "RecipeDownloadFailed");
  assert.match(message, /other\.example refused the token of the secret '\S+secretStores\/far'/u);
});

it("a token that changes every day needs an update of its store alone; a delete waits for it too", async () => {
  const { git, server } = rig;
  await git.repository("/acme/daily.git", moduleOf("daily"));
  const monday = git.allow({ user: "ann", token: "monday-token" });
  const environment = await putEnvironment(rig, "daily", {
    pat: { "git.example": await putStore(server, "daily", { pat: "monday-token", username: "ann" }) },
    templatePath: "git::https://git.example/acme/daily.git",
  });
  assert.equal(await deploy(server, "daily", environment), '"daily"');

  monday[Symbol.dispose]();
  const refused = await failureOf(remove(server, "daily"));
  using _ = git.allow({ user: "ann", token: "tuesday-token" });
  await putStore(server, "daily", { pat: "tuesday-token", username: "ann" });
  assert.equal(await deploy(server, "daily", environment), '"daily"');
  await remove(server, "daily");

  assert.equal(refused.code, "RecipeDownloadFailed");
  assert.match(refused.message, /git\.example refused the token of the secret '\S+secretStores\/daily' \(HTTP 401\)/u);
  assert.doesNotMatch(refused.message, /monday-token/u);
});

it("a cached module is never given to an environment without the right to its repository", async () => {
  const { git, server } = rig;
  await git.repository("/acme/cached.git", moduleOf("cached"));
  using _own = git.allow({ token: "cache-token", repositories: /^\/acme\/cached/u });
  using _other = git.allow({ token: "cache-other-token", repositories: /^\/somewhere\/else/u });
  const templatePath = "git::https://git.example/acme/cached.git";
  const entry = async (pat: string) => ({ "git.example": await putStore(server, pat, { pat }) });
  const owner = await putEnvironment(rig, "cache-owner", { pat: await entry("cache-token"), templatePath });
  const without = await putEnvironment(rig, "cache-without", { templatePath });
  const other = await putEnvironment(rig, "cache-other", { pat: await entry("cache-other-token"), templatePath });
  const wrong = await putEnvironment(rig, "cache-wrong", { pat: await entry("cache-wrong-token"), templatePath });
  assert.equal(await deploy(server, "cache-owner", owner), '"cached"');
  assert.equal(await deploy(server, "cache-owner", owner), '"cached"');

  const failures = await Promise.all(
    [without, other, wrong].map((environment, index) => failureOf(deploy(server, `cache-${index}`, environment))),
  );

  assert.deepEqual(
    failures.map(({ code }) => code),
    Array.from({ length: 3 }, () => "RecipeDownloadFailed"),
  );
  assert.match(failures[0]?.message ?? "", /asks for credentials, and the environment has none for it/u);
  assert.match(failures[1]?.message ?? "", /does not let the token .* read '\S+cached\.git\/' \(HTTP 403\)/u);
  assert.match(failures[2]?.message ?? "", /refused the token/u);
});

it("the target of a redirect gets no token, before and after authentication", async () => {
  const { git, server } = rig;
  await git.repository("/acme/redirected.git", moduleOf("redirected"));
  using _ = git.allow({ token: "redirect-token", host: "git.example" });
  const store = await putStore(server, "redirected", { pat: "redirect-token" });
  const targets = ["https://other.example", "https://git.example:8443", "http://git.example"];
  const cases = targets.flatMap((to) => (["before", "after"] as const).map((when) => ({ to, when })));
  const recipes = Object.fromEntries(
    cases.map((_case, index) => [`r${index}`, `git::https://git.example/r${index}/acme/redirected.git`]),
  );
  const environment = await putEnvironment(rig, "redirected", { pat: { "git.example": store }, templatePath: recipes });
  for (const [index] of cases.entries()) {
    await git.repository(`/r${index}/acme/redirected.git`, moduleOf("redirected"));
  }
  const faults = cases.map(({ to, when }, index) =>
    git.fault(new RegExp(`^git\\.example/r${index}/`, "u"), { kind: "redirect", to, when }),
  );
  const seen = git.requests.length;
  await Promise.all(
    cases.map((_case, index) => failureOf(deploy(server, `redirected-${index}`, environment, `r${index}`))),
  );
  faults.forEach((fault) => fault[Symbol.dispose]());

  const requests = git.requests.slice(seen);
  assert.ok(
    credentialsSent(requests).every((sent) => sent.startsWith("https://git.example ")),
    credentialsSent(requests).join("\n"),
  );
  for (const target of targets) {
    assert.ok(
      requests.some(({ scheme, host }) => `${scheme}://${host}` === target),
      `git was sent to ${target}`,
    );
  }
});

it("credentials in an address work for deployment and deletion, and are sent as those of a store", async () => {
  const { git, server } = rig;
  await git.repository("/acme/path.git", moduleOf("path"));
  using _ = git.allow({ user: "a b", token: "p@th:token/%#" });
  const environment = await putEnvironment(rig, "path", {
    templatePath: `git::https://a%20b:${encodeURIComponent("p@th:token/%#")}@git.example/acme/path.git`,
  });
  assert.equal(await deploy(server, "path", environment), '"path"');
  await putEnvironment(rig, "path", { templatePath: "git::https://git.example/acme/elsewhere.git" });
  await remove(server, "path");
});

it("private modules survive the move of an environment to settings, and the removal of recipeConfig", async () => {
  const { git, server } = rig;
  await git.repository("/acme/moved.git", moduleOf("moved"));
  using _legacy = git.allow({ token: "legacy-token" });
  using _settings = git.allow({ token: "settings-token" });
  const templatePath = "git::https://git.example/acme/moved.git";
  const pat = { "git.example": await putStore(server, "moved-legacy", { pat: "legacy-token" }) };
  const environment = await putEnvironment(rig, "moved", { pat, templatePath });
  assert.equal(await deploy(server, "moved", environment), '"moved"');

  const secret = await putStore(server, "moved-settings", { pat: "settings-token" });
  const terraformSettings = await put(
    server,
    "Radius.Core/terraformSettings/moved",
    { authentication: { git: { pat: { "git.example": { secret } } } }, env: { ...git.env } },
    coreVersion,
  );
  await putEnvironment(rig, "moved", { pat, templatePath, more: { terraformSettings } });
  const seen = git.requests.length;
  assert.equal(await deploy(server, "moved", environment), '"moved"');
  await putEnvironment(rig, "moved", { templatePath, more: { terraformSettings, recipeConfig: {} } });
  assert.equal(await deploy(server, "moved", environment), '"moved"');
  await remove(server, "moved");

  assert.deepEqual(credentialsSent(git.requests.slice(seen)), ["https://git.example x-access-token:settings-token"]);
});

it("nothing of the account that the control plane runs under was used", () => {
  assert.equal(existsSync(path.join(rig.traps, "sprung")), false);
  assert.ok(
    rig.git.requests.every(
      ({ user, password, host }) => user !== "trap" && password !== "trap-token" && host !== "trap.example",
    ),
  );
});
