import assert from "node:assert/strict";
import path from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@rad/client";
import { isTerminal, type JsonObject } from "@rad/core";
import { DeployGroup } from "./deploy/group.ts";
import { largeTemplate } from "./deploy/large-template.ts";
import { registerType } from "./support/api.ts";
import { CrashingServer, survivingKills } from "./support/crashing-server.ts";
import { databases } from "./support/database.ts";
import { steeredType } from "./support/handlers.ts";
import { seededRandom } from "./support/random.ts";
import type { ServerProcess } from "./support/server-process.ts";

// A follower that is cut off again and again, by itself or by the death of the server, and goes on at whichever process
// is there. RAD_CRASH_SEED repeats a run.
const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);
const kills = 4;
const config = {
  ...survivingKills,
  deployments: { concurrency: 10 },
};
const canary = `canary-${seed}`;

for (const [name, openDatabase] of Object.entries(databases)) {
  it(`${name}: a follower misses nothing when it is cut off and servers are killed`, async (t) => {
    t.diagnostic(`RAD_CRASH_SEED=${seed}`);
    const random = seededRandom(seed);
    await using database = await openDatabase();
    const crashing = new CrashingServer(database, config);
    await using _crashing = crashing;
    await crashing.start();
    await registerType(crashing.running, steeredType, {
      version: { type: "integer" },
      workMs: { type: "integer" },
      journal: { type: "string" },
      id: { type: "string" },
      password: { type: "string", "x-radius-sensitive": true },
    });
    // Only PostgreSQL can be shared.
    await using steady = database.url === undefined ? undefined : await database.startServer(config);
    const client = () => createClient({ endpoint: (steady ?? crashing.running).url, token: database.token });
    const group = await DeployGroup.create(client(), "followed");
    const parameters = { secret: canary, journal: path.join(database.folder, "journal") };
    const { operationLink = "" } = await group.start("large", largeTemplate(), parameters);
    const { pathname, search } = new URL(operationLink);

    const follower = new Follower(
      () => (steady !== undefined && random() < 0.5 ? steady : crashing.running),
      pathname + search,
      () => 1 + Math.floor(random() * 60),
    );
    const following = follower.followToEnd();
    while (crashing.killed < kills) {
      await sleep(crashing.takeOverMs / 2 + 100 + random() * 400);
      await crashing.kill();
    }
    await following;

    t.diagnostic(`${follower.connections} connections, ${follower.events} events`);
    const told = await new DeployGroup(client(), "followed").operations("large");
    const expected = [...told.values()].flat().map(({ body }) => [body["id"] as string, body] as const);
    assert.ok(expected.length > 200);
    assert.deepEqual(Object.fromEntries(follower.records), Object.fromEntries(expected));
    assert.equal(follower.status, "Succeeded");
    assert.ok(follower.connections > kills);
    assert.ok(!follower.text.includes(canary));
  });
}

/** Follows an operation and hangs up after some events, and then goes on with the last id. */
class Follower {
  readonly records = new Map<string, JsonObject>();
  status = "";
  connections = 0;
  events = 0;
  text = "";
  readonly #server: () => ServerProcess;
  readonly #path: string;
  readonly #patience: () => number;
  #lastEventId: string | undefined;

  constructor(server: () => ServerProcess, statusPath: string, patience: () => number) {
    this.#server = server;
    this.#path = statusPath;
    this.#patience = patience;
  }

  async followToEnd(): Promise<void> {
    while (!isTerminal(this.status)) {
      await this.#connect().catch(() => sleep(20)); // the server has just been killed
    }
  }

  async #connect(): Promise<void> {
    const { url, token } = this.#server();
    const hangUp = new AbortController();
    const response = await fetch(`${url}${this.#path}`, {
      headers: {
        accept: "text/event-stream",
        authorization: `Bearer ${token}`,
        ...(this.#lastEventId === undefined ? {} : { "last-event-id": this.#lastEventId }),
      },
      signal: hangUp.signal,
    });
    this.connections += 1;
    let left = this.#patience();
    let text = "";
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      this.text += chunk;
      const blocks = (text + chunk).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        left -= this.#read(block) ? 1 : 0;
        if (left === 0) {
          hangUp.abort();
          return;
        }
      }
    }
  }

  #read(block: string): boolean {
    const [, json] = /^data: (.*)$/m.exec(block) ?? [];
    if (json === undefined) {
      return false;
    }
    const data = JSON.parse(json) as JsonObject;
    this.events += 1;
    this.#lastEventId = /^id: (.*)$/m.exec(block)?.[1];
    if (/^event: operation$/m.test(block)) {
      this.records.set(data["id"] as string, data);
    } else {
      this.status = data["status"] as string;
    }
    return true;
  }
}
