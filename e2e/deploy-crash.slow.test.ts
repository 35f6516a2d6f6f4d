import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@rad/client";
import type { Client, ResourceBody } from "@rad/client";
import { objectMember, silentLogger } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { openPostgresStore, openSqliteStore, readKeyFile } from "@rad/store";
import type { Store } from "@rad/store";
import { DeployGroup } from "./deploy/group.ts";
import { largeCount, largeTemplate, teams } from "./deploy/large-template.ts";
import { describeDeployment, withoutRandom } from "./deploy/outcome.ts";
import { auditLines, registerType } from "./support/api.ts";
import { CrashingServer, survivingKills } from "./support/crashing-server.ts";
import { databases } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { steeredType } from "./support/handlers.ts";
import { seededRandom } from "./support/random.ts";

// A deployment of 200 resources lasts for about twenty kills; what is left goes to further ones, in groups of their own.
// RAD_CRASH_KILLS=50 makes it longer, RAD_CRASH_SEED repeats a run. The seed decides when the server dies; how far it
// has come by then is up to the machine.
const kills = Number(process.env["RAD_CRASH_KILLS"] ?? 12);
const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);
const config = {
  ...survivingKills,
  deployments: { concurrency: 10 },
};
/** Part of every secret value. */
const canary = `canary-${seed}-${Date.now()}`;

for (const [name, openDatabase] of Object.entries(databases)) {
  it(`${name}: a deployment goes on after kill -9 as if nothing had happened (${kills} kills)`, async (t) => {
    t.diagnostic(`RAD_CRASH_KILLS=${kills} RAD_CRASH_SEED=${seed}`);
    await using database = await openDatabase();
    const run = new CrashRun(database, seededRandom(seed));
    await run.start();
    await using _ = run;
    const calm = await run.deployCalmly("calm");
    assert.equal(Object.keys(calm.resources).length, largeCount);

    for (let round = 1; run.killed < kills; round += 1) {
      const killedBefore = run.killed;
      const disturbed = await run.deployUnderFire(`stormy-${round}`, kills);
      t.diagnostic(`deployment ${round}: ${run.killed - killedBefore} kills`);
      assert.deepEqual(disturbed, calm);
    }

    await run.everyResourceWasSentOnce();
    await run.noHandlerRanTwiceInOneProcess();
    await run.end();
    await run.secretsAreNowhere();
    await onlyTemplatesStaySealed(database);
  });
}

type Described = ReturnType<typeof describeDeployment>;

/** Deployments to a server that is killed and started again. */
class CrashRun implements AsyncDisposable {
  readonly #database: TestDatabase;
  readonly #random: () => number;
  readonly #server: CrashingServer;

  constructor(database: TestDatabase, random: () => number) {
    this.#database = database;
    this.#random = random;
    this.#server = new CrashingServer(database, config);
  }

  get killed(): number {
    return this.#server.killed;
  }

  async start(): Promise<void> {
    await this.#server.start();
    await registerType(this.#server.running, steeredType, {
      version: { type: "integer" },
      workMs: { type: "integer" },
      journal: { type: "string" },
      id: { type: "string" },
      password: { type: "string", "x-radius-sensitive": true },
    });
  }

  async deployCalmly(name: string): Promise<Described> {
    const group = await DeployGroup.create(this.#client(), name);
    await group.deploy("large", largeTemplate(), this.#parameters(name));
    return this.#describe(group);
  }

  /** Kills the server at random moments until the deployment has ended, or `limit` is reached. */
  async deployUnderFire(name: string, limit: number): Promise<Described> {
    const started = await DeployGroup.create(this.#client(), name);
    await started.start("large", largeTemplate(), this.#parameters(name));
    while (this.killed < limit) {
      await sleep(this.#server.takeOverMs + 20 + this.#random() * 400);
      const { state } = await this.#client().deployments.get(this.#group(name).deploymentId("large"));
      if (state === "Succeeded") {
        break;
      }
      await this.#kill();
    }
    await this.#group(name).ended("large");
    return this.#describe(this.#group(name));
  }

  /** A PUT of a resource leaves one record of its intent. */
  async everyResourceWasSentOnce(): Promise<void> {
    const sends = new Map<string, number>();
    for (const { phase, target } of await auditLines(this.#server.running)) {
      if (phase === "intent" && /\/resourceGroups\/[^/]+\/providers\/(?!Microsoft\.Resources)/i.test(target)) {
        sends.set(target, (sends.get(target) ?? 0) + 1);
      }
    }
    assert.ok(sends.size >= 2 * largeCount, "the audit log shows hardly anything");
    assert.deepEqual(
      [...sends].filter(([, count]) => count > 1),
      [],
      "resources that were sent more than once",
    );
  }

  /** Work that a kill interrupted starts again in the next process, and only there. */
  async noHandlerRanTwiceInOneProcess(): Promise<void> {
    for (const file of (await readdir(this.#database.folder)).filter((entry) => entry.startsWith("journal-"))) {
      const lines = (await readFile(path.join(this.#database.folder, file), "utf8")).split("\n");
      const starts = lines.filter((line) => line.startsWith("start "));
      assert.deepEqual(
        starts.filter((line, index) => starts.indexOf(line) !== index),
        [],
        `repeated in ${file}`,
      );
    }
  }

  async end(): Promise<void> {
    await this.#server.stop();
  }

  async secretsAreNowhere(): Promise<void> {
    await this.#server.assertNowhere(canary);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  async #kill(): Promise<void> {
    await this.#server.kill();
    await this.#server.assertNowhere(canary);
  }

  async #describe(group: DeployGroup): Promise<Described> {
    const deployment = await group.ended("large");
    const [operations, documents] = [await group.operations("large"), await group.documents()];
    this.#server.saw([deployment.body, ...operations.values(), ...documents.values()]);
    assert.equal(deployment.state, "Succeeded", JSON.stringify(deployment.error?.wire, null, 2));
    sharesIds(documents);
    return withoutRandom(describeDeployment(group.scope, deployment, operations, withoutProcess(documents)));
  }

  #parameters(group: string): JsonObject {
    return { secret: canary, journal: path.join(this.#database.folder, `journal-${group}`) };
  }

  #group(name: string): DeployGroup {
    return new DeployGroup(this.#client(), name);
  }

  #client(): Client {
    return createClient({ endpoint: this.#server.running.url, token: this.#server.running.token });
  }
}

/** The ids that templates make up are made up once per deployment, however often it was resumed. */
function sharesIds(documents: ReadonlyMap<string, ResourceBody>): void {
  const own = new Set<string>();
  const nested = new Set<string>();
  for (const document of documents.values()) {
    const { id, note } = objectMember(document, "properties");
    const [shared, kind] = String(id ?? note).split(" ");
    if (shared !== "undefined") {
      own.add(String(shared));
    }
    if (id !== undefined && kind !== undefined) {
      nested.add(kind);
    }
  }
  assert.equal(own.size, 1, "the deployment has several ids");
  assert.equal(nested.size, teams, "nested deployments have several ids each");
}

/** What a run needed, and the answers it kept for a resume, go when it ends. */
async function onlyTemplatesStaySealed(database: TestDatabase): Promise<void> {
  await using store = await openStore(database);
  const { items } = await store.list({ under: "/planes/radius/local" });
  assert.ok(!JSON.stringify(items).includes(canary), "a document shows a secret");
  const records = items.filter(({ type }) => type.startsWith("Microsoft.Resources/deployments"));
  assert.ok(records.length > largeCount, "there are hardly any records");
  for (const { id } of records) {
    const kept = Object.keys(await store.secrets(id)).filter((pointer) => pointer !== "/template");
    assert.deepEqual(kept, [], `sealed on ${id}`);
  }
}

async function openStore({ url, folder }: TestDatabase): Promise<Store> {
  const log = silentLogger;
  return url === undefined
    ? openSqliteStore({ directory: path.join(folder, "data"), log })
    : openPostgresStore({ url, keys: await readKeyFile(path.join(folder, "keys")), log });
}

/** Which process did the work, and where it noted that, differs from run to run. */
function withoutProcess(documents: ReadonlyMap<string, ResourceBody>): ReadonlyMap<string, ResourceBody> {
  return new Map(
    [...documents].map(([id, document]) => {
      const { result: _result, journal: _journal, ...properties } = objectMember(document, "properties");
      return [id, { ...document, properties }];
    }),
  );
}
