// Executions that use the active binary, in processes of their own beside two servers on one PostgreSQL. They hold the
// leases that recipes hold.
import assert from "node:assert/strict";
import { once } from "node:events";
import { access } from "node:fs/promises";
import path from "node:path";
import { after, before, beforeEach, it } from "node:test";
import { ApiError, silentLogger } from "@rad/core";
import { until } from "@rad/core/testing";
import { openPostgresStore, readKeyFile } from "@rad/store";
import { launch } from "../support/launch.ts";
import type { Launched } from "../support/launch.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { accepted, readStatus, send, settled } from "./installer-api.ts";
import { openRig } from "./installer-rig.ts";
import type { InstallerRig } from "./installer-rig.ts";
import { leasesOf } from "./lease-holder.ts";
import { firstLine, namesOn } from "./volume-look.ts";

const inUse = (count: number): string =>
  `Terraform is in use by ${count} active executions. Retry after executions complete.`;

let rig: InstallerRig;
let one: ServerProcess;
let two: ServerProcess;
before(async () => {
  rig = await openRig("postgresql", { drainSeconds: 1 });
  for (const version of ["1.6.4", "1.7.0", "1.8.5"]) {
    await rig.mirror.publish("terraform", version);
  }
  [one, two] = await Promise.all([rig.startServer(), rig.startServer()]);
});
after(async () => {
  await one[Symbol.asyncDispose]();
  await two[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});
beforeEach(() => install("1.6.4"));

it("an uninstall is refused with the number of executions in all processes, and a killed one counts no longer", async () => {
  const [first, second] = await Promise.all([holder(), holder()]);

  const refused = [await send(one, "POST", "uninstall"), await send(two, "POST", "uninstall")];
  const { executions } = await readStatus(two);
  await end(first, "SIGKILL");
  await until(
    () => "the lease of the killed process runs out",
    async () => (await readStatus(one)).executions === 1,
    { timeoutMs: 60_000 },
  );
  const afterKill = await send(two, "POST", "uninstall");
  await end(second, "SIGTERM");
  await accepted(two, "uninstall");

  assert.equal(executions, 2);
  for (const { status, body } of refused) {
    assert.deepEqual([status, messageOf(body)], [409, inUse(2)]);
  }
  assert.deepEqual([afterKill.status, messageOf(afterKill.body)], [409, inUse(1)]);
  assert.equal((await settled(one)).state, "not-installed");
  assert.deepEqual(await namesOn(rig.root), []);
});

it("a version that an execution uses stays through upgrades, and goes when it is released", async () => {
  const held = await holder();
  const file = String(held.ready["path"]);

  await install("1.7.0");
  await install("1.8.5");

  assert.equal(await firstLine(file), "Terraform v1.6.4");
  await end(held, "SIGTERM");
  await install("1.7.0");
  await until(
    () => "the version without users is removed",
    async () =>
      await access(file).then(
        () => false,
        () => true,
      ),
    { timeoutMs: 60_000 },
  );
});

it("an uninstall finds an execution that began after it was accepted, and fails with the same text", async () => {
  await rig.mirror.publish("terraform", "1.9.0");
  const stall = rig.mirror.fault(/1\.9\.0.*zip$/u, { kind: "stall", afterBytes: 100 });
  await accepted(one, "install", { version: "1.9.0" });
  const id = await accepted(two, "uninstall");
  const held = await holder();
  stall[Symbol.dispose]();

  const status = await settled(one);

  assert.equal(held.ready["version"], "1.6.4");
  assert.equal(status.history.find((entry) => entry.operationId === id)?.error, inUse(1));
  assert.deepEqual([status.state, status.currentVersion], ["ready", "1.9.0"]);
  await end(held, "SIGTERM");
});

it("executions that start in a loop during uninstalls are refused or keep their binary", async () => {
  const keys = await readKeyFile(path.join(rig.database.folder, "keys"));
  await using store = await openPostgresStore({ url: rig.database.url ?? "", keys, log: silentLogger });
  using leases = leasesOf(store, rig.root);
  const stop = new AbortController();
  const seen = { ran: 0, refused: 0 };
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await using lease = await leases.acquire();
        assert.equal(await firstLine(lease.path), `Terraform v${lease.version}`);
        seen.ran += 1;
      } catch (error) {
        assert.ok(error instanceof ApiError && error.code === "Conflict", String(error));
        seen.refused += 1;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const loops = [loop(), loop()];

  for (let round = 0; round < 3; round += 1) {
    await until(
      () => "an uninstall is accepted between two executions",
      async () => (await send(round % 2 === 0 ? one : two, "POST", "uninstall")).status === 202,
      { timeoutMs: 60_000 },
    );
    await settled(one);
    await send(two, "POST", "install", { version: "1.6.4" });
    await settled(two);
  }
  stop.abort();
  await Promise.all(loops);

  assert.ok(seen.ran > 0 && seen.refused > 0, JSON.stringify(seen));
});

async function install(version: string): Promise<void> {
  const { status, body } = await send(one, "POST", "install", { version });
  assert.ok(status === 200 || status === 202, JSON.stringify(body));
  assert.equal((await settled(one)).currentVersion, version);
}

async function holder(): Promise<Launched> {
  const { folder, url = "" } = rig.database;
  return await launch(path.join(import.meta.dirname, "lease-holder.ts"), [url, path.join(folder, "keys"), rig.root]);
}

async function end({ child }: Launched, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

function messageOf(body: Readonly<Record<string, unknown>>): unknown {
  return (body["error"] as { message?: unknown } | undefined)?.message;
}
