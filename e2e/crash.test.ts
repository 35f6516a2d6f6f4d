import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@rad/core/testing";
import { auditLines, clientOf, group, operationEnd, registerType, request } from "./support/api.ts";
import type { Server } from "./support/api.ts";
import { survivingKills } from "./support/crashing-server.ts";
import { databases } from "./support/database.ts";
import { steeredType } from "./support/handlers.ts";
import { seededRandom } from "./support/random.ts";
import type { ServerProcess } from "./support/server-process.ts";

// RAD_CRASH_KILLS and RAD_CRASH_SEED make it longer, or repeat a run. The seed decides what is asked for and when the
// server dies; how far the server has come by then is up to the machine.
const kills = Number(process.env["RAD_CRASH_KILLS"] ?? 20);
const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);

const writers = 8;
const namesPerWriter = 16;
const namespace = "Test.Steered";
const config = survivingKills;

/** What a writer did to one resource, in order. Without an answer nobody knows whether the server took it. */
interface Change {
  readonly kind: "put" | "delete";
  readonly version: number;
  readonly acknowledged: boolean;
  readonly operationId: string | undefined;
}

for (const [name, openDatabase] of Object.entries(databases)) {
  it(`${name}: what was acknowledged survives kill -9, and every operation ends once (${kills} kills)`, async (t) => {
    t.diagnostic(`RAD_CRASH_KILLS=${kills} RAD_CRASH_SEED=${seed}`);
    await using database = await openDatabase();
    const random = seededRandom(seed);
    let server: ServerProcess | undefined = await database.startServer(config);
    await clientOf(server).groups.put("test");
    await registerType(server, steeredType, { version: { type: "integer" }, workMs: { type: "integer" } });

    const changes = new Map<string, Change[]>();
    const stop = new AbortController();
    const traffic = Array.from({ length: writers }, (_, index) =>
      write(() => server, seededRandom(seed + 1 + index), `w${index}`, changes, stop.signal),
    );
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(30 + random() * 300);
      const dying = server;
      server = undefined;
      await dying.end("SIGKILL");
      server = await database.startServer(config);
    }
    stop.abort();
    await Promise.all(traffic);

    await using last = server;
    const all = [...changes.values()].flat();
    const acknowledged = all.filter((change) => change.acknowledged);
    t.diagnostic(`${acknowledged.length} changes acknowledged, ${all.length - acknowledged.length} left open`);
    assert.ok(acknowledged.length > kills, "hardly anything was written");

    await everyOperationSucceeds(last, acknowledged);
    for (const [resource, made] of changes) {
      await resourceIsAsLastAcknowledged(last, resource, made);
    }
    await everyOperationHasOneOutcome(last, acknowledged);
  });
}

/** Changes its own resources, one after the other, until it is told to stop. */
async function write(
  server: () => Server | undefined,
  random: () => number,
  prefix: string,
  changes: Map<string, Change[]>,
  stop: AbortSignal,
): Promise<void> {
  for (let version = 1; !stop.aborted; version += 1) {
    const target = server();
    if (target === undefined) {
      await sleep(5);
      continue;
    }
    const resource = `${group}/providers/${steeredType}/${prefix}-${Math.floor(random() * namesPerWriter)}`;
    const kind = random() < 0.7 ? "put" : "delete";
    const body = kind === "put" ? { properties: { version, workMs: Math.floor(random() * 60) } } : undefined;
    const answer = await request(target, kind.toUpperCase(), resource, body).catch(() => undefined);
    const made = changes.get(resource) ?? [];
    changes.set(resource, made);
    if (answer === undefined) {
      made.push({ kind, version, acknowledged: false, operationId: undefined });
    } else if ([201, 202, 204].includes(answer.status)) {
      made.push({ kind, version, acknowledged: true, operationId: answer.operationId });
    } else {
      assert.equal(answer.status, 409, JSON.stringify(answer.body)); // an earlier change is still at work
      await sleep(10);
    }
  }
}

async function everyOperationSucceeds(server: Server, acknowledged: readonly Change[]): Promise<void> {
  for (const { operationId } of acknowledged) {
    if (operationId !== undefined) {
      const { status, error } = await operationEnd(server, namespace, operationId);
      assert.equal(status, "Succeeded", `operation ${operationId}: ${JSON.stringify(error)}`);
    }
  }
}

async function resourceIsAsLastAcknowledged(server: Server, resource: string, made: readonly Change[]): Promise<void> {
  const lastKnown = made.findLastIndex((change) => change.acknowledged);
  const possible = made.slice(Math.max(lastKnown, 0));
  const answer = await settled(server, resource);
  const found =
    answer === undefined
      ? possible.some((change) => change.kind === "delete") || lastKnown < 0
      : possible.some((change) => change.kind === "put" && change.version === answer.version);
  const story = made.map((change) => `${change.acknowledged ? "" : "?"}${change.kind} ${change.version}`).join(", ");
  assert.ok(found, `${resource} is ${JSON.stringify(answer)} after ${story}`);
}

/** The resource once nothing is at work on it any more. */
async function settled(server: Server, resource: string): Promise<{ version: number } | undefined> {
  const { version } = await until(
    `${resource} comes to rest`,
    async () => {
      const { status, body } = await request(server, "GET", resource);
      if (status === 404) {
        return { version: undefined };
      }
      const { properties } = body as unknown as { properties: { version: number; provisioningState: string } };
      return properties.provisioningState === "Succeeded" && { version: properties.version };
    },
    { timeoutMs: 60_000 },
  );
  return version === undefined ? undefined : { version };
}

async function everyOperationHasOneOutcome(server: Server, acknowledged: readonly Change[]): Promise<void> {
  const phases = new Map<string, string[]>();
  for (const { operationId, phase } of await auditLines(server)) {
    if (operationId !== undefined) {
      phases.set(operationId, [...(phases.get(operationId) ?? []), phase]);
    }
  }
  for (const [operationId, recorded] of phases) {
    assert.deepEqual(recorded, ["intent", "outcome"], `audit records of ${operationId}`);
  }
  for (const { operationId } of acknowledged) {
    assert.ok(operationId === undefined || phases.has(operationId), `${operationId} is not in the audit log`);
  }
}
