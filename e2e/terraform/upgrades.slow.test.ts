// Real Terraform and real OpenTofu from a mirror, by `rad` and a server that are processes of their own.
// RAD_TERRAFORM_VERSIONS=1.4.7,1.5.7 adds versions of Terraform, which are built first: minutes for each.
import assert from "node:assert/strict";
import { readlink } from "node:fs/promises";
import path from "node:path";
import { before, it } from "node:test";
import { builtTerraform, realOpenTofu, realTerraform } from "@rad/terraform/testing/real-binaries";
import type { RealBinary } from "@rad/terraform/testing/real-binaries";
import { databases } from "../support/database.ts";
import { readStatus } from "./installer-api.ts";
import { openRig } from "./installer-rig.ts";
import { namesOn, runCurrent, untilTidy } from "./volume-look.ts";

const names = { terraform: "Terraform", opentofu: "OpenTofu" } as const;

let binaries: RealBinary[];
before(async () => {
  binaries = [await realTerraform(), await realOpenTofu()];
  for (const version of (process.env["RAD_TERRAFORM_VERSIONS"] ?? "").split(",").filter((text) => text !== "")) {
    binaries.push(await builtTerraform(version));
  }
});

for (const kind of Object.keys(databases) as (keyof typeof databases)[]) {
  it(`${kind}: real versions of Terraform and OpenTofu replace each other, there and back`, async (t) => {
    // Nothing is killed: no busy machine is to lose a lease, and with it the count of downloads.
    await using rig = await openRig(kind, { leaseSeconds: 60 });
    const releases = await Promise.all(binaries.map((binary) => rig.mirror.publishReal(binary)));
    await using server = await rig.startServer();
    await using home = await rig.radHome(server);
    const { pid } = server;

    const there = binaries.map((_, index) => index);
    const walk = [...there, ...there.toReversed().slice(1), ...there.slice(1, 2)];
    let before: RealBinary | undefined;
    for (const index of walk) {
      const binary = binaries[index];
      assert.ok(binary !== undefined);
      const { product, version } = binary;
      const flags = ["--product", product, "--version", version, "--wait"];
      const { stdout } = await home.rad("terraform", "install", ...flags);

      assert.match(stdout, new RegExp(`^${names[product]} ${escaped(version)} ready \\(installed .*Z\\)$`, "m"));
      assert.equal(await runCurrent(rig.root), `${names[product]} v${version}`);
      if (before !== undefined) {
        assert.equal(await readlink(path.join(rig.root, "previous")), linkOf(before));
      }
      before = binary;
    }

    const status = await readStatus(server);
    assert.deepEqual([status.state, status.currentVersion], ["ready", before?.version]);
    assert.equal(status.binaryPath, path.join(rig.root, linkOf(before)));
    if (releases.length === 2) {
      // Both stay on the volume, so the way back switches links and downloads nothing.
      assert.deepEqual(
        releases.map((release) => release.downloads()),
        [1, 1],
      );
    }
    await untilTidy(rig.root);
    const { stdout } = await home.rad("terraform", "uninstall", "--wait");
    assert.match(stdout, new RegExp(`^${names[before?.product ?? "terraform"]} .* uninstalled$`, "m"));
    assert.deepEqual(await namesOn(rig.root), []);
    assert.equal(server.pid, pid);
    t.diagnostic(`installed ${walk.length} times: ${binaries.map((b) => `${b.product} ${b.version}`).join(", ")}`);
  });
}

function linkOf(binary: RealBinary | undefined): string {
  assert.ok(binary !== undefined);
  return binary.product === "terraform" ? `${binary.version}/terraform` : `opentofu-${binary.version}/tofu`;
}

function escaped(text: string): string {
  return text.replaceAll(".", "\\.");
}
