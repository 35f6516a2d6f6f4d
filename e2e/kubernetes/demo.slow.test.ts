import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { RefusedRequest, type TestCluster, testCluster } from "@rad/kubernetes/testing";

const main = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));
const namespace = "radius-demo-shop";
const objects = {
  proxies: `/apis/projectcontour.io/v1/namespaces/${namespace}/httpproxies`,
  deployments: `/apis/apps/v1/namespaces/${namespace}/deployments`,
  secrets: `/api/v1/namespaces/${namespace}/secrets`,
};

interface ObjectList {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly generation?: number } }[];
}

async function namesIn(cluster: TestCluster, collection: string): Promise<string[]> {
  const { items } = await cluster.request<ObjectList>("GET", collection);
  return items.map(({ metadata }) => metadata.name).sort();
}

/** Says of every HTTPProxy what Contour would say, until `signal` is aborted; resolves to what it has seen. */
async function standInForContour(cluster: TestCluster, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  while (!signal.aborted) {
    for (const name of await namesIn(cluster, objects.proxies)) {
      const status = { currentStatus: "valid", description: "Valid HTTPProxy" };
      await cluster.request("PATCH", `${objects.proxies}/${name}/status`, { status }).catch((error: unknown) => {
        assert.ok(error instanceof RefusedRequest && error.status === 404, String(error)); // it has just gone
      });
      seen.add(name);
    }
    await delay(100);
  }
  return seen;
}

it("rad demo --kube-context deploys into that cluster, shows the graph, and leaves no object behind", async () => {
  const cluster = await testCluster();
  await cluster.install("contour");
  const home = await mkdtemp(path.join(tmpdir(), "rad-demo-home-"));
  const env = { PATH: process.env["PATH"], HOME: home, TMPDIR: home, KUBECONFIG: cluster.kubeConfig };
  const ended = new AbortController();
  const contour = standInForContour(cluster, ended.signal);
  try {
    const args = ["--disable-warning=ExperimentalWarning", main, "demo", "--kube-context", cluster.context];

    const { stdout } = await promisify(execFile)(process.execPath, args, { env });

    ended.abort();
    assert.deepEqual([...(await contour)].sort(), ["edge", "web"]);
    assert.match(stdout, /^ {2}web \(apps\/Deployment\)$/m);
    assert.match(stdout, /^ {2}edge \(projectcontour\.io\/HTTPProxy\)$/m);
    assert.doesNotMatch(stdout, /deployment-web\.yaml/);
    assert.deepEqual(await namesIn(cluster, objects.deployments), []);
    assert.deepEqual(await namesIn(cluster, objects.proxies), []);
    assert.deepEqual(await namesIn(cluster, objects.secrets), []);
    assert.deepEqual(await readdir(home), []);
  } finally {
    ended.abort();
    await rm(home, { recursive: true, force: true });
  }
});
