import assert from "node:assert/strict";
import { it } from "node:test";
import { createClient } from "@rad/client";
import { startTestServer } from "@rad/control-plane/testing";
import { Limiter } from "@rad/core";
import { until } from "@rad/core/testing";
import { testCluster } from "@rad/kubernetes/testing";
import { DeployGroup } from "../deploy/group.ts";
import { fleetTemplate, fleetVersion } from "./fleet.ts";

// `npm run campaign -- kubernetes` sets the large count.
const deployments = Number(process.env["RAD_KUBERNETES_DEPLOYMENTS"] ?? 20);
const concurrency = 10;

it(`no watch, timer or socket is left after ${deployments} deployments`, async () => {
  const cluster = await testCluster();
  const namespace = await cluster.namespace("leaks");
  const before = activeResources();
  {
    await using server = await startTestServer({ overrides: { kubernetes: { kubeConfig: cluster.kubeConfig } } });
    const group = await DeployGroup.create(createClient({ endpoint: server.url, token: server.token }), "leaks");
    const client = createClient({ endpoint: server.url, token: server.token });
    const deployOne = async (name: string): Promise<void> => {
      const template = fleetTemplate({ namespace, containers: [name], secrets: {} });
      const { state, error } = await group.deploy(name, template, { secrets: {} });
      assert.equal(state, "Succeeded", JSON.stringify(error));
      await client.resources.delete(`${group.scope}/providers/Applications.Core/containers/${name}`, fleetVersion);
    };
    const deploySome = async (prefix: string, count: number): Promise<void> => {
      const limiter = new Limiter(concurrency);
      const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
      await Promise.all(names.map((name) => limiter.run(() => deployOne(name))));
    };
    await deployOne("first");
    await deploySome("warm", concurrency);
    const warm = activeResources();

    await deploySome("counted", deployments);

    await until(
      () => `nothing has grown (${grown(warm, activeResources()).join()})`,
      () => grown(warm, activeResources()).length === 0,
      { timeoutMs: 60_000 },
    );
  }
  await until(
    () => `nothing is left (${grown(before, activeResources()).join()})`,
    () => grown(before, activeResources()).length === 0,
    { timeoutMs: 60_000 },
  );
});

type Counts = ReadonlyMap<string, number>;

/** What keeps the process alive, by kind: timers, sockets, watches of files. */
function activeResources(): Counts {
  const kinds = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
  return new Map([...kinds].map(([kind, all]) => [kind, all.length]));
}

function grown(before: Counts, after: Counts): readonly string[] {
  return [...after].flatMap(([kind, count]) => (count > (before.get(kind) ?? 0) ? [`${kind}: ${count}`] : []));
}
