// The seed's first story, as an operator types it: a newer version is asked for while the one before still downloads.
import assert from "node:assert/strict";
import { it } from "node:test";
import { openRig } from "./installer-rig.ts";

it("an install right after another one waits for it, and is the active version in the end", async () => {
  await using rig = await openRig("sqlite", { leaseSeconds: 60 });
  await rig.mirror.publish("terraform", "1.6.4");
  await rig.mirror.publish("terraform", "1.7.0");
  const stall = rig.mirror.fault(/1\.6\.4.*zip$/u, { kind: "stall", afterBytes: 100 });
  await using server = await rig.startServer();
  await using home = await rig.radHome(server);

  const first = await home.rad("terraform", "install", "--version", "1.6.4");
  const second = await home.rad("terraform", "install", "--version", "1.7.0");
  const meanwhile = await home.rad("terraform", "status", "-o", "json");
  stall[Symbol.dispose]();
  await home.rad("terraform", "install", "--version", "1.7.0", "--wait");
  const { stdout } = await home.rad("terraform", "status", "--history");

  assert.equal(first.stdout, "Terraform 1.6.4 install started...\n");
  assert.match(second.stdout, /^Terraform 1\.7\.0 install queued/u);
  const { queue } = JSON.parse(meanwhile.stdout) as { queue: { pending: number; inProgress: { version: string } } };
  assert.deepEqual([queue.pending, queue.inProgress.version], [1, "1.6.4"]);
  assert.match(stdout, /^Terraform 1\.7\.0 ready/u);
  assert.deepEqual(
    [...stdout.matchAll(/^(?:terraform\s+)?(1\.\d\.\d)\s+install\s+(\w+)/gimu)].map(([, version, state]) => [
      version,
      state,
    ]),
    [
      ["1.7.0", "Succeeded"],
      ["1.6.4", "Succeeded"],
    ],
    stdout,
  );
});
