import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { createCa, createLeaf } from "@rad/artifacts/testing";
import { startPostgres } from "@rad/store/testing";
import { parse } from "yaml";
import type { Sandbox } from "../testing/sandbox.ts";
import { createSandbox } from "../testing/sandbox.ts";

interface Status {
  readonly running: boolean;
  readonly pid: number;
  readonly url: string;
}

async function statusOf(sandbox: Sandbox): Promise<Status> {
  return JSON.parse((await sandbox.rad(["server", "status", "-o", "json"])).stdout) as Status;
}

/** A sandbox whose server, if one is left running, ends with it. */
async function createServerSandbox(): Promise<Sandbox> {
  const sandbox = await createSandbox();
  return {
    ...sandbox,
    [Symbol.asyncDispose]: async () => {
      await sandbox.rad(["server", "stop", "--force"]);
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

/** A server in the foreground, which `stop` ends. */
async function runUntilReady(sandbox: Sandbox, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const stop = new AbortController();
  const ready = Promise.withResolvers<void>();
  const server = sandbox.rad(args, {
    signal: stop.signal,
    env: { RADIUS_LOGGING_LEVEL: "error", ...env },
    onOutput: (text) => {
      if (text.includes("ready at")) {
        ready.resolve();
      }
    },
  });
  await Promise.race([ready.promise, server]);
  return {
    stop: () => {
      stop.abort(new Error("SIGTERM"));
      return server;
    },
  };
}

/** A configuration for PostgreSQL, with a key file beside it. */
async function postgresConfig(sandbox: Sandbox, url: string, more = ""): Promise<string> {
  const keyFile = join(sandbox.home, "keys");
  await writeFile(keyFile, `k1 ${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  return `databaseProvider:
  provider: postgresql
  postgresql: { url: "${url}" }
encryption: { keyFile: ${keyFile} }
${more}`;
}

test("a server is started with a workspace and a group, used, and stopped", async () => {
  await using sandbox = await createServerSandbox();

  const started = await sandbox.rad(["server", "start", "--port", "0"]);
  const { running, pid, url } = await statusOf(sandbox);
  const again = await sandbox.rad(["server", "start", "--port", "0"]);
  const same = await sandbox.rad(["server", "start", "--port", new URL(url).port]);
  const elsewhere = await sandbox.rad(["server", "start", "--port", "1"]);
  const created = await sandbox.rad(["group", "create", "dev"]);
  const audit = await sandbox.rad(["server", "audit"]);
  const ofGroup = ["--target", "/planes/radius/local/resourceGroups/dev", "--caller", "local-admin"];
  const filtered = await sandbox.rad(["server", "audit", ...ofGroup, "--outcome", "succeeded", "--since", "1h"]);
  const nobody = await sandbox.rad(["server", "audit", "--caller", "nobody"]);
  const logs = await sandbox.rad(["server", "logs"]);
  const stopped = await sandbox.rad(["server", "stop"]);

  assert.equal(started.code, 0, started.stderr);
  assert.equal(started.stdout, "Local workspace local created (current)\n");
  assert.equal(running, true);
  assert.match(again.stderr, new RegExp(`is running already at ${url} \\(pid ${pid}\\)`));
  assert.equal(same.code, 0);
  assert.equal(elsewhere.code, 1);
  assert.match(elsewhere.stderr, /^Code: +ServerRunning$/m);
  assert.equal(created.stdout, "System.Resources/resourceGroups/dev created\n");
  const records = audit.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { target: string });
  assert.ok(records.some((record) => record.target.endsWith("/dev")));
  const [record, ...others] = filtered.stdout.trimEnd().split("\n");
  assert.equal(others.length, 0);
  assert.partialDeepStrictEqual(JSON.parse(record ?? ""), {
    phase: "outcome",
    action: "System.Resources/resourceGroups/write",
  });
  assert.deepEqual([nobody.code, nobody.stdout], [0, ""]);
  assert.match(logs.stdout, /is ready at/);
  assert.equal(stopped.stdout, `The control plane at ${url} stopped\n`);
  assert.deepEqual((await statusOf(sandbox)).running, false);
  assert.equal((await sandbox.rad(["server", "stop"])).stdout, "The control plane is not running\n");
  const config = parse(await readFile(sandbox.configPath, "utf8")) as { workspaces: { items: object } };
  assert.deepEqual(config.workspaces.items, {
    local: {
      connection: { kind: "kubernetes", context: "", overrides: { ucp: url } },
      scope: "/planes/radius/local/resourceGroups/default",
    },
  });
});

test("the server's files are its owner's alone", async () => {
  await using sandbox = await createServerSandbox();
  await sandbox.rad(["server", "start", "--port", "0"]);

  for (const name of ["server.pid", "server.log", "token", "key"]) {
    assert.equal((await stat(join(sandbox.home, ".rad", "server", name))).mode & 0o077, 0, name);
  }
});

test("after kill -9 the server counts as gone, and starts again with what it had", async () => {
  await using sandbox = await createServerSandbox();
  await sandbox.rad(["server", "start", "--port", "0"]);
  await sandbox.rad(["group", "create", "kept"]);
  const { pid } = await statusOf(sandbox);
  process.kill(pid, "SIGKILL");
  while ((await statusOf(sandbox)).running) {
    // the operating system takes a moment to be done with it
  }

  const stopped = await sandbox.rad(["server", "stop"]);
  const started = await sandbox.rad(["server", "start", "--port", "0"]);

  assert.equal(stopped.stdout, "The control plane is not running\n");
  assert.equal(started.code, 0, started.stderr);
  assert.match((await sandbox.rad(["group", "list"])).stdout, /^kept /m);
});

test("a foreground server with a database elsewhere leaves the folder's server and its pid file alone", async () => {
  await using postgres = await startPostgres();
  await using sandbox = await createServerSandbox();
  await sandbox.rad(["server", "start", "--port", "0"]);
  const before = await statusOf(sandbox);
  const authentication = `authentication: { bootstrapTokenFile: ${join(sandbox.home, "bootstrap")} }\n`;
  const config = await postgresConfig(sandbox, await postgres.createDatabase(), authentication);
  await writeFile(join(sandbox.home, "pg.yaml"), config);

  const foreground = await runUntilReady(sandbox, ["server", "--config-file", "pg.yaml", "--port", "0"]);
  const during = await statusOf(sandbox);
  const start = await sandbox.rad(["server", "start", "--config-file", "pg.yaml", "-w", "other"]);
  const second = await foreground.stop();
  const after = await statusOf(sandbox);
  const stopped = await sandbox.rad(["server", "stop"]);

  assert.equal(second.code, 0, second.stderr);
  assert.match(second.stderr, /Another server has the data folder/);
  assert.match(start.stderr, /^Code: +ServerRunning$/m);
  assert.deepEqual([during, after], [before, before]);
  assert.equal(stopped.stdout, `The control plane at ${before.url} stopped\n`);
  await assert.rejects(fetch(`${before.url}/healthz`), "it lives on");
  assert.equal((await sandbox.rad(["server", "start", "--port", "0"])).code, 0);
});

test("a server whose pid file was deleted still counts as running, and can be stopped", async () => {
  await using sandbox = await createServerSandbox();
  await sandbox.rad(["server", "start", "--port", "0"]);
  const before = await statusOf(sandbox);
  await rm(join(sandbox.home, ".rad", "server", "server.pid"));

  const { running, pid } = await statusOf(sandbox);
  const stopped = await sandbox.rad(["server", "stop"]);

  assert.deepEqual({ running, pid }, { running: true, pid: before.pid });
  assert.equal(stopped.stdout, `The control plane (pid ${pid}) stopped\n`);
  assert.equal((await statusOf(sandbox)).running, false);
});

test("a server whose pid files name another process is reported as unknown, and that process is not stopped", async () => {
  await using sandbox = await createServerSandbox();
  await sandbox.rad(["server", "start", "--port", "0"]);
  const { pid } = await statusOf(sandbox);
  const bystander = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  await once(bystander, "spawn");
  const folder = join(sandbox.home, ".rad", "server");
  await rm(join(folder, "server.pid"));
  await writeFile(join(folder, "radius.pid"), `${bystander.pid}\n`);

  const stopped = await sandbox.rad(["server", "stop", "--force"]);
  const isUntouched = bystander.exitCode === null && bystander.signalCode === null;
  bystander.kill();
  process.kill(pid, "SIGTERM");

  assert.equal(stopped.code, 1);
  assert.match(stopped.stderr, /Code: {2}ServerUnknown/);
  assert.ok(isUntouched);
});

test("restart keeps the flags of the start and the cluster of the workspace, and starts a server that is not running", async () => {
  await using sandbox = await createServerSandbox();
  await sandbox.rad(["server", "start", "--port", "0"]);
  const port = new URL((await statusOf(sandbox)).url).port;
  await sandbox.rad(["server", "stop"]);
  await sandbox.rad(["server", "start", "--port", port]);
  const before = await statusOf(sandbox);

  await writeFile(join(sandbox.home, "bad.yaml"), "server: { prot: 1 }\n");
  const refused = await sandbox.rad(["server", "restart", "--config-file", "bad.yaml"]);
  const still = await statusOf(sandbox);
  const config = await readFile(sandbox.configPath, "utf8");
  await writeFile(sandbox.configPath, config.replace('context: ""', "context: kind-dev"));
  const restarted = await sandbox.rad(["server", "restart"]);
  const after = await statusOf(sandbox);
  await sandbox.rad(["server", "stop"]);
  const started = await sandbox.rad(["server", "restart", "--port", "0"]);

  assert.match(refused.stderr, /did you mean "port"/);
  assert.deepEqual(still, before, "a mistake in the configuration does not stop it");
  assert.equal(restarted.code, 0, restarted.stderr);
  assert.match(await readFile(sandbox.configPath, "utf8"), /context: kind-dev/);
  assert.equal(after.url, before.url);
  assert.notEqual(after.pid, before.pid);
  assert.equal(started.code, 0, started.stderr);
});

test("with PostgreSQL the first start makes a bootstrap token, with which everything works to the end", async () => {
  await using postgres = await startPostgres();
  await using sandbox = await createServerSandbox();
  const url = await postgres.createDatabase();
  const tokenFile = join(sandbox.home, "secrets", "bootstrap");
  const config = await postgresConfig(sandbox, url, `authentication: { bootstrapTokenFile: ${tokenFile} }\n`);
  await writeFile(join(sandbox.home, "pg.yaml"), config);

  const started = await sandbox.rad(["server", "start", "--config-file", "pg.yaml", "--port", "0", "-w", "x"]);
  const listed = await sandbox.rad(["group", "list"]);
  const token = (await readFile(tokenFile, "utf8")).trim();
  const logs = await sandbox.rad(["server", "logs"]);
  const second = await runUntilReady(sandbox, ["server", "--config-file", "pg.yaml", "--port", "0"]);
  const renewed = await sandbox.rad(["server", "token", "--renew"]);
  const after = await sandbox.rad(["group", "list"]);
  const { stderr } = await second.stop();
  await rm(tokenFile);
  await rm(join(sandbox.home, ".rad", "tokens", "x"));
  const lost = await sandbox.rad(["server", "start", "--config-file", "pg.yaml", "--port", "0", "-w", "x"]);

  assert.equal(started.code, 0, started.stderr);
  assert.match(listed.stdout, /^default /m);
  assert.equal((await stat(join(sandbox.home, "secrets"))).mode & 0o777, 0o700);
  assert.ok(!`${logs.stdout}${stderr}`.includes(token));
  assert.equal(renewed.code, 0, renewed.stderr);
  assert.match(renewed.stdout, /stored for the workspace x$/m);
  assert.match(after.stdout, /^default /m);
  assert.match(lost.stderr, /rad server token --renew[^]*^Code: +NoToken$/m);
});

test("a configuration that would let nobody call is refused, with what to configure", async () => {
  await using sandbox = await createServerSandbox();
  await writeFile(join(sandbox.home, "pg.yaml"), await postgresConfig(sandbox, "postgres://localhost:1/radius"));

  const { code, stderr } = await sandbox.rad(["server", "start", "--config-file", "pg.yaml"]);

  assert.equal(code, 1);
  assert.match(stderr, /lets nobody call this server: .* bootstrapTokenFile, or configure tokens, oidc or frontProxy/);
});

test("a lost local token is replaced while the server runs, and the old one is refused", async () => {
  await using sandbox = await createServerSandbox();
  await sandbox.rad(["server", "start", "--port", "0"]);
  const tokenFile = join(sandbox.home, ".rad", "server", "token");
  const old = (await readFile(tokenFile, "utf8")).trim();
  await rm(tokenFile);

  const usable = await sandbox.rad(["server", "start", "--port", "0"]);
  await rm(join(sandbox.home, ".rad", "tokens", "local"));
  const lost = await sandbox.rad(["server", "start", "--port", "0"]);
  const renewed = await sandbox.rad(["server", "token", "--renew"]);
  const listed = await sandbox.rad(["group", "list"]);
  const refused = await sandbox.rad(["group", "list"], { env: { RADIUS_TOKEN: old } });
  const { stdout: logs } = await sandbox.rad(["server", "logs"]);

  assert.equal(usable.code, 0, "the workspace has the token still");
  assert.match(lost.stderr, /rad server token --renew[^]*^Code: +NoToken$/m);
  assert.equal(renewed.code, 0, renewed.stderr);
  assert.equal((await stat(tokenFile)).mode & 0o777, 0o600);
  assert.match(listed.stdout, /^default /m);
  assert.equal(refused.code, 1);
  const now = (await readFile(tokenFile, "utf8")).trim();
  assert.ok(![old, now].some((token) => `${logs}${renewed.stdout}${renewed.stderr}`.includes(token)));
});

test("check-config reads the configuration and every file it names, and starts nothing", async () => {
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.home, "good.yaml"), "server: { port: 9001 }\n");
  await writeFile(join(sandbox.home, "bad.yaml"), "server: { prot: 9001 }\nlogging: { level: loud }\n");
  await writeFile(
    join(sandbox.home, "files.yaml"),
    "server: { tlsCertificateDirectory: certs }\nencryption: { keyFile: keys }\ninitialization: { manifestDirectory: manifests }\n",
  );
  const check = (file: string) => sandbox.rad(["server", "check-config", "--config-file", file]);

  const [good, bad, files] = [await check("good.yaml"), await check("bad.yaml"), await check("files.yaml")];

  assert.deepEqual([good.code, good.stdout], [0, "good.yaml is valid\n"]);
  assert.match(
    bad.stderr,
    /bad.yaml:1:\d+: .*did you mean "port"[^]*bad.yaml:2:\d+: logging.level[^]*Code: {2}InvalidConfiguration/,
  );
  assert.match(
    files.stderr,
    /certs\/tls.crt: cannot be read[^]*encryption.keyFile: .*is missing[^]*manifestDirectory: /,
  );
  assert.deepEqual([bad.code, files.code], [1, 1]);
  assert.doesNotMatch(`${bad.stderr}${files.stderr}`, /^Error: |TraceId/m);
  assert.deepEqual((await readdir(sandbox.home)).sort(), ["bad.yaml", "files.yaml", "good.yaml"]);
});

test("a start with a certificate of a private authority prints the command that creates its workspace", async () => {
  await using sandbox = await createServerSandbox();
  const ca = createCa("ca");
  const { cert, key } = createLeaf("control plane", ca);
  await mkdir(join(sandbox.home, "tls"));
  await writeFile(join(sandbox.home, "ca.pem"), ca.cert);
  await writeFile(join(sandbox.home, "tls", "tls.crt"), cert);
  await writeFile(join(sandbox.home, "tls", "tls.key"), key, { mode: 0o600 });
  await writeFile(join(sandbox.home, "tls.yaml"), "server:\n  tlsCertificateDirectory: tls\n");

  const { code, stderr } = await sandbox.rad(["server", "start", "--port", "0", "--config-file", "tls.yaml"]);
  const command = /`rad (workspace create server [^`]*)`/.exec(stderr)?.[1]?.replace("<file>", "ca.pem") ?? "";
  const created = await sandbox.rad(command.split(" "));

  assert.equal(code, 1);
  assert.match(stderr, /runs at https:.* but the workspace was not created[^]*Code: {2}CertificateRefused\n\n$/);
  assert.deepEqual([created.code, created.stdout], [0, "Local workspace local created (current)\n"], created.stderr);
});

test("a lost key says what is lost with it", async () => {
  await using sandbox = await createServerSandbox();
  await sandbox.rad(["server", "start", "--port", "0"]);
  await sandbox.rad(["server", "stop"]);
  await rm(join(sandbox.home, ".rad", "server", "key"));

  const { code, stderr } = await sandbox.rad(["server", "start", "--port", "0"]);

  assert.equal(code, 1);
  assert.match(
    stderr,
    /key' is missing\. Restore it from a backup: without it nobody can decrypt .*\nCode: {2}CannotOpen\n\n$/,
  );
});

test("a pid file that names somebody else's process is not believed", async () => {
  await using sandbox = await createServerSandbox();
  const bystander = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  await once(bystander, "spawn");
  const folder = join(sandbox.home, ".rad", "server");
  await mkdir(folder, { recursive: true });
  try {
    for (const identity of ["another boot/123", ""]) {
      const record = { pid: bystander.pid, identity, url: "http://127.0.0.1:1" };
      await writeFile(join(folder, "server.pid"), JSON.stringify(record));

      assert.equal((await statusOf(sandbox)).running, false);
      assert.equal((await sandbox.rad(["server", "stop", "--force"])).stdout, "The control plane is not running\n");
    }
    for (const text of ["", "123", "null", '{"pid":1}', '{"pid":-1,"identity":"x","url":"y"}', "{"]) {
      await writeFile(join(folder, "server.pid"), text);
      assert.equal((await statusOf(sandbox)).running, false, text);
    }
    assert.equal(bystander.exitCode ?? bystander.signalCode, null);
  } finally {
    bystander.kill();
  }
});

test("a start right after a stop signal waits for the old server to end", async () => {
  await using sandbox = await createServerSandbox();
  await sandbox.rad(["server", "start", "--port", "0"]);
  const before = await statusOf(sandbox);
  process.kill(before.pid, "SIGTERM");
  while (
    await fetch(`${before.url}/healthz`).then(
      (response) => response.ok,
      () => false,
    )
  ) {
    // still listening
  }

  const { code, stderr } = await sandbox.rad(["server", "start", "--port", "0"]);

  assert.equal(code, 0, stderr);
  assert.notEqual((await statusOf(sandbox)).pid, before.pid);
});

test("two starts at once end up with one server", async () => {
  await using sandbox = await createServerSandbox();

  const results = await Promise.all([1, 2].map(() => sandbox.rad(["server", "start", "--port", "0"])));

  assert.deepEqual(
    results.map((result) => result.code),
    [0, 0],
    results.map((result) => result.stderr).join("\n"),
  );
  const urls = results.map((result) => /http:\S+/.exec(result.stderr)?.[0]);
  assert.equal(urls[0], urls[1]);
});

test("a taken port is one clear line, for both kinds of start", async () => {
  await using sandbox = await createServerSandbox();
  const squatter = createServer().listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const port = String((squatter.address() as AddressInfo).port);
  try {
    const foreground = await sandbox.rad(["server", "--port", port], { env: { RADIUS_LOGGING_LEVEL: "error" } });
    const background = await sandbox.rad(["server", "start", "--port", port]);

    assert.equal(foreground.code, 1);
    assert.match(foreground.stderr, new RegExp(`^Port ${port} is taken .*\\nCode: {2}PortInUse\\n\\n$`, "m"));
    assert.equal(background.code, 1);
    assert.match(background.stderr, new RegExp(`Port ${port} is taken .*\\nCode: {2}PortInUse\\n\\n$`));
  } finally {
    squatter.close();
  }
});

test("a server in the foreground is there for the others, until it is asked to stop", async () => {
  await using sandbox = await createSandbox();
  const server = await runUntilReady(sandbox, ["server", "--port", "0"]);

  const running = await statusOf(sandbox);
  const second = await sandbox.rad(["server", "--port", "0"], { env: { RADIUS_LOGGING_LEVEL: "error" } });
  const { code } = await server.stop();

  assert.equal(running.pid, process.pid);
  assert.equal(second.code, 1, "two on one database");
  assert.equal(code, 0);
  assert.equal((await statusOf(sandbox)).running, false);
});

test("a workspace that leads elsewhere is left alone", async () => {
  await using sandbox = await createServerSandbox();
  const text = "workspaces:\n  items:\n    local:\n      connection: { kind: kubernetes, context: prod }\n";
  await mkdir(join(sandbox.home, ".rad"));
  await writeFile(sandbox.configPath, text);

  const refused = await sandbox.rad(["server", "start", "--port", "0"]);
  const other = await sandbox.rad(["server", "start", "-w", "mine"]);
  const third = await sandbox.rad(["server", "start", "-w", "third"]);

  assert.match(refused.stderr, /WorkspaceExists/);
  assert.equal(other.stdout, "Local workspace mine created (current)\n");
  assert.match(third.stderr, /^The current workspace was mine; `rad workspace switch mine` goes back to it$/m);
  assert.ok((await readFile(sandbox.configPath, "utf8")).includes("context: prod"));
});

for (const [args, code] of [
  [["server", "--port", "abc"], "InvalidUsage"],
  [["server", "start", "--port", "70000"], "InvalidUsage"],
  [["server", "--config-file", "missing.yaml"], "InvalidConfiguration"],
  [["server", "--host", "0.0.0.0"], "InvalidConfiguration"],
  [["server", "logs"], "NoLog"],
  [["server", "copy"], "InvalidUsage"],
  [["server", "token"], "InvalidUsage"],
  [["server", "check-config", "--config-file", "missing.yaml"], "InvalidConfiguration"],
  [["server", "logs", "--tail", "-1"], "InvalidUsage"],
  [["server", "audit"], "NoWorkspace"],
  [["server", "audit", "--after", "x"], "InvalidUsage"],
  [["server", "audit", "--since", "yesterday"], "InvalidUsage"],
] as const) {
  test(`rad ${args.join(" ")} fails with ${code}`, async () => {
    await using sandbox = await createSandbox();

    const result = await sandbox.rad(args);

    assert.equal(result.code, 1);
    assert.ok(result.stderr.includes(`Code:  ${code}\n`), result.stderr);
  });
}

test("logs can be followed, and cut to their end", async () => {
  await using sandbox = await createSandbox();
  const folder = join(sandbox.home, ".rad", "server");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "server.log"), "one\ntwo\nthree\n");
  const stop = new AbortController();
  let seen = "";

  const tail = await sandbox.rad(["server", "logs", "--tail", "2"]);
  const followed = await sandbox.rad(["server", "logs", "-f"], {
    signal: stop.signal,
    onOutput: (text) => {
      if (text.includes("three")) {
        void writeFile(join(folder, "server.log"), "one\ntwo\nthree\nfour\n");
      }
      seen += text;
      if (seen.includes("four")) {
        stop.abort(new Error("SIGINT"));
      }
    },
  });

  assert.equal(tail.stdout, "two\nthree\n");
  assert.equal(followed.code, 0);
  assert.match(followed.stdout, /four\n$/);
});
