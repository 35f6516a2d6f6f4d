import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestServer } from "@rad/control-plane/testing";
import { faultyProxy, ownTestCluster, testCluster } from "@rad/kubernetes/testing";
import type { TestCluster } from "@rad/kubernetes/testing";
import { CrashingServer, survivingKills } from "../support/crashing-server.ts";
import { databases } from "../support/database.ts";
import { seededRandom } from "../support/random.ts";
import { FleetRun, type FleetServer } from "./fleet-run.ts";

// Deployments and deletions go on whatever is disturbed. `npm run campaign -- kubernetes` sets the large counts.
const kills = Number(process.env["RAD_KUBERNETES_KILLS"] ?? 10);
const restarts = Number(process.env["RAD_KUBERNETES_RESTARTS"] ?? 2);
const cuts = Number(process.env["RAD_KUBERNETES_CUTS"] ?? 10);
const seed = Number(process.env["RAD_KUBERNETES_SEED"] ?? Date.now() % 1_000_000);
const note = `RAD_KUBERNETES_SEED=${seed}`;
const containers = ["one", "two", "three", "four"];
const secrets = { password: "canary-fleet" };

it(`kill -9 of the control plane during deployments and deletions (${kills})`, async (t) => {
  t.diagnostic(note);
  const cluster = await testCluster();
  await using database = await databases.sqlite();
  const config = { ...survivingKills, kubernetes: { kubeConfig: cluster.kubeConfig } };
  await using server = new CrashingServer(database, config);
  await server.start();

  const rounds = await disturb(cluster, () => server.running, {
    count: kills,
    disturbance: () => server.kill(),
  });

  await server.stop();
  await server.assertNowhere(secrets.password);
  t.diagnostic(`${rounds} rounds`);
});

it(`restarts of the API server during deployments and deletions (${restarts})`, async (t) => {
  t.diagnostic(note);
  await using cluster = await ownTestCluster();
  await using server = await startTestServer({ overrides: { kubernetes: { kubeConfig: cluster.kubeConfig } } });

  const rounds = await disturb(cluster, () => server, {
    count: restarts,
    disturbance: async () => {
      await cluster.stop("SIGKILL");
      await cluster.start();
    },
  });

  t.diagnostic(`${rounds} rounds`);
});

it(`cut connections to the API server during deployments and deletions (${cuts})`, async (t) => {
  t.diagnostic(note);
  const cluster = await testCluster();
  await using proxy = await faultyProxy(cluster);
  await using server = await startTestServer({ overrides: { kubernetes: { kubeConfig: proxy.kubeConfig } } });

  const rounds = await disturb(cluster, () => server, { count: cuts, disturbance: async () => proxy.cut() });

  t.diagnostic(`${rounds} rounds`);
});

interface Disturbances {
  readonly count: number;
  readonly disturbance: () => Promise<void>;
}

/**
 * Deploys and deletes fleets until there were as many disturbances, each at a random moment of one of them. Every fleet
 * is there as it should be, and gone afterwards. @returns how many there were
 */
async function disturb(
  cluster: TestCluster,
  server: () => FleetServer,
  { count, disturbance }: Disturbances,
): Promise<number> {
  const random = seededRandom(seed);
  const left = { disturbances: count };
  const during = async (work: Promise<void>): Promise<void> => {
    const state = { isOver: false };
    const watched = work.finally(() => {
      state.isOver = true;
    });
    watched.catch(() => {}); // it is awaited below
    await sleep(random() * 1_500);
    while (left.disturbances > 0 && !state.isOver) {
      left.disturbances -= 1;
      await disturbance();
      await sleep(200 + random() * 1_500);
    }
    await watched;
  };
  let rounds = 0;
  while (left.disturbances > 0) {
    rounds += 1;
    const namespace = await cluster.namespace("fleet");
    const run = new FleetRun(cluster, { namespace, containers, secrets }, server);
    await run.deploy();
    await during(run.assertDeployed());
    await during(run.delete());
  }
  return rounds;
}
