import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { it } from "node:test";
import { promisify } from "node:util";
import { startGitServer } from "./git-server.ts";

const run = promisify(execFile);

async function listRefs(url: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await run("git", ["ls-remote", url], {
    env: {
      PATH: process.env["PATH"],
      GIT_TERMINAL_PROMPT: "0",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_SSL_CAINFO: env["SSL_CERT_FILE"],
      ...env,
    },
  });
  return stdout;
}

it("the Git server serves a repository under its names to those who may read it, and keeps every request", async () => {
  await using server = await startGitServer({ hosts: ["git.example", "other.example"] });
  const repository = await server.repository("/acme/modules.git", { "main.tf": "# one\n" });
  const commit = await repository.commit({ "main.tf": "# two\n" }, { tag: "v2" });
  using access = server.allow({ user: "ann", token: "to:ken@", host: "git.example" });

  const seen = await listRefs("https://ann:to%3Aken%40@git.example/acme/modules.git", server.env);
  assert.match(seen, new RegExp(`^${commit}\\tHEAD$`, "mu"));
  assert.match(seen, /refs\/tags\/v2\^\{\}/u);
  assert.deepEqual(
    server.requests.map(({ host, user, password, status }) => [host, user, password, status]).slice(0, 2),
    [
      ["git.example", undefined, undefined, 401],
      ["git.example", "ann", "to:ken@", 200],
    ],
  );

  await assert.rejects(listRefs("https://ann:to%3Aken%40@other.example/acme/modules.git", server.env));
  access[Symbol.dispose]();
  await assert.rejects(listRefs("https://ann:to%3Aken%40@git.example/acme/modules.git", server.env), /Authentication/u);
});

it("the Git server lets anybody read a public repository, on any port, and refuses a push", async () => {
  await using server = await startGitServer({ hosts: ["git.example"] });
  await server.repository("/public.git", { "main.tf": "" }, { isPublic: true });

  assert.match(await listRefs("https://git.example:8443/public.git", server.env), /HEAD/u);
  assert.equal(server.requests.at(-1)?.host, "git.example:8443");
  assert.match(await listRefs(`https://${server.address}/public.git`, server.env), /HEAD/u);
  const answer = await fetch(`${server.proxyUrl}/public.git/info/refs?service=git-receive-pack`);
  assert.equal(answer.status, 403);
});
