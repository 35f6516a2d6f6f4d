// The commands of docs/operations.md, as printed, in a home folder of their own.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, it } from "node:test";
import { promisify } from "node:util";
import { startPostgres } from "@rad/store/testing";
import { findKubectl } from "@rad/kubernetes/testing/kubectl";

const root = path.join(import.meta.dirname, "..");
/** Other servers of this machine may have the usual ports. */
const anyPort = 'rad() { case "$1 $2" in "server start") command rad "$@" --port 0 ;; *) command rad "$@" ;; esac; }';

let home: string;
let page: string;
before(async () => {
  home = await mkdtemp(path.join(tmpdir(), "rad-operations-page-"));
  page = await readFile(path.join(root, "docs", "operations.md"), "utf8");
  const bin = path.join(home, "bin");
  await mkdir(bin);
  await symlink(path.join(root, "rad"), path.join(bin, "rad"));
  await symlink(await findKubectl(), path.join(bin, "kubectl"));
  await sh("rad server start");
});
after(async () => {
  await sh("rad server stop --force");
  await rm(home, { recursive: true });
});

it("a backup is restored", async () => {
  await sh("rad group create before");
  await sh(printed("**Backup.**"));
  await sh("rad group create later");

  await sh(printed("**Restore.**"));

  const groups = await sh("rad group list");
  assert.match(groups, /^before /m);
  assert.doesNotMatch(groups, /^later /m);
});

it("a token is replaced", async () => {
  const tokenFile = path.join(home, ".rad", "server", "token");
  const old = (await readFile(tokenFile, "utf8")).trim();

  await sh(printed("**A token that is lost"));

  assert.match(await sh("rad group list"), /^before /m);
  await assert.rejects(sh("rad group list", { RADIUS_TOKEN: old }), { stderr: /InvalidAuthenticationInfo|not known/ });
});

it("kubectl reads the groups", async () => {
  assert.match(await sh(printed("### TLS on loopback")), /"name":"before"/);
});

it("an installation is moved to PostgreSQL", async () => {
  await using postgres = await startPostgres();
  const key = `k1 ${randomBytes(32).toString("base64")}\n`;
  await writeFile(path.join(home, "keys"), key, { mode: 0o600 });
  await writeFile(
    path.join(home, "server.yaml"),
    `databaseProvider: { provider: postgresql, postgresql: { url: "${await postgres.createDatabase()}" } }
encryption: { keyFile: keys }
authentication: { bootstrapTokenFile: bootstrap-token }
`,
  );

  await sh(printed("### Moving from SQLite"));

  assert.match(await sh("rad group list"), /^before /m);
  assert.match(await readFile(path.join(home, "audit.jsonl"), "utf8"), /resourcegroups\/before/i);
  await sh("rad server stop");
});

/** The first block of shell commands after the text. */
function printed(text: string): string {
  const start = page.indexOf(text);
  assert.ok(start >= 0, text);
  const [, commands = ""] = /```sh\n(.*?)```/s.exec(page.slice(start)) ?? [];
  return commands;
}

async function sh(commands: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const options = {
    cwd: home,
    env: { PATH: `${path.join(home, "bin")}:${process.env["PATH"]}`, HOME: home, ...env },
    timeout: 120_000,
  };
  return (await promisify(execFile)("sh", ["-euc", `${anyPort}\n${commands}`], options)).stdout;
}
