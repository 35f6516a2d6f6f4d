// Terraform, its provider and the server are killed while recipes are applied and destroyed. RAD_RECIPE_KILLS and
// RAD_CRASH_SEED make it longer, or repeat what is asked for.
import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal } from "@rad/core";
import { until } from "@rad/core/testing";
import type { CloudRequest } from "@rad/terraform/testing";
import { request } from "../support/api.ts";
import { CrashingServer, survivingKills } from "../support/crashing-server.ts";
import { databases } from "../support/database.ts";
import { seededRandom } from "../support/random.ts";
import { listOrphans } from "./orphans.ts";
import { bucketId, createPlatform, deleteBucket, deployBucket, openRecipeRig } from "./recipe-rig.ts";
import type { RecipeRig } from "./recipe-rig.ts";
import { WriterWatch } from "./terraform-processes.ts";

const kills = Number(process.env["RAD_RECIPE_KILLS"] ?? 15);
const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);

const victims = ["terraform", "provider", "server"] as const;
const phases = ["apply", "destroy"] as const;
const moments = ["before", "after", "sometime"] as const;
type Victim = (typeof victims)[number];

/** Buckets per resource, so that a kill can meet one in the middle. */
const copies = 3;

it("a kill at any instant loses nothing in the cloud, and the next run converges", async (t) => {
  const random = seededRandom(seed);
  const watch = new WriterWatch(({ id }) => ownerOf(id));
  await using rig = await openRecipeRig({ onRequest: (request) => watch.see(request) });
  await using database = await databases.sqlite();
  await using server = new CrashingServer(database, { ...survivingKills, ...rig.config(database.folder) });
  await server.start();
  await rig.prepare(server.running);
  const environment = await createPlatform(rig, server.running, { name: "kills" });
  const campaign = new Campaign(rig, server, environment, random);

  // Every victim in every phase first, then at random.
  const plans = phases.flatMap((phase) =>
    victims.flatMap((victim) => moments.map((moment) => ({ phase, victim, moment }))),
  );
  for (let index = 0; index < kills; index += 1) {
    const plan = plans[index] ?? plans[Math.floor(random() * plans.length)];
    assert.ok(plan !== undefined);
    await campaign.kill(`kill-${index}`, plan);
    assert.deepEqual(watch.problems, []);
  }

  assert.deepEqual(rig.cloud.objects(), []);
  t.diagnostic(
    `RAD_RECIPE_KILLS=${kills} RAD_CRASH_SEED=${seed}: ${campaign.met} kills met a request of a provider, ` +
      `${campaign.orphans} creations were listed as orphans`,
  );
});

class Campaign {
  met = 0;
  orphans = 0;
  readonly #rig: RecipeRig;
  readonly #server: CrashingServer;
  readonly #environment: string;
  readonly #random: () => number;

  constructor(rig: RecipeRig, server: CrashingServer, environment: string, random: () => number) {
    this.#rig = rig;
    this.#server = server;
    this.#environment = environment;
    this.#random = random;
  }

  async kill(
    name: string,
    plan: {
      readonly phase: (typeof phases)[number];
      readonly victim: Victim;
      readonly moment: (typeof moments)[number];
    },
  ): Promise<void> {
    const { phase, victim, moment } = plan;
    const what = `${name}: ${victim}, ${phase}, ${moment}`;
    const properties = { environment: this.#environment, bucketName: name, copies };
    if (phase === "destroy") {
      await deployBucket(this.#server.running, name, properties);
    }
    const work = (): Promise<unknown> =>
      phase === "apply"
        ? deployBucket(this.#server.running, name, properties)
        : deleteBucket(this.#server.running, name);

    await this.#killDuring(work, name, plan);
    await this.#settled(name);

    const unsaved = await this.#accountedFor(name, what);
    // A user removes what Terraform created and did not save; then the same request again converges.
    for (const id of unsaved) {
      this.#rig.cloud.remove(id);
      this.orphans += 1;
    }
    if (phase === "apply") {
      await deployBucket(this.#server.running, name, properties);
      assert.equal(this.#objects(name).length, copies, what);
    }
    await deleteBucket(this.#server.running, name);
    assert.deepEqual(this.#objects(name), [], what);
  }

  /** Kills at a request for the middle one of the buckets, or at some time; the request that started it may fail. */
  async #killDuring(
    work: () => Promise<unknown>,
    name: string,
    { phase, victim, moment }: { readonly phase: string; readonly victim: Victim; readonly moment: string },
  ): Promise<void> {
    const action = phase === "apply" ? "create" : "delete";
    const hit = Promise.withResolvers<CloudRequest>();
    const pattern =
      moment === "sometime" ? new RegExp(`^${action} .* ${name}`, "u") : new RegExp(`^${action} .* ${name}-1$`, "u");
    using fault = this.#rig.cloud.fault(
      pattern,
      {
        kind: "call",
        when: moment === "after" ? "after" : "before",
        call: async (request) => {
          if (moment === "sometime") {
            await sleep(this.#random() * 300);
          }
          hit.resolve(request);
          if (victim !== "server") {
            killProcess(victim === "terraform" ? request.terraformPid : request.providerPid);
          }
        },
      },
      { times: 1 },
    );
    const ended = work().then(
      () => undefined,
      (error: unknown) => error,
    );
    await Promise.race([hit.promise, ended]);
    if (victim === "server") {
      await this.#server.kill();
    }
    await ended;
    this.met += fault.met;
  }

  /** Waits until nothing works on the resource any more; a killed server leaves that to the next one. */
  async #settled(name: string): Promise<void> {
    let last = "";
    await until(
      () => `${name} is at rest; it is ${last}`,
      async () => {
        const { status, body } = await request(this.#server.running, "GET", bucketId(name));
        last = `${status} ${JSON.stringify(body)}`;
        const { properties } = (body ?? {}) as { properties?: { provisioningState?: string } };
        return status === 404 || isTerminal(properties?.provisioningState ?? "");
      },
      { timeoutMs: 120_000 },
    );
  }

  /**
   * Every object in the cloud is in the state, whose ids the resource shows, or in the list of orphans with its address.
   * @returns ids of those that Terraform had not saved
   */
  async #accountedFor(name: string, plan: string): Promise<string[]> {
    const { status, body } = await request(this.#server.running, "GET", bucketId(name));
    const { properties } = (status === 200 ? body : {}) as {
      properties?: { status?: { outputResources?: readonly { id: string }[] } };
    };
    const known = (properties?.status?.outputResources ?? []).map(({ id }) => id.split("/").at(-1));
    const orphans = await listOrphans(this.#server.running);
    const own = orphans.filter(({ resourceId }) => resourceId.toLowerCase() === bucketId(name).toLowerCase());
    const unsaved: string[] = [];
    for (const { id } of this.#objects(name)) {
      const index = Number(id.slice(name.length + 1) || 0);
      const isOrphan = own.some(({ what }) => what.includes(`.aws_s3_bucket.this[${index}] `));
      assert.ok(
        known.includes(id) || isOrphan,
        `${plan}: ${id} is in the cloud and in neither ${JSON.stringify(known)} nor ${JSON.stringify(orphans)}`,
      );
      if (!known.includes(id)) {
        unsaved.push(id);
      }
    }
    return unsaved;
  }

  #objects(name: string): readonly { readonly id: string }[] {
    return this.#rig.cloud.objects().filter(({ id }) => ownerOf(id) === name);
  }
}

/** `kill-3` of the bucket `kill-3-1`. */
function ownerOf(id: string): string {
  return id.split("-").slice(0, 2).join("-");
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended by itself
  }
}
