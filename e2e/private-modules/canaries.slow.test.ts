// 30 user names and tokens with every special character, while Terraform and git log everything and clones are slow or
// fail: they reach their hosts, and no file, argument, log, error, event, span, answer or database row.
import assert from "node:assert/strict";
import { it } from "node:test";
import { startCollector } from "@rad/control-plane/testing";
import { auditLines, clientOf, group } from "../support/api.ts";
import { assertNoFile, assertNoText, canary, commandLines } from "../support/leaks.ts";
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

const traps = [" ", "@", ":", "/", "+", "%", "#", "&", "'", '"', "$", "`", "\\", "%41${x}é漢🔑"];
const hosts = traps.map((_trap, index) => `host${index}.example`);

it("30 user names and tokens reach their hosts, and nothing else", async () => {
  // A name ends at the first colon, so it has none.
  const credentials = traps.map((trap, index) => ({
    username: canary(`User${index}x`, trap === ":" ? "a b" : trap),
    token: canary(`Token${index}x`, `${trap}=`),
  }));
  const inPath = { username: canary("PathUser", "@é "), token: canary("PathToken", "/@:%#?") };
  const all = [...credentials, inPath].flatMap(({ username, token }) => [username, token]);
  assert.equal(all.length, 30);

  await using collector = await startCollector();
  await using rig = await openPrivateRig({ hosts, config: { tracerProvider: { otlp: { endpoint: collector.url } } } });
  const { git, server, folder } = rig;
  const seen: string[] = [];
  const sampler = setInterval(() => seen.push(...commandLines().filter((line) => /git|terraform/u.test(line))), 40);
  try {
    const [first = "", ...others] = hosts;
    const accesses = credentials.map(({ username, token }, index) =>
      git.allow({ user: username.value, token: token.value, host: hosts[index] ?? "" }),
    );
    git.allow({ user: inPath.username.value, token: inPath.token.value, host: first });
    await Promise.all(
      others.map((host) => git.repository(`/${host}.git`, { "main.tf": `output "t" { value = "${host}" }\n` })),
    );
    const calls = others.map((host, index) => `module "m${index}" { source = "git::https://${host}/${host}.git" }`);
    await git.repository("/root.git", moduleOf("all", calls.join("\n")));
    const stores = await Promise.all(
      credentials.map(
        async ({ username, token }, index) =>
          [
            hosts[index] ?? "",
            await putStore(server, `store${index}`, { pat: token.value, username: username.value }),
          ] as const,
      ),
    );
    const env = { TF_LOG: "TRACE", GIT_TRACE: "1", GIT_CURL_VERBOSE: "1", GIT_TRACE_CURL: "1", GIT_TRACE_REDACT: "0" };
    const environment = await putEnvironment(rig, "canaries", {
      pat: Object.fromEntries(stores),
      templatePath: {
        default: `git::https://${first}/root.git`,
        unknown: `git::https://${first}/unknown.git`,
        path: `git::https://${encodeURIComponent(inPath.username.value)}:${encodeURIComponent(inPath.token.value)}@${first}/root.git`,
      },
      env,
    });

    // A clone that has begun, with all its processes, and everything that is there after it.
    const slowly = async (name: string, recipe: string): Promise<string> => {
      const stall = git.fault(/^host13\.example\/host13\.example\.git\/git-upload-pack/u, { kind: "stall" });
      const deployed = deploy(server, name, environment, recipe);
      await Promise.race([stall.first, deployed]);
      assertNoFile(folder, all);
      stall[Symbol.dispose]();
      return await deployed;
    };
    assert.equal(await slowly("canaries", "default"), '"all"');
    assert.ok(
      seen.some((line) => line.includes("git-remote-https")),
      "the arguments of git were sampled",
    );
    for (const [index, { username, token }] of credentials.entries()) {
      const got = git.requests.find(
        ({ host, status, user }) => host === hosts[index] && status === 200 && user === username.value,
      );
      assert.equal(got?.password, token.value, `host ${index} got name and token unchanged`);
    }
    assertNoFile(folder, all);

    // The address' own credentials, and failures, which log most.
    assert.equal(await slowly("canaries-path", "path"), '"all"');
    accesses[13]?.[Symbol.dispose]();
    const failures = [
      await failureOf(deploy(server, "canaries", environment)),
      await failureOf(deploy(server, "canaries-unknown", environment, "unknown")),
      await failureOf(remove(server, "canaries-path")),
    ];
    assert.match(failures[0]?.message ?? "", /host13\.example refused the token/u);
    seen.push(JSON.stringify(failures));

    const read = async (url: string): Promise<string> => {
      const response = await fetch(`${server.url}${url}`, { headers: { authorization: `Bearer ${server.token}` } });
      assert.equal(response.status, 200, url);
      return await response.text();
    };
    const extender = (name: string): string => `${group}/providers/Applications.Core/extenders/${name}`;
    for (const id of [
      environment,
      ...stores.map(([, store]) => store),
      extender("canaries"),
      extender("canaries-path"),
      `${group}/resources`,
    ]) {
      seen.push(await read(`${id}?api-version=${legacyVersion}`));
    }
    const logs = await read(`/recipes/logs${extender("canaries")}`);
    assert.match(logs, /\[TRACE\]/u);
    seen.push(
      logs,
      await read(`/recipes/logs${extender("canaries-path")}`),
      await read("/metrics"),
      await read("/recipes/orphans"),
    );
    seen.push(JSON.stringify(await auditLines(server)));
    seen.push(JSON.stringify(await clientOf(server).resources.get(environment, { apiVersion: legacyVersion })));
  } finally {
    clearInterval(sampler);
    await server.end("SIGTERM");
    seen.push(server.output);
  }
  assertNoFile(folder, all);
  seen.push(...collector.received.map(({ body }) => body.toString("latin1")));
  assertNoText(seen, all);
});
