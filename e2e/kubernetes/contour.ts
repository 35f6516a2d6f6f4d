import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@rad/core";
import { isJsonObject } from "@rad/core";
import type { TestCluster } from "@rad/kubernetes/testing";

const proxies = "/apis/projectcontour.io/v1/httpproxies";

/** Writes the status that Contour would write into every HTTPProxy of namespaces that begin so, until it is disposed. */
export function standInForContour(cluster: TestCluster, prefix: string): AsyncDisposable {
  const stop = new AbortController();
  const working = work(cluster, prefix, stop.signal);
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await working;
    },
  };
}

async function work(cluster: TestCluster, prefix: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // The API server may be away: that is what some tests are about.
    await writeStates(cluster, prefix).catch(() => {});
    await sleep(100, undefined, { signal }).catch(() => {});
  }
}

async function writeStates(cluster: TestCluster, prefix: string): Promise<void> {
  const { items } = await cluster.request<{ items: JsonObject[] }>("GET", proxies);
  for (const { metadata, status } of items) {
    const { name, namespace } = metadata as { name: string; namespace: string };
    if (namespace.startsWith(prefix) && !(isJsonObject(status) && status["currentStatus"] === "valid")) {
      const place = `/apis/projectcontour.io/v1/namespaces/${namespace}/httpproxies/${name}/status`;
      const body = { status: { currentStatus: "valid", description: "Valid HTTPProxy" } };
      await cluster.request("PATCH", place, body, { contentType: "application/merge-patch+json" });
    }
  }
}
