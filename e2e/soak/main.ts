// npm run soak -- [--database sqlite|postgresql] [--minutes 60] [--kill-every 5]
//
// Runs a server for a long time at half of what it can do, kills it now and then, restarts PostgreSQL, and prints every
// minute what it holds: memory, descriptors, files, rows. It fails when any of that still grows at the end, or when rows
// outlive their retention.
import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { clientOf, registerType } from "../support/api.ts";
import { databases } from "../support/database.ts";
import type { TestDatabase } from "../support/database.ts";
import { steeredType } from "../support/handlers.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { agingRows, oldestRecordMinutes } from "./rows.ts";
import { Traffic } from "./traffic.ts";

const { values } = parseArgs({
  options: {
    database: { type: "string", default: "sqlite" },
    minutes: { type: "string", default: "60" },
    "kill-every": { type: "string", default: "5" },
  },
});
const minutes = Number(values.minutes);
const killEvery = Number(values["kill-every"]);
const openDatabase = values.database === "postgresql" ? databases.postgresql : databases.sqlite;

/** So that a run of an hour sees the same number of rows come and go. */
const retentionMinutes = 10;
/** A tenth, after which they are pruned, and what a restart of the server and the pruning itself take. */
const oldestMinutes = 1.1 * retentionMinutes + 2;
const retentionDays = retentionMinutes / 1_440;
const config = {
  logging: { level: "error" },
  workerServer: { maxOperationRetryCount: 100 },
  operations: { leaseSeconds: 5, retentionDays },
  audit: { retentionDays },
  deployments: { historyPerGroup: 50 },
} as const;
const callers = 16;

interface Sample {
  readonly minute: number;
  readonly rssMb: number;
  readonly descriptors: number;
  readonly walMb: number;
  readonly databaseMb: number;
  readonly rows: number;
  readonly oldestMinutes: number;
}

await using database = await openDatabase();
let server: ServerProcess | undefined = await database.startServer(config);
await clientOf(server).groups.put("test");
await registerType(server, steeredType, { version: { type: "integer" }, workMs: { type: "integer" } });

const traffic = new Traffic(() => server, callers);
const rate = await throughput(15_000);
traffic.limitTo(rate / 2);
const [limitedAt, doneBefore] = [performance.now(), traffic.done];
say(
  `${values.database}: ${rate.toFixed(0)} requests per second at most; going on with half of it for ${minutes} minutes`,
);

const samples: Sample[] = [];
for (let minute = 1; minute <= minutes; minute += 1) {
  await sleep(60_000);
  samples.push(await take(minute, server, database));
  if (minute % killEvery === 0 && minute < minutes) {
    server = await disturb(minute / killEvery, server);
  }
}
const meanRate = ((traffic.done - doneBefore) / (performance.now() - limitedAt)) * 1_000;
await traffic.end();
for (const [outcome, count] of [...traffic.statuses].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  say(`${outcome}: ${count}`);
}
const grown = stillGrowing(samples);
const failed = [...traffic.statuses.keys()].filter((outcome) => /^\w+ 5/.test(outcome) && !outcome.endsWith(" 503"));
const unpruned = samples.filter((sample) => sample.oldestMinutes > oldestMinutes).map(({ minute }) => minute);
say(`${traffic.done} requests, ${meanRate.toFixed(0)} per second on average`);
say(`grows: ${grown.join(", ") || "nothing"}; failed: ${failed.join(", ") || "nothing"}`);
say(
  `rows older than ${oldestMinutes} minutes: ${unpruned.length === 0 ? "never" : `at minutes ${unpruned.join(", ")}`}`,
);
await server[Symbol.asyncDispose]();
process.exitCode = grown.length + failed.length + unpruned.length === 0 ? 0 : 1;

async function throughput(ms: number): Promise<number> {
  await sleep(5_000);
  const before = traffic.done;
  await sleep(ms);
  return ((traffic.done - before) / ms) * 1_000;
}

/** A kill, a stop, and where there is one a restart of the database, in turns. */
async function disturb(turn: number, running: ServerProcess): Promise<ServerProcess> {
  if (turn % 3 === 2 && database.restart !== undefined) {
    await database.restart();
    say("  the database was restarted");
    return running;
  }
  const signal = turn % 3 === 0 ? "SIGTERM" : "SIGKILL";
  server = undefined;
  await running.end(signal);
  say(`  the server was ended with ${signal}`);
  return await database.startServer(config);
}

async function take(minute: number, running: ServerProcess, from: TestDatabase): Promise<Sample> {
  const { folder, databaseFolder } = from;
  const [, rssKb = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.pid}/status`, "utf8")) ?? [];
  const sample = {
    minute,
    rssMb: Number(rssKb) / 1_024,
    descriptors: readdirSync(`/proc/${running.pid}/fd`).length,
    walMb: sizeMb(folder, "**/*-wal") + sizeMb(databaseFolder, "data/pg_wal/*"),
    databaseMb: sizeMb(folder, "**/radius.db") + sizeMb(databaseFolder, "data/base/**"),
    rows: await agingRows(from.url),
    oldestMinutes: await oldestRecordMinutes(running),
  };
  const shown = Object.entries(sample).map(([name, value]) => `${name} ${Math.round(value)}`);
  say(`${shown.join(", ")}, requests ${traffic.done}`);
  return sample;
}

function sizeMb(folder: string | undefined, glob: string): number {
  if (folder === undefined) {
    return 0;
  }
  const sizes = globSync(glob, { cwd: folder }).map(
    (file) => statSync(path.join(folder, file), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20;
}

/** What is more than a fifth larger in the last third than in the third before it. */
function stillGrowing(all: readonly Sample[]): readonly string[] {
  const third = Math.floor(all.length / 3);
  const mean = (name: keyof Sample, part: readonly Sample[]): number =>
    part.reduce((sum, sample) => sum + sample[name], 0) / part.length;
  const figures = ["rssMb", "descriptors", "walMb", "databaseMb", "rows"] as const;
  return figures.filter((name) => mean(name, all.slice(2 * third)) > 1.2 * mean(name, all.slice(third, 2 * third)));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
