// The journey of an organisation without a way out, in a network namespace of its own: see air-gap.slow.test.ts.
import assert from "node:assert/strict";
import path from "node:path";
import { realTerraform } from "@rad/terraform/testing/real-binaries";
import { createPlatform, deleteBucket, deployBucket, openRecipeRig } from "../../recipes/recipe-rig.ts";
import { clientOf, group, registerType } from "../../support/api.ts";
import { databases } from "../../support/database.ts";
import { openRadHome } from "../plan-rig.ts";
import { startEgressGuard } from "./egress-guard.ts";

await using guard = await startEgressGuard();
await assert.rejects(fetch("https://registry.terraform.io/v1/providers"));
const [name, connection] = new Set(guard.take());
assert.deepEqual(
  [name, connection?.replace(/^tcp (?:::ffff:)?/u, "")],
  ["dns registry.terraform.io", "198.51.100.7:443"],
);

await using rig = await openRecipeRig();
await using database = await databases.sqlite();
const server = await database.startServer({
  terraform: {
    installer: { root: path.join(database.folder, "volume"), drainSeconds: 0 },
    runs: { root: path.join(database.folder, "runs"), graceSeconds: 5 },
  },
});
try {
  await using home = await openRadHome(server);
  const client = clientOf(server);
  await client.groups.put("test");

  // Terraform, with three flags and nothing else.
  const settings = `${group}/providers/Radius.Core/terraformSettings`;
  assert.deepEqual(await client.resources.list(settings, { apiVersion: "2025-08-01-preview" }), []);
  const release = await rig.releases.publishReal(await realTerraform());
  const { url, checksum, version } = release;
  const flags = ["--url", url, "--checksum", `sha256:${checksum}`, "--ca-bundle", rig.releases.caFile, "--wait"];
  const installed = await home.rad("terraform", "install", ...flags);
  assert.equal(installed.code, 0, installed.stderr);
  assert.match(installed.stdout, new RegExp(`Terraform ${version} ready`, "u"));
  assert.equal(release.downloads(), 1);

  // Recipes, with settings that name a mirror. They do not ask where the installer got its binary.
  await registerType(server, "Test.Stores/buckets", {
    environment: { type: "string" },
    arn: { type: "string", readOnly: true },
  });
  const askedOfReleases = rig.releases.requests.length;
  assert.equal(rig.mirror.requests.length, 0);
  const environment = await createPlatform(rig, server, { name: "sealed" });
  const { arn } = await deployBucket(server, "sealed", { environment });
  assert.equal(arn, "arn:aws:s3:::sealed");
  assert.equal(rig.cloud.count("create"), 1);
  const listed = await home.rad("terraform", "mirror-list", "-e", "sealed", "-g", "test", "-o", "json");
  assert.equal(listed.code, 0, listed.stdout + listed.stderr);
  const { providers } = JSON.parse(listed.stdout) as { providers: readonly { address: string }[] };
  assert.deepEqual(
    providers.map(({ address }) => address),
    ["registry.terraform.io/hashicorp/aws"],
  );
  await deleteBucket(server, "sealed");
  assert.deepEqual(rig.cloud.objects(), []);
  assert.equal(rig.releases.requests.length, askedOfReleases);

  // Another install does not ask the mirror of the settings.
  const askedOfMirror = rig.mirror.requests.length;
  assert.ok(askedOfMirror > 0);
  const removed = await home.rad("terraform", "uninstall", "--wait");
  assert.equal(removed.code, 0, removed.stderr);
  const again = await home.rad("terraform", "install", ...flags);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(rig.mirror.requests.length, askedOfMirror);

  assert.deepEqual(guard.attempts, []);
  process.stdout.write("complete\n");
} finally {
  await server[Symbol.asyncDispose]();
}
