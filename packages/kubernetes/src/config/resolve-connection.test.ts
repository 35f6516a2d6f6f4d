import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createCa, createLeaf } from "@rad/artifacts/testing";
import { ApiError, systemClock } from "@rad/core";
import type { Clock, JsonObject } from "@rad/core";
import { stringify } from "yaml";
import type { ClusterConfig } from "./cluster-config.ts";
import type { Connection } from "./connection.ts";
import { whyRefused } from "./refused-credentials.ts";
import { resolveConnection } from "./resolve-connection.ts";

interface TestFolder extends AsyncDisposable {
  readonly path: string;
  file(name: string, content: string): Promise<string>;
}

async function testFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), "rad-kube-config-"));
  return {
    path,
    file: async (name, content) => {
      await writeFile(join(path, name), content);
      return join(path, name);
    },
    [Symbol.asyncDispose]: async () => await rm(path, { recursive: true }),
  };
}

function kubeConfig(user: JsonObject = {}, cluster: JsonObject = {}): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "dev",
    contexts: [
      { name: "dev", context: { cluster: "here", user: "me" } },
      { name: "prod", context: { cluster: "there", user: "me" } },
      { name: "broken", context: { cluster: "nowhere", user: "me" } },
      { name: "orphan", context: { cluster: "here", user: "nobody" } },
    ],
    clusters: [
      { name: "here", cluster: { server: "https://10.0.0.1:6443", ...cluster } },
      { name: "there", cluster: { server: "https://10.0.0.2:6443" } },
    ],
    users: [{ name: "me", user }],
  });
}

/** A clock that a test moves. */
function testClock(): Clock & { ms: number } {
  return {
    ...systemClock,
    ms: Date.UTC(2026, 0, 1),
    now: function () {
      return new Date(this.ms);
    },
  };
}

async function resolved(
  config: ClusterConfig,
  clock: Clock = systemClock,
  env: NodeJS.ProcessEnv = {},
): Promise<Connection> {
  return await resolveConnection(config, { clock, env, serviceAccountFolder: "/nowhere" });
}

async function authorization({ credentials }: Connection): Promise<string | string[] | undefined> {
  return (await credentials.get()).headers["authorization"];
}

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ApiError, `not refused: ${String(error)}`);
  return error;
}

test("a context of a kube config is chosen by name, or is the current one", async () => {
  await using folder = await testFolder();
  const file = await folder.file("config", kubeConfig({ token: "t1" }));

  const current = await resolved({ kind: "kubeConfig", file });
  const named = await resolved({ kind: "kubeConfig", file, context: "prod" });

  assert.equal(current.server.href, "https://10.0.0.1:6443/");
  assert.equal(current.description, "the cluster 'dev'");
  assert.equal(await authorization(current), "Bearer t1");
  assert.equal(named.server.href, "https://10.0.0.2:6443/");
});

const unusable: Record<string, { text?: string; context?: string; says: RegExp }> = {
  "an unknown context": { context: "test", says: /has no context 'test'\. It has 'dev', 'prod', 'broken', 'orphan'\./ },
  "a context without its cluster": { context: "broken", says: /names the cluster 'nowhere', which is not in the file/ },
  "a context without its user": { context: "orphan", says: /names the user 'nobody', who is not in the file/ },
  "no current context": { text: "contexts: [{ name: a, context: {} }]", says: /has no current context.*It has 'a'\./ },
  "no context at all": { text: "clusters: []", says: /It has none\./ },
  "an empty file": { text: "", says: /is empty/ },
  "no YAML": { text: "a: 1\nb: [secret-text\n", says: /is not valid YAML at line [23]/ },
  "no server": { text: kubeConfig({}, { server: "" }), says: /has no usable address of an API server/ },
  "an address that is none": { text: kubeConfig({}, { server: "ftp://x" }), says: /has no usable address/ },
  "a proxy that is not supported": {
    text: kubeConfig({}, { "proxy-url": "socks5://x" }),
    says: /Use a proxy with http/,
  },
  "an authority that cannot be read": {
    text: kubeConfig({}, { "certificate-authority": "absent.crt" }),
    says: /absent\.crt' .* cannot be read \(ENOENT\)/,
  },
  "an auth-provider": { text: kubeConfig({ "auth-provider": { name: "gcp" } }), says: /the auth-provider 'gcp'/ },
  "an exec plugin of an old version": {
    text: kubeConfig({ exec: { apiVersion: "client.authentication.k8s.io/v1alpha1", command: "x" } }),
    says: /exec plugin of the user 'me' .* cannot be used/,
  },
  "an exec plugin that asks": {
    text: kubeConfig({
      exec: { apiVersion: "client.authentication.k8s.io/v1", command: "ask", interactiveMode: "Always" },
    }),
    says: /'ask' of the user 'me' .* asks on a terminal/,
  },
};
for (const [problem, { text = kubeConfig(), context, says }] of Object.entries(unusable)) {
  test(`a kube config with ${problem} is refused`, async () => {
    await using folder = await testFolder();
    const file = await folder.file("config", text);

    const error = await refusal(resolved({ kind: "kubeConfig", file, context }));

    assert.equal(error.code, "BadRequest");
    assert.match(error.message, says);
    assert.ok(error.message.includes(file), error.message);
    assert.ok(!error.message.includes("secret-text"));
  });
}

test("a kube config that is not there is named", async () => {
  const error = await refusal(resolved({ kind: "kubeConfig", file: "/nowhere/config" }));

  assert.match(error.message, /'\/nowhere\/config' does not exist/);
});

test("what a kube config says about its cluster counts", async () => {
  await using folder = await testFolder();
  await folder.file("ca.crt", "authority");
  const cluster = {
    "certificate-authority": "ca.crt",
    "tls-server-name": "api.internal",
    "insecure-skip-tls-verify": true,
    "proxy-url": "http://proxy:3128",
  };
  const file = await folder.file("config", kubeConfig({}, cluster));
  const inline = await folder.file("inline", kubeConfig({}, { "certificate-authority-data": btoa("inline") }));

  const connection = await resolved({ kind: "kubeConfig", file }, systemClock, { HTTPS_PROXY: "http://other" });

  assert.equal(connection.ca, "authority");
  assert.match(connection.caSource, /ca\.crt/);
  assert.equal(connection.serverName, "api.internal");
  assert.equal(connection.isInsecure, true);
  assert.equal(connection.proxies["HTTPS_PROXY"], "http://proxy:3128");
  assert.equal((await resolved({ kind: "kubeConfig", file: inline })).ca, "inline");
});

test("proxies of the environment count, except for servers on this machine", async () => {
  const env = { HTTPS_PROXY: "http://proxy", NO_PROXY: "10.0.0.9", UNRELATED: "x" };
  const proxies = async (server: string): Promise<object> =>
    (await resolved({ kind: "explicit", server }, systemClock, env)).proxies;

  assert.deepEqual(await proxies("https://10.0.0.1"), { HTTPS_PROXY: "http://proxy", NO_PROXY: "10.0.0.9" });
  for (const local of ["https://127.0.0.1:6443", "https://localhost", "https://[::1]:6443"]) {
    assert.deepEqual(await proxies(local), {});
  }
});

test("users log in with a token, a password or a certificate, and act for others", async () => {
  await using folder = await testFolder();
  const credentials = async (user: JsonObject) => {
    const file = await folder.file("config", kubeConfig(user));
    return await (await resolved({ kind: "kubeConfig", file })).credentials.get();
  };

  assert.deepEqual(await credentials({}), { headers: {}, certificate: undefined });
  const basic = await credentials({ username: "u", password: "p" });
  assert.equal(basic.headers["authorization"], `Basic ${btoa("u:p")}`);
  const inline = await credentials({ "client-certificate-data": btoa("cert"), "client-key-data": btoa("key") });
  assert.deepEqual(inline.certificate, { cert: "cert", key: "key" });
  await folder.file("c.crt", "cert from file");
  await folder.file("c.key", "key from file");
  const files = await credentials({ "client-certificate": "c.crt", "client-key": "c.key" });
  assert.deepEqual(files.certificate, { cert: "cert from file", key: "key from file" });
  const acting = await credentials({ token: "t", as: "other", "as-groups": ["a", "b"] });
  assert.deepEqual(acting.headers, {
    authorization: "Bearer t",
    "impersonate-user": "other",
    "impersonate-group": ["a", "b"],
  });
});

test("a token file is read again as it changes", async () => {
  await using folder = await testFolder();
  const token = await folder.file("token", "t1\n");
  const file = await folder.file("config", kubeConfig({ tokenFile: "token" }));
  const clock = testClock();
  const connection = await resolved({ kind: "kubeConfig", file }, clock);
  const first = await connection.credentials.get();
  assert.equal(first.headers["authorization"], "Bearer t1");
  assert.equal(await connection.credentials.renew(first), false, "nothing newer");

  await writeFile(token, "t2");
  assert.equal(await connection.credentials.get(), first, "not for every request");
  assert.equal(await connection.credentials.renew(first), true, "when it is refused");
  assert.equal(await authorization(connection), "Bearer t2");
  await writeFile(token, "t3");
  clock.ms += 2_000;
  assert.equal(await authorization(connection), "Bearer t3", "after a while");

  await rm(token);
  clock.ms += 2_000;
  const error = await refusal(connection.credentials.get());
  assert.match(error.message, /The file 'token' .* cannot be read \(ENOENT\)/);
  await writeFile(token, "t4");
  assert.equal(await authorization(connection), "Bearer t4");
});

test("a kube config is read again when its credentials are refused", async () => {
  await using folder = await testFolder();
  const file = await folder.file("config", kubeConfig({ token: "t1" }));
  const { credentials } = await resolved({ kind: "kubeConfig", file });
  const first = await credentials.get();
  assert.equal(await credentials.renew(first), false);

  await folder.file("config", kubeConfig({ token: "t2" }));

  assert.equal(await credentials.renew(first), true);
  assert.equal((await credentials.get()).headers["authorization"], "Bearer t2");
});

/** A plugin that counts its runs, and says what it was asked. */
async function plugin(folder: TestFolder, status: string): Promise<string> {
  const script = `#!${process.execPath}
const fs = require("node:fs");
const file = ${JSON.stringify(join(folder.path, "runs"))};
const runs = fs.existsSync(file) ? Number(fs.readFileSync(file)) + 1 : 1;
fs.writeFileSync(file, String(runs));
fs.writeFileSync(file + ".info", process.env.KUBERNETES_EXEC_INFO);
const status = (${status})(runs, process.argv.slice(2), process.env);
console.log(typeof status === "string" ? status : JSON.stringify({
  kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status }));
`;
  await folder.file("plugin.cjs", script);
  await chmod(join(folder.path, "plugin.cjs"), 0o755);
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1",
    command: "./plugin.cjs",
    args: ["token"],
    env: [{ name: "PROFILE", value: "dev" }],
    provideClusterInfo: true,
    installHint: "Install the plugin with: brew install plugin.",
  };
  return await folder.file("config", kubeConfig({ exec }));
}

test("an exec plugin gives credentials, which are kept until they expire or are refused", async () => {
  await using folder = await testFolder();
  const expiry = "new Date(Date.UTC(2026, 0, 1) + runs * 60000).toISOString()";
  const token = "args[0] + '-' + env.PROFILE + '-' + runs";
  const file = await plugin(folder, `(runs, args, env) => ({ token: ${token}, expirationTimestamp: ${expiry} })`);
  const clock = testClock();
  const connection = await resolved({ kind: "kubeConfig", file }, clock);

  const all = await Promise.all([connection.credentials.get(), connection.credentials.get()]);
  assert.equal(await authorization(connection), "Bearer token-dev-1");
  const info = JSON.parse(await readFile(join(folder.path, "runs.info"), "utf8")) as JsonObject;
  assert.deepEqual(info["spec"], { interactive: false, cluster: { server: "https://10.0.0.1:6443" } });

  const [first] = all;
  const renewed = await Promise.all([1, 2, 3].map(async () => await connection.credentials.renew(first)));
  assert.deepEqual(renewed, [true, true, true]);
  assert.equal(await authorization(connection), "Bearer token-dev-2", "run once, though three were refused");

  clock.ms += 130_000;
  assert.equal(await authorization(connection), "Bearer token-dev-3");
});

test("an exec plugin may give a certificate", async () => {
  await using folder = await testFolder();
  const file = await plugin(folder, "() => ({ clientCertificateData: 'cert', clientKeyData: 'key' })");

  const { credentials } = await resolved({ kind: "kubeConfig", file });

  assert.deepEqual((await credentials.get()).certificate, { cert: "cert", key: "key" });
});

const failing: Record<string, { status: string; says: RegExp }> = {
  fails: {
    status:
      "() => { console.error('first line'); console.error('session expired, run plugin login'); process.exit(3); }",
    says: /failed \(3\): session expired, run plugin login/,
  },
  "prints no JSON": { status: "() => 'secret-text'", says: /printed something that is not JSON/ },
  "prints something else": { status: "() => '{\"secret-text\":1}'", says: /printed no ExecCredential/ },
  "prints nothing of use": { status: "() => ({})", says: /printed neither a token nor a certificate/ },
  "prints no time": {
    status: "() => ({ token: 'secret-text', expirationTimestamp: 'soon' })",
    says: /that is no time/,
  },
};
for (const [problem, { status, says }] of Object.entries(failing)) {
  test(`an exec plugin that ${problem} is named, without what it printed`, async () => {
    await using folder = await testFolder();
    const { credentials } = await resolved({ kind: "kubeConfig", file: await plugin(folder, status) });

    const error = await refusal(credentials.get());

    assert.equal(error.code, "InvalidAuthenticationInfo");
    assert.match(error.message, says);
    assert.match(error.message, /'\.\/plugin\.cjs'.*brew install plugin/);
    assert.ok(!error.message.includes("secret-text"));
  });
}

test("an exec plugin that is not installed comes with its hint", async () => {
  await using folder = await testFolder();
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "absent-plugin", installHint: "Get it." };
  const file = await folder.file("config", kubeConfig({ exec }));

  const error = await refusal((await resolved({ kind: "kubeConfig", file })).credentials.get());

  assert.match(error.message, /'absent-plugin' is not installed, or not on the PATH\. Get it\./);
});

test("a kube config that came with a request reads no files, runs no commands and speaks TLS only", async () => {
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "touch", args: ["/tmp/owned"] };
  const texts = [
    kubeConfig({ exec }),
    kubeConfig({ tokenFile: "/etc/passwd" }),
    kubeConfig({ "client-certificate": "/etc/passwd", "client-key": "/etc/passwd" }),
    kubeConfig({ token: "t" }, { "certificate-authority": "/etc/passwd" }),
  ];
  for (const text of texts) {
    const error = await refusal(resolved({ kind: "kubeConfigText", text }));
    assert.equal(error.code, "BadRequest");
    assert.match(error.message, /comes with a request may name no files/);
  }
  const clusters: JsonObject[] = [{ server: "http://169.254.169.254" }, { "proxy-url": "http://10.0.0.1:8080" }];
  for (const cluster of clusters) {
    const error = await refusal(resolved({ kind: "kubeConfigText", text: kubeConfig({ token: "t" }, cluster) }));
    assert.match(error.message, /https:\/\/ addresses only, and no proxy/);
  }
  const connection = await resolved({ kind: "kubeConfigText", text: kubeConfig({ token: "t" }), context: "prod" });
  assert.equal(await authorization(connection), "Bearer t");
});

test("a pod finds its cluster by its service account", async () => {
  await using folder = await testFolder();
  await folder.file("ca.crt", "authority");
  const token = await folder.file("token", "t1");
  const clock = testClock();
  const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "6443" };
  const deps = { clock, env, serviceAccountFolder: folder.path };

  const connection = await resolveConnection({ kind: "inCluster" }, deps);

  assert.equal(connection.server.href, "https://[fd00::1]:6443/");
  assert.equal(connection.ca, "authority");
  assert.equal(await authorization(connection), "Bearer t1");
  await writeFile(token, "t2");
  clock.ms += 2_000;
  assert.equal(await authorization(connection), "Bearer t2");
  const elsewhere = await refusal(resolveConnection({ kind: "inCluster" }, { ...deps, env: {} }));
  assert.match(elsewhere.message, /does not run in a pod/);
});

test("refused credentials say why, as far as they know", () => {
  const now = new Date("2026-06-01T00:00:00Z");
  const token = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;
  const why = (authorization: string): string | undefined =>
    whyRefused({ headers: { authorization }, certificate: undefined }, now);
  const ca = createCa("CA");
  const certificate = createLeaf("me", ca, { end: "260101000000Z" });
  const future = createLeaf("me", ca, { start: "480101000000Z" });

  assert.match(why(`Bearer ${token({ exp: 1_700_000_000 })}`) ?? "", /token expired at 2023-11-14T/);
  assert.match(
    why(`Bearer ${token({ nbf: 2_000_000_000 })}`) ?? "",
    /token is not valid before 2033.* check the clocks/,
  );
  assert.equal(why(`Bearer ${token({ exp: 2_000_000_000 })}`), undefined);
  assert.equal(why("Bearer opaque"), undefined);
  assert.match(whyRefused({ headers: {}, certificate: undefined }, now) ?? "", /none/);
  assert.match(whyRefused({ headers: {}, certificate }, now) ?? "", /client certificate expired at 2026-01-01/);
  assert.match(whyRefused({ headers: {}, certificate: future }, now) ?? "", /not valid before 2048/);
  assert.match(whyRefused({ headers: {}, certificate: { cert: "x", key: "y" } }, now) ?? "", /not valid PEM/);
});

test("a kube config of a request is refused when it is long, or has aliases", async () => {
  const long = await refusal(resolved({ kind: "kubeConfigText", text: `a: [${"[],".repeat(30_000)}]` }));
  const aliases = await refusal(resolved({ kind: "kubeConfigText", text: "a: &a [1]\nb: [*a, *a]\n" }));

  assert.deepEqual([long.code, aliases.code], ["BadRequest", "BadRequest"]);
  assert.match(long.message, /larger than 64 KiB/);
  assert.match(aliases.message, /has YAML aliases/);
});
