import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { it } from "node:test";
import { promisify } from "node:util";
import { shareTestCluster, testCluster } from "./shared-test-cluster.ts";

it("gives the cluster of the run to every process of it", async () => {
  await using _ = await shareTestCluster();
  const here = await testCluster();
  const kit = JSON.stringify(path.join(import.meta.dirname, "shared-test-cluster.ts"));
  const script = `
    const { testCluster } = await import(${kit});
    const cluster = await testCluster();
    console.log(cluster.url, await cluster.request("GET", "/readyz"));
  `;

  const { stdout } = await promisify(execFile)(process.execPath, ["--eval", script]);

  assert.equal(stdout, `${here.url} ok\n`);
});
