import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { auditLines, clientOf, operationEnd, registerType, request } from "./support/api.ts";
import { chainProperties, chainType } from "./support/chain-type.ts";
import { CrashingServer, survivingKills } from "./support/crashing-server.ts";
import { databases } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { seededRandom } from "./support/random.ts";

// Handlers that save, pause, wait for a child, deploy templates and hold secrets, on a server that is killed again and
// again. RAD_CRASH_KILLS=100 makes it longer, RAD_CRASH_SEED repeats the moments of the kills.
const kills = Number(process.env["RAD_CRASH_KILLS"] ?? 10);
const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);
const canary = `canary-${seed}-${Date.now()}`;
const group = "/planes/radius/local/resourceGroups/test";
/** One slot per queue: whatever waits must not hold it. */
const config = {
  ...survivingKills,
  workerServer: { ...survivingKills.workerServer, maxOperationConcurrency: 1 },
  deployments: { maxConcurrentDeployments: 1 },
};

for (const [name, openDatabase] of Object.entries(databases)) {
  it(`${name}: handlers that save, wait and deploy survive kill -9 (${kills} kills)`, async (t) => {
    t.diagnostic(`RAD_CRASH_KILLS=${kills} RAD_CRASH_SEED=${seed}`);
    await using database = await openDatabase();
    await using run = new CrashRun(database, seededRandom(seed));
    await run.start();

    for (let round = 1; run.killed < kills; round += 1) {
      await run.chainsUnderFire(round);
    }

    await run.everyOperationEndedOnce();
    await run.end();
    await run.nothingWasLost();
    await run.secretsAreNowhere();
    t.diagnostic(`${run.chains} chains, ${run.killed} kills`);
  });
}

class CrashRun implements AsyncDisposable {
  chains = 0;
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
    await clientOf(this.#server.running).groups.put("test");
    await registerType(this.#server.running, chainType, chainProperties);
  }

  /** Starts a few chains, kills the server until they have ended, and looks at what they made. */
  async chainsUnderFire(round: number): Promise<void> {
    const names = Array.from({ length: 4 }, (_, index) => `r${round}c${index}`);
    const operations = await Promise.all(names.map((name) => this.#startChain(name)));
    this.chains += names.length;
    for (
      let takeOverMs = 0;
      this.killed < kills && (await this.#anyRuns(operations));
      takeOverMs = this.#server.takeOverMs
    ) {
      await sleep(takeOverMs + 10 + this.#random() * 300);
      await this.#server.kill();
    }
    for (const [index, operation] of operations.entries()) {
      const end = await operationEnd(this.#server.running, "Test.Chain", operation, 120_000);
      assert.equal(end.status, "Succeeded", `${names[index]}: ${JSON.stringify(end)}`);
    }
    for (const name of names) {
      const properties = await this.#read(name);
      assert.partialDeepStrictEqual(properties, { links: 3, token: null, password: null });
      assert.deepEqual(objectMember(properties, "status")["round"], 3);
      assert.equal((await this.#read(`${name}-child`))["provisioningState"], "Succeeded");
    }
  }

  /** However often the work was tried. */
  async everyOperationEndedOnce(): Promise<void> {
    const outcomes = new Map<string, number>();
    const intents = new Set<string>();
    for (const { phase, operationId } of await auditLines(this.#server.running)) {
      if (operationId !== undefined && phase === "outcome") {
        outcomes.set(operationId, (outcomes.get(operationId) ?? 0) + 1);
      } else if (operationId !== undefined && phase === "intent") {
        intents.add(operationId);
      }
    }
    assert.ok(intents.size > this.chains, "the audit log shows hardly anything");
    assert.deepEqual(
      [...intents].filter((id) => outcomes.get(id) !== 1),
      [],
      "operations that did not end exactly once",
    );
  }

  async nothingWasLost(): Promise<void> {
    const journal = await readFile(this.#journal, "utf8");
    assert.match(journal, /^saved /m);
    assert.doesNotMatch(journal, /^LOST/m);
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

  async #startChain(name: string): Promise<string> {
    const properties = { depth: 2, rounds: 3, child: true, journal: this.#journal, password: canary };
    const answer = await request(this.#server.running, "PUT", this.#id(name), { properties });
    this.#server.saw(answer);
    assert.ok(answer.operationId !== undefined, JSON.stringify(answer));
    return answer.operationId;
  }

  async #anyRuns(operations: readonly string[]): Promise<boolean> {
    const place = "/planes/radius/local/providers/Test.Chain/locations/global/operationStatuses";
    const answers = await Promise.all(operations.map((id) => request(this.#server.running, "GET", `${place}/${id}`)));
    this.#server.saw(answers);
    return answers.some(({ body }) => !isTerminal(String((body as JsonObject)["status"])));
  }

  async #read(name: string): Promise<JsonObject> {
    const { body } = await request(this.#server.running, "GET", this.#id(name));
    this.#server.saw(body);
    return objectMember(body as JsonObject, "properties");
  }

  #id(name: string): string {
    return `${group}/providers/${chainType}/${name}`;
  }

  get #journal(): string {
    return path.join(this.#database.folder, "journal");
  }
}
