import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@rad/client";
import type { Client } from "@rad/client";
import { isTerminal, type JsonObject } from "@rad/core";
import { BoxProcess, boxType } from "@rad/deployments/testing";
import { boxCount, boxDeployment } from "./deploy/box-deployment.ts";
import { DeployGroup } from "./deploy/group.ts";
import { registerType } from "./support/api.ts";
import { settledAudit } from "./support/audit-log.ts";
import { CrashingServer, survivingKills } from "./support/crashing-server.ts";
import { databases } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { steeredType } from "./support/handlers.ts";
import { seededRandom } from "./support/random.ts";

// Deployments to a provider in a process of its own, by a server that is killed again and again. RAD_CRASH_KILLS=50 makes
// it longer, RAD_CRASH_SEED repeats the moments of the kills.
const kills = Number(process.env["RAD_CRASH_KILLS"] ?? 5);
const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);
const canary = `canary-${seed}-${Date.now()}`;
const config = {
  ...survivingKills,
  deployments: { concurrency: 4 },
};

for (const [name, openDatabase] of Object.entries(databases)) {
  it(`${name}: what a provider outside has made is on record, whenever the server dies (${kills} kills)`, async (t) => {
    t.diagnostic(`RAD_CRASH_KILLS=${kills} RAD_CRASH_SEED=${seed}`);
    await using database = await openDatabase();
    await using provider = await BoxProcess.start();
    await using run = new CrashRun(database, provider, seededRandom(seed));
    await run.start();

    for (let round = 1; run.killed < kills; round += 1) {
      await run.deployUnderFire(round);
    }

    await run.end();
    await run.secretsAreNowhere();
    const { creations, requests } = await provider.ledger();
    t.diagnostic(`${run.succeeded} deployments succeeded, ${run.cancelled} were cancelled, ${run.killed} kills`);
    t.diagnostic(`${creations.length} boxes, ${requests.put} sends arrived`);
  });
}

class CrashRun implements AsyncDisposable {
  succeeded = 0;
  cancelled = 0;
  readonly #provider: BoxProcess;
  readonly #random: () => number;
  readonly #server: CrashingServer;

  constructor(database: TestDatabase, provider: BoxProcess, random: () => number) {
    this.#provider = provider;
    this.#random = random;
    this.#server = new CrashingServer(database, config);
  }

  get killed(): number {
    return this.#server.killed;
  }

  async start(): Promise<void> {
    await this.#server.start();
    await registerType(this.#server.running, steeredType, {
      id: { type: "string" },
      password: { type: "string", "x-radius-sensitive": true },
    });
  }

  /** Some deployments at once; one of them is cancelled. */
  async deployUnderFire(round: number): Promise<void> {
    const names = ["a", "b", "c"].map((letter) => `r${round}${letter}`);
    for (const name of names) {
      const group = await DeployGroup.create(this.#client, name);
      await group.start("main", boxDeployment, { account: name, endpoint: this.#provider.url, secret: canary });
    }
    const doomed = names[Math.floor(this.#random() * names.length)] ?? "";
    const doomedAfter = Math.floor(this.#random() * 2);
    for (let hits = 0; this.killed < kills && (await this.#anyRuns(names)); hits += 1) {
      await sleep((hits === 0 ? 0 : this.#server.takeOverMs) + 10 + this.#random() * 250);
      if (hits === doomedAfter) {
        await this.#cancel(doomed);
      }
      await this.#server.kill();
    }
    for (const name of names) {
      await this.#check(name, name === doomed);
    }
  }

  async end(): Promise<void> {
    const intents = (await settledAudit(this.#server.running)).filter(({ intentId }) => intentId !== undefined);
    assert.ok(intents.length > boxCount, "hardly anything is on the audit log");
    await this.#server.stop();
  }

  async secretsAreNowhere(): Promise<void> {
    await this.#server.assertNowhere(canary);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  async #check(name: string, mayBeCancelled: boolean): Promise<void> {
    const group = new DeployGroup(this.#client, name);
    const { state, outputResources, error, body } = await group.ended("main");
    const operations = [...(await group.operations("main")).values()].flat();
    this.#server.saw([body, operations.map((operation) => operation.body)]);
    const { boxes, creations } = await this.#provider.ledger();
    const created = boxes.filter(({ account }) => account === name).map(({ id }) => id);
    const recorded = operations.flatMap(({ kind, target }) =>
      kind === "Create" && target?.type === boxType ? [target.id] : [],
    );
    const what = `${name}: ${state} ${JSON.stringify(error?.wire)}`;

    assert.deepEqual(recorded.toSorted(), created.toSorted(), what);
    const keys = creations.filter(({ id }) => created.includes(id)).map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length, `${what}: something was made twice`);
    const listed = outputResources.filter((id) => id.startsWith("box-"));
    if (mayBeCancelled && state === "Canceled") {
      this.cancelled += 1;
      assert.ok(new Set(listed).isSubsetOf(new Set(created)), what);
      return;
    }
    this.succeeded += 1;
    assert.equal(state, "Succeeded", what);
    assert.equal(created.length, boxCount, what);
    assert.deepEqual(listed.toSorted(), created.toSorted(), what);
  }

  async #cancel(name: string): Promise<void> {
    const group = new DeployGroup(this.#client, name);
    const { state } = await this.#client.deployments.get(group.deploymentId("main"));
    if (!isTerminal(state)) {
      await this.#client.deployments.cancel(group.deploymentId("main")).catch(ignoreEnd);
    }
  }

  async #anyRuns(names: readonly string[]): Promise<boolean> {
    const states = names.map(async (name) => {
      const id = new DeployGroup(this.#client, name).deploymentId("main");
      return (await this.#client.deployments.get(id)).state;
    });
    return (await Promise.all(states)).some((state) => !isTerminal(state));
  }

  get #client(): Client {
    return createClient({ endpoint: this.#server.running.url, token: this.#server.running.token });
  }
}

/** It may have ended since it was read. */
function ignoreEnd(error: unknown): void {
  const { code } = error as JsonObject;
  assert.equal(code, "Conflict", String(error));
}
