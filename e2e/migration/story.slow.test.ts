// Story 2 of the design: a live environment moves from recipeConfig to settings while its recipes run in a loop, and the
// server is killed meanwhile. RAD_MIGRATION_KILLS and RAD_CRASH_SEED make it longer, or repeat what is asked for.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ClientError, isOutage } from "@rad/client";
import { isTerminal, type JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import { freePort } from "@rad/store/testing";
import { createRadHome } from "../kubernetes/rad-home.ts";
import type { RadHome } from "../kubernetes/rad-home.ts";
import { bucketId, deployBucket } from "../recipes/recipe-rig.ts";
import { clientOf, group, request } from "../support/api.ts";
import { CrashingServer, survivingKills } from "../support/crashing-server.ts";
import { databases } from "../support/database.ts";
import { seededRandom } from "../support/random.ts";
import { legacyVersion, openLegacyRig, putLogin } from "./legacy-rig.ts";

const kills = Number(process.env["RAD_MIGRATION_KILLS"] ?? 5);
const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);
const settingsVersion = "2025-08-01-preview";
const buckets = ["story-a", "story-b"];

it("recipes run on while an environment moves to settings, and nothing is recreated (S000-195, S000-222)", async (t) => {
  const random = seededRandom(seed);
  await using legacy = await openLegacyRig();
  const { rig, recipeConfig } = legacy;
  await using database = await databases.sqlite();
  await using server = new CrashingServer(database, {
    ...survivingKills,
    ...rig.config(database.folder),
    server: { port: await freePort() },
    metricsProvider: { enabled: true },
  });
  await server.start();
  await rig.prepare(server.running);
  await putLogin(server.running);
  const environment = await legacy.putEnvironment(server.running, "story", { recipeConfig });
  for (const name of buckets) {
    await deployBucket(server.running, name, { environment, team: "first" });
  }
  await using home = await connectedHome(server);
  const loop = new RecipeLoop(server, environment);
  const running = buckets.map((name) => loop.run(name));

  // Each round moves the environment once; a kill comes at some moment of every step.
  const steps: readonly (() => Promise<unknown>)[] = [
    () => Promise.resolve(),
    () => converge(server, home),
    () => Promise.resolve(),
    () => retried(server, () => legacy.putEnvironment(server.running, "story", references)),
    () => Promise.resolve(),
  ];
  for (let index = 0; index < kills; index += 1) {
    const step = steps[index % steps.length];
    assert.ok(step !== undefined);
    if (index > 0 && index % steps.length === 0) {
      await retried(server, () => legacy.putEnvironment(server.running, "story", { recipeConfig }));
    }
    const killed = sleep(random() * 1_500).then(() => server.kill());
    await Promise.all([step(), killed]);
    await loop.oneMoreRun();
    if (index % steps.length === 2) {
      await assertWarned(server);
    }
  }
  loop.stop();
  await Promise.all(running);

  assert.deepEqual(loop.failures, []);
  assert.equal(rig.cloud.count("create"), buckets.length);
  assert.equal(rig.cloud.count("delete"), 0);
  const updates = rig.cloud.count("update");
  for (const name of buckets) {
    await deployBucket(server.running, name, { environment, team: loop.lastTeam(name) });
    const { body } = await request(server.running, "GET", `/recipes/logs${bucketId(name)}`);
    assert.match(JSON.stringify(body), /0 added, 0 changed, 0 destroyed|No changes/u);
  }
  assert.equal(rig.cloud.count("update"), updates, "recipeConfig is gone, and nothing is to be changed");
  t.diagnostic(
    `RAD_MIGRATION_KILLS=${kills} RAD_CRASH_SEED=${seed}: ${loop.runs} runs during ${server.killed} kills, ${updates} updates`,
  );
});

const references: JsonObject = Object.fromEntries(
  ["terraformSettings", "bicepSettings"].map((kind) => [kind, `${group}/providers/Radius.Core/${kind}/story`]),
);

/** Redeploys buckets again and again, each time with another tag. */
class RecipeLoop {
  runs = 0;
  readonly failures: string[] = [];
  readonly #server: CrashingServer;
  readonly #environment: string;
  readonly #teams = new Map<string, string>();
  #isStopped = false;

  constructor(server: CrashingServer, environment: string) {
    this.#server = server;
    this.#environment = environment;
  }

  async run(name: string): Promise<void> {
    for (let count = 1; !this.#isStopped && this.failures.length === 0; count += 1) {
      const team = `team-${count}`;
      this.#teams.set(name, team);
      try {
        await retried(this.#server, () =>
          deployBucket(this.#server.running, name, { environment: this.#environment, team }),
        );
      } catch (error) {
        this.failures.push(`${name} ${team}: ${error instanceof Error ? error.message : String(error)}`);
      }
      this.runs += 1;
    }
  }

  async oneMoreRun(): Promise<void> {
    const before = this.runs;
    await until("a recipe has run", () => this.runs > before || this.failures.length > 0, { timeoutMs: 120_000 });
  }

  lastTeam(name: string): string {
    return this.#teams.get(name) ?? "";
  }

  stop(): void {
    this.#isStopped = true;
  }
}

/** Repeats work whose request met a server that died, or a run that goes on from before; every other failure counts. */
async function retried<T>(server: CrashingServer, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof ClientError && error.status === 409;
      if (!isOutage(error) && !isBusy) {
        throw error;
      }
      await sleep(100);
      await Promise.all(buckets.map((name) => settled(server, name)));
    }
  }
}

/** Waits until no run is under way; one that ended badly is a failure. */
async function settled(server: CrashingServer, name: string): Promise<void> {
  let state = "";
  await until(
    () => `${name} is at rest; it is ${state}`,
    async () => {
      try {
        const { body } = await request(server.running, "GET", bucketId(name));
        const { properties } = (body ?? {}) as { properties?: { provisioningState?: string } };
        state = properties?.provisioningState ?? "";
        return isTerminal(state);
      } catch {
        return false; // the server is down
      }
    },
    { timeoutMs: 120_000 },
  );
  assert.equal(state, "Succeeded", `the run of ${name} that met a kill`);
}

/** The command may meet the kill; repeating it goes on where it was. */
async function converge(server: CrashingServer, home: RadHome): Promise<void> {
  const errors: string[] = [];
  await until(
    () => `the environment is migrated: ${errors.join("\n")}`,
    async () => {
      const { code, stderr } = await home.start("terraform", "migrate", "-e", "story", "--no-preview", "--apply").ended;
      errors.push(stderr);
      return code === 0;
    },
    { timeoutMs: 60_000 },
  );
  const settings = await retried(server, async () => {
    const { resources } = clientOf(server.running);
    const environment = `${group}/providers/Applications.Core/environments/story`;
    const { properties } = await resources.get(environment, { apiVersion: legacyVersion });
    const { terraformSettings } = properties as JsonObject;
    return await resources.get(String(terraformSettings), { apiVersion: settingsVersion });
  });
  assert.ok(Object.hasOwn((settings["properties"] as JsonObject)["env"] as JsonObject, "SSL_CERT_FILE"));
}

/** The new path shows in the log of a run and in the metrics. */
async function assertWarned({ running }: CrashingServer): Promise<void> {
  assert.match(running.output, /members of recipeConfig are ignored/u);
  const response = await fetch(`${running.url}/metrics`, { headers: { authorization: `Bearer ${running.token}` } });
  assert.match(await response.text(), /^radius_environments\{family="Applications\.Core",configured_by="both"\} 1$/mu);
}

async function connectedHome({ running }: CrashingServer): Promise<RadHome> {
  const tokenFile = path.join(running.folder, "rad-token");
  await writeFile(tokenFile, running.token, { mode: 0o600 });
  return await createRadHome({ server: { url: running.url, tokenFile }, group: "test" });
}
