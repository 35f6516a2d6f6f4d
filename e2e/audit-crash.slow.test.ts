import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@rad/core/testing";
import { clientOf, registerType } from "./support/api.ts";
import type { AuditLine } from "./support/api.ts";
import { settledAudit } from "./support/audit-log.ts";
import { sendTraffic } from "./support/audit-traffic.ts";
import type { Sent } from "./support/audit-traffic.ts";
import { CrashingServer, survivingKills } from "./support/crashing-server.ts";
import { databases } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { effectType, steeredType } from "./support/handlers.ts";
import { seededRandom } from "./support/random.ts";

// Changes and refusals over many connections, to a server that is killed again and again: whatever was answered is on the
// audit log, and in the end every intent has one outcome. RAD_CRASH_KILLS=200 makes it longer, RAD_CRASH_SEED repeats the
// requests and the moments of the kills.
const kills = Number(process.env["RAD_CRASH_KILLS"] ?? 10);
const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);
const clients = 12;
/** Before a kill that is not an early one. */
const leastAnswers = 20;

const cases = {
  sqlite: { open: databases.sqlite, survivors: 0, kills },
  postgresql: { open: databases.postgresql, survivors: 0, kills: Math.ceil(kills / 2) },
  "postgresql, beside a process that lives": {
    open: databases.postgresql,
    survivors: 1,
    kills: Math.floor(kills / 2),
  },
} as const;

for (const [name, { open, survivors, kills: count }] of Object.entries(cases)) {
  it(`${name}: the audit log has what was answered, and every intent ends (${count} kills)`, async (t) => {
    t.diagnostic(`RAD_CRASH_KILLS=${kills} RAD_CRASH_SEED=${seed}`);
    await using database = await open();
    await using dying = new CrashingServer(database, survivingKills);
    await dying.start();
    await using living = new CrashingServer(database, survivingKills);
    if (survivors > 0) {
      await living.start();
    }
    await prepare(dying);

    const sent = await sendUnderFire(database, [dying, ...(survivors > 0 ? [living] : [])], count);
    if (survivors > 0) {
      await dying.running.end("SIGKILL"); // the other process has to close its open intents
    }
    const { running } = survivors > 0 ? living : dying;
    const lines = await settledAudit(running);

    const answered = sent.filter(({ status }) => status !== undefined);
    const cutOff = lines.filter(({ result }) => result === "Unknown").length;
    t.diagnostic(`${answered.length} of ${sent.length} requests answered, ${lines.length} records, ${cutOff} Unknown`);
    assert.ok(answered.length >= (leastAnswers / 2) * count, "hardly anything was answered");
    assertOnRecord(answered, lines);
  });
}

async function prepare({ running }: CrashingServer): Promise<void> {
  await clientOf(running).groups.put("shared");
  await registerType(running, steeredType, { workMs: { type: "integer" } });
  await registerType(running, effectType, { workMs: { type: "integer" }, fails: { type: "boolean" } });
}

async function sendUnderFire(
  { token, readerToken }: TestDatabase,
  servers: readonly CrashingServer[],
  count: number,
): Promise<readonly Sent[]> {
  const random = seededRandom(seed);
  const stop = new AbortController();
  let answers = 0;
  const onAnswer = (): void => {
    answers += 1;
  };
  const traffic = Array.from({ length: clients }, async (_, index) => {
    const own = seededRandom(seed + 1 + index);
    const server = (): string => servers[Math.floor(own() * servers.length)]?.running.url ?? "";
    const name = `c${index}`;
    return await sendTraffic({ server, token, readerToken, random: own, name, stop: stop.signal, onAnswer });
  });
  for (let kill = 0; kill < count; kill += 1) {
    // Some hit the server while it takes up what the last one left; before others it gets something done, however slow.
    // Every second kill waits for answers, so that each seed leaves enough of them to compare.
    if (kill % 2 === 1 && random() < 0.5) {
      await sleep(random() * 20);
    } else {
      const before = answers;
      await until("the server answers", async () => answers >= before + leastAnswers, { timeoutMs: 60_000 });
      await sleep(random() * 500);
    }
    await servers[0]?.kill();
  }
  stop.abort();
  return (await Promise.all(traffic)).flat();
}

function assertOnRecord(answered: readonly Sent[], lines: readonly AuditLine[]): void {
  const records = Map.groupBy(lines, ({ correlationId }) => correlationId);
  for (const { correlationId, method, path, status = 0 } of answered) {
    const found = (records.get(correlationId) ?? []).map(({ phase, result = "" }) => `${phase} ${result}`.trim());
    const what = `${method} ${path}: ${status}, ${found.join(", ")}`;
    assert.ok(status < 500, what);
    if (status >= 400) {
      assert.ok(isRefused(found, method, status), what);
    } else if (method !== "GET" && !(method === "DELETE" && status === 204)) {
      assert.ok(found.includes("intent") && !found[0]?.startsWith("refusal"), what);
    }
  }
}

/** One record of the refusal, or, where a handler had begun, that of its failure. Reads are on record for want of access. */
function isRefused(found: readonly string[], method: string, status: number): boolean {
  const [first = "", ...more] = found;
  if (method === "GET" && status !== 401 && status !== 403) {
    return found.length === 0;
  }
  return first.startsWith("refusal ") ? more.length === 0 : found.join() === "intent,outcome Failed";
}
