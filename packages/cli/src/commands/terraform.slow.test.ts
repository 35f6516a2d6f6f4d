/** `rad terraform` as a process of its own, against a real control plane that downloads from an HTTPS mirror. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { hash } from "node:crypto";
import type { RequestListener } from "node:http";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createCa, createLeaf, startWebServer, type WebServer, zipOf } from "@rad/artifacts/testing";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";
import { standIn } from "../testing/stand-in-terraform.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const ca = createCa("the mirror's authority");

interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

let mirror: WebServer;
let server: TestControlPlane;
let sandbox: Sandbox;
/** Archives by version; a version that is held is not answered until it is released. */
const archives = new Map<string, Buffer>();
const held = new Map<string, PromiseWithResolvers<void>>();
const requested: string[] = [];

before(async () => {
  const listener: RequestListener = (request, response) => {
    const version = /terraform_([^_]+)_/.exec(request.url ?? "")?.[1] ?? "";
    requested.push(version);
    const archive = archives.get(version);
    void (held.get(version)?.promise ?? Promise.resolve()).then(() =>
      archive === undefined ? response.writeHead(404).end() : response.writeHead(200).end(archive),
    );
  };
  mirror = await startWebServer(listener, createLeaf("127.0.0.1", ca));
  server = await startControlPlane({ overrides: { terraform: { installer: { drainSeconds: 0 } } } });
  sandbox = await createConnectedSandbox(server);
  await writeFile(join(sandbox.home, "ca.pem"), ca.cert);
  for (const version of ["1.6.4", "1.7.0", "1.8.0"]) {
    archives.set(version, zipOf([["terraform", standIn("Terraform", version), { mode: 0o100755 }]]));
  }
});

after(async () => {
  held.forEach(({ resolve }) => resolve());
  await sandbox[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await mirror[Symbol.asyncDispose]();
});

function install(version: string, ...flags: readonly string[]): readonly string[] {
  const url = `${mirror.url}/terraform_${version}_linux_amd64.zip`;
  const checksum = hash("sha256", archives.get(version) ?? "");
  return ["terraform", "install", "--url", url, "--checksum", checksum, "--ca-bundle", "ca.pem", ...flags];
}

function start(args: readonly string[]) {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], {
    cwd: sandbox.home,
    env: { PATH: process.env["PATH"], HOME: sandbox.home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const ended: Promise<Run> = once(child, "close").then(([code, signal]) => ({ code, signal, stdout, stderr }));
  /** Resolves when it has said so on either stream. */
  const says = async (text: string): Promise<void> => {
    while (!`${stdout}${stderr}`.includes(text)) {
      await Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), ended]);
      assert.ok(child.exitCode === null || `${stdout}${stderr}`.includes(text), `${stdout}${stderr}`);
    }
  };
  return { child, ended, says };
}

async function rad(...args: readonly string[]): Promise<Run> {
  return await start(args).ended;
}

function hold(version: string): () => void {
  const gate = Promise.withResolvers<void>();
  held.set(version, gate);
  return () => {
    held.delete(version);
    gate.resolve();
  };
}

async function status(): Promise<Record<string, unknown>> {
  return JSON.parse((await rad("terraform", "status", "-o", "json")).stdout) as Record<string, unknown>;
}

test("nothing is installed at first, and there is nothing to uninstall", async () => {
  const shown = await rad("terraform", "status");
  const removed = await rad("terraform", "uninstall", "--wait");

  assert.equal(shown.stdout, "Terraform is not installed. Run 'rad terraform install' to install Terraform.\n");
  assert.deepEqual([removed.code, removed.stdout], [0, "Terraform is not installed\n"]);
});

test("install --wait ends with the ready line, which status repeats; installing it again downloads nothing", async () => {
  const first = await rad(...install("1.6.4", "--wait"));
  const shown = await rad("terraform", "status", "--exit-code");
  const again = await rad(...install("1.6.4"));

  assert.deepEqual([first.code, first.stderr.includes("\u001b")], [0, false], first.stderr);
  const [started, ready] = first.stdout.split("\n");
  assert.equal(started, "Terraform 1.6.4 install started...");
  assert.match(ready ?? "", /^Terraform 1\.6\.4 ready \(installed \d{4}-\d\d-\d\dT\d\d:\d\dZ\)$/);
  assert.deepEqual([shown.code, shown.stdout], [0, `${ready}\n`]);
  assert.deepEqual([again.code, again.stdout], [0, `${ready}\n`]);
  assert.deepEqual(requested, ["1.6.4"]);
});

test("an upgrade waits behind a failing one; each waiting command tells its own outcome", async () => {
  const release = hold("1.7.0");
  archives.set("9.9.9", Buffer.from("no archive"));
  const upgrade = start(install("1.7.0", "--wait"));
  await upgrade.says("downloading");

  const installing = await rad("terraform", "status");
  const joined = await rad(...install("1.7.0"));
  const queued = await rad(...install("1.8.0"));
  const failing = start(install("9.9.9", "--wait"));
  await failing.says("queued (2 ahead)");
  release();
  const [done, failed] = await Promise.all([upgrade.ended, failing.ended]);

  assert.match(installing.stdout, /^Terraform 1\.7\.0 installing \(started \S+Z\); 1\.6\.4 still active\n$/);
  assert.deepEqual([joined.code, joined.stdout], [0, "Terraform 1.7.0 install already in progress\n"]);
  assert.deepEqual([queued.code, queued.stdout], [0, "Terraform 1.8.0 install queued (1 ahead)\n"]);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /\nTerraform 1\.7\.0 ready \(installed \S+Z\)\n$/);
  assert.equal(failed.code, 1);
  assert.match(
    failed.stderr,
    /\nTerraform 9\.9\.9 install failed: .+\. Terraform 1\.8\.0 is still active\.\nCode: {2}InstallFailed\n\n$/,
  );
  const shown = await rad("terraform", "status", "--history");
  assert.match(
    shown.stdout,
    /^Terraform 1\.8\.0 ready .*\nTerraform 9\.9\.9 install failed .*; 1\.8\.0 still active\n\nPRODUCT/,
  );
  assert.match(shown.stdout, /\nterraform +9\.9\.9 +install +Failed .*\nterraform +1\.8\.0 +install +Succeeded /);
});

for (const [name, signal, code] of [
  ["Ctrl+C", "SIGINT", 130],
  ["a lost terminal", "SIGHUP", null],
] as const) {
  test(`${name} while waiting leaves the job alone`, async () => {
    const version = signal === "SIGINT" ? "2.0.0" : "2.0.1";
    archives.set(version, zipOf([["terraform", standIn("Terraform", version), { mode: 0o100755 }]]));
    const release = hold(version);
    const { child, ended, says } = start(install(version, "--wait"));
    await says("downloading");

    child.kill(signal);
    const run = await ended;
    release();
    const watched = await rad("terraform", "status", "--watch", "--exit-code");

    assert.equal(run.code, code);
    if (signal === "SIGINT") {
      assert.match(run.stderr, /\nThe install is still running; check 'rad terraform status'\.\n$/);
    }
    assert.equal(watched.code, 0, watched.stdout);
    assert.equal((await status())["currentVersion"], version);
  });
}

test("--timeout gives up, and the job goes on", async () => {
  const release = hold("2.1.0");
  archives.set("2.1.0", zipOf([["terraform", standIn("Terraform", "2.1.0"), { mode: 0o100755 }]]));

  const run = await rad(...install("2.1.0", "--wait", "--timeout", "1s"));
  release();
  const watched = await rad("terraform", "status", "--watch", "-o", "json");

  assert.equal(run.code, 1);
  assert.match(
    run.stderr,
    /\nTimed out after 1s waiting for Terraform 2\.1\.0\. The install is still running; check 'rad terraform status'\.\n/,
  );
  assert.equal((JSON.parse(watched.stdout) as { currentVersion: string }).currentVersion, "2.1.0");
});

test("a mirror whose authority nobody trusts is refused with advice; what is active stays", async () => {
  const args = install("1.6.4", "--wait").filter((arg) => arg !== "--ca-bundle" && arg !== "ca.pem");

  const { code, stderr } = await rad(...args, "--version", "1.6.5");

  assert.equal(code, 1);
  assert.match(stderr, /install failed: .*certificate.*--ca-bundle.* Terraform 2\.1\.0 is still active\./);
});

test("the control plane's refusals are shown, and nothing is queued", async () => {
  const insecure = await rad("terraform", "install", "--url", "http://mirror.example.com/terraform.zip");
  const odd = await rad("terraform", "install", "--version", "v1.6.4", "-o", "json");

  assert.equal(insecure.code, 1);
  assert.match(insecure.stderr, /https/);
  assert.equal(odd.code, 1);
  assert.equal((JSON.parse(odd.stdout) as { error: { code: string } }).error.code, "InvalidRequestContent");
  assert.deepEqual((await status())["queue"], { pending: 0, inProgress: null });
});

test("uninstall --wait removes it", async () => {
  const run = await rad("terraform", "uninstall", "--wait");
  const shown = await rad("terraform", "status", "--exit-code");

  assert.deepEqual(
    [run.code, run.stdout],
    [0, "Terraform 2.1.0 uninstall started...\nTerraform 2.1.0 uninstalled\n"],
    run.stderr,
  );
  assert.equal(shown.code, 1);
  await assert.rejects(readFile(join(server.directory, "terraform", "current")), { code: "ENOENT" });
});
