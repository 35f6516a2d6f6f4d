// `rad server` whose PostgreSQL is away when it starts, comes, goes away and comes back: what it says, and to whom.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@rad/core/testing";
import { startPostgres } from "@rad/store/testing";

const main = path.join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");
/** Long enough for several attempts to connect. */
const outageMs = 4_000;

it("the log has one line for each change, and the server is ready when the database is there", async () => {
  await using postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const home = await mkdtemp(path.join(tmpdir(), "rad-away-"));
  const config = path.join(home, "pg.yaml");
  await writeFile(path.join(home, "keys"), `k1 ${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  await writeFile(
    config,
    `databaseProvider: { provider: postgresql, postgresql: { url: "${url}" } }
encryption: { keyFile: keys }
authentication: { bootstrapTokenFile: bootstrap }
`,
  );
  await postgres.stop();
  const args = ["--disable-warning=ExperimentalWarning", main, "server", "--config-file", config, "--port", "0"];
  const server = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  server.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  try {
    const [, address = ""] = await until("it listens", () => /listens at (\S+),/.exec(log) ?? undefined);
    const readiness = async (): Promise<number> => (await fetch(`${address}/readyz`)).status;

    await sleep(outageMs);
    assert.equal(await readiness(), 503);
    assert.doesNotMatch(log, /is ready at|"message":"ready"/);
    await postgres.start();
    await until("it is ready", async () => (await readiness()) === 200);
    await until("it says so", () => log.includes("is ready at"));
    await postgres.stop();
    await until("it is noticed", async () => (await readiness()) === 503);
    await sleep(outageMs);
    await postgres.start();
    await until("it is ready again", async () => (await readiness()) === 200);
    await until("it says that", () => log.split("can be reached again").length === 3);
  } finally {
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    await ended;
    await rm(home, { recursive: true });
  }

  const lines = log.split("\n");
  const counts = [
    "cannot be reached; the server tries",
    "can be reached again",
    '"message":"ready"',
    "listening, but not",
  ].map((text) => lines.filter((line) => line.includes(text)).length);
  assert.deepEqual(counts, [2, 2, 1, 1], log);
  assert.doesNotMatch(log, /\\n {4}at /, "a stack trace");
  const problems = lines.filter((line) => /"level":"(?:warn|error)"/.test(line));
  assert.ok(problems.length <= 8, problems.join("\n"));
});
