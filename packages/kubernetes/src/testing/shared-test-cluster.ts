import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ownTestCluster, requirePods } from "./own-test-cluster.ts";
import type { ClusterDescription } from "./server/cluster-description.ts";
import { TestCluster } from "./test-cluster.ts";

interface SharedCluster {
  readonly description: ClusterDescription;
  readonly hasPods: boolean;
}

export interface TestClusterOptions {
  /** Set for tests that need no controllers and no pods; they run with `KUBEBUILDER_ASSETS`, too. */
  readonly apiServerOnly?: boolean;
}

/** Names the file by which the processes of a test run find the run's cluster. */
const variable = "RAD_TEST_CLUSTER";

let opened: Promise<TestCluster> | undefined;

/** The cluster of this test run; when there is none, one of this process, which ends with it. */
export async function testCluster({ apiServerOnly = false }: TestClusterOptions = {}): Promise<TestCluster> {
  opened ??= open();
  const cluster = await opened;
  if (!apiServerOnly) {
    requirePods(cluster.hasPods);
  }
  return cluster;
}

/** Starts the cluster that `testCluster()` gives in this process and in the processes it starts. */
export async function shareTestCluster(): Promise<AsyncDisposable> {
  const cluster = await ownTestCluster({ apiServerOnly: true });
  const { description, hasPods } = cluster;
  const file = path.join(path.dirname(description.kubeConfig), "shared.json");
  await writeFile(file, JSON.stringify({ description, hasPods } satisfies SharedCluster), { mode: 0o600 });
  process.env[variable] = file;
  return {
    async [Symbol.asyncDispose]() {
      delete process.env[variable];
      await cluster[Symbol.asyncDispose]();
    },
  };
}

async function open(): Promise<TestCluster> {
  const file = process.env[variable];
  if (file === undefined) {
    return await ownTestCluster({ apiServerOnly: true });
  }
  const { description, hasPods } = JSON.parse(await readFile(file, "utf8")) as SharedCluster;
  return new TestCluster(description, hasPods);
}
