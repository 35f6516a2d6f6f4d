// Two servers on one PostgreSQL and one volume. RAD_TERRAFORM_JOBS makes the queue longer.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { isTerminal } from "@rad/core";
import { until } from "@rad/core/testing";
import { auditLines } from "../support/api.ts";
import { seededRandom } from "../support/random.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { accepted, operationIdOf, readOperation, readStatus, send, settled } from "./installer-api.ts";
import { openRig } from "./installer-rig.ts";
import type { InstallerRig } from "./installer-rig.ts";
import { CurrentReader, runCurrent, untilTidy } from "./volume-look.ts";

const jobs = Number(process.env["RAD_TERRAFORM_JOBS"] ?? 30);
const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);
const versions = ["1.6.4", "1.7.0", "1.8.5", "1.9.8"];

let rig: InstallerRig;
let one: ServerProcess;
let two: ServerProcess;
before(async () => {
  rig = await openRig("postgresql");
  [one, two] = await Promise.all([rig.startServer(), rig.startServer()]);
});
after(async () => {
  await one[Symbol.asyncDispose]();
  await two[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

it("100 installs of one version at once, at two servers, are one job and one download", async () => {
  const release = await rig.mirror.publish("terraform", "1.5.0");
  const stall = rig.mirror.fault(/1\.5\.0.*zip$/u, { kind: "stall", afterBytes: 100 });

  const requests = Array.from({ length: 100 }, (_, index) =>
    send(index % 2 === 0 ? one : two, "POST", "install", { version: "1.5.0" }),
  );
  const replies = await Promise.all(requests);
  stall[Symbol.dispose]();
  const status = await settled(two);

  assert.deepEqual(new Set(replies.map((reply) => reply.status)), new Set([202]));
  assert.equal(new Set(replies.map((reply) => reply.body["operationId"])).size, 1);
  assert.equal(release.downloads(), 1);
  assert.deepEqual([status.state, status.currentVersion, status.history.length], ["ready", "1.5.0", 1]);
});

it("mixed installs and uninstalls from two servers end in the order in which they were accepted", async (t) => {
  t.diagnostic(`RAD_TERRAFORM_JOBS=${jobs} RAD_CRASH_SEED=${seed}`);
  const random = seededRandom(seed);
  for (const version of versions) {
    await rig.mirror.publish("terraform", version);
    await rig.mirror.publish("opentofu", version);
  }
  await rig.mirror.publish("terraform", "1.4.0");
  const stall = rig.mirror.fault(/1\.4\.0.*zip$/u, { kind: "stall", afterBytes: 100 });
  const ids = [await accepted(one, "install", { version: "1.4.0" })];
  const wanted: string[] = ["1.4.0"];
  await using reader = new CurrentReader(rig.root);

  while (ids.length < jobs) {
    const version = versions[Math.floor(random() * versions.length)] ?? "";
    const product = random() < 0.3 ? "opentofu" : "terraform";
    const isUninstall = random() < 0.2;
    const what = isUninstall ? "uninstall" : `${product} ${version}`;
    if (what === wanted.at(-1)) {
      continue; // it would join the job before it
    }
    const server = random() < 0.5 ? one : two;
    const reply = await send(
      server,
      "POST",
      isUninstall ? "uninstall" : "install",
      isUninstall ? {} : { product, version },
    );
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    assert.deepEqual([reply.body["status"], reply.body["ahead"]], ["queued", ids.length]);
    ids.push(operationIdOf(reply));
    wanted.push(what);
  }
  assert.equal((await readStatus(two)).queue.pending, jobs - 1);
  stall[Symbol.dispose]();
  const status = await settled(one);
  // The status tells of a job's end before the operation ends and its outcome is in the audit log.
  await until("the last operation has ended", async () =>
    isTerminal((await readOperation(one, ids.at(-1) ?? "")).status),
  );

  const ended = (await auditLines(one)).filter(
    ({ phase, operationId }) => phase === "outcome" && ids.includes(operationId ?? ""),
  );
  assert.deepEqual(
    ended.map(({ operationId }) => operationId),
    ids,
  );
  assert.deepEqual(
    status.history.map(({ operationId }) => operationId),
    ids
      .toReversed()
      .slice(0, 50)
      .concat(jobs < 50 ? status.history.slice(jobs).map((entry) => entry.operationId) : []),
  );
  assert.deepEqual(reader.broken, []);
  await untilTidy(rig.root);
  const active =
    status.currentVersion === null
      ? undefined
      : `${status.product === "opentofu" ? "OpenTofu" : "Terraform"} v${status.currentVersion}`;
  assert.equal(await runCurrent(rig.root), active);
  assert.deepEqual(await readStatus(two), await readStatus(one));
});
