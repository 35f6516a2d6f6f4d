import { startPostgres } from "@rad/store/testing";
import { openDatabaseOf } from "../e2e/support/database.ts";
import { compare, rateRow } from "./compare.ts";
import type { Comparison, Pair } from "./compare.ts";
import { limitCpu } from "./cpu-quota.ts";
import { LoadGenerator } from "./load/generator.ts";
import type { Measurement } from "./report.ts";
import { asyncCollection, fill, prepare, startBaseline, startOurs, subjectOf, syncCollection } from "./subjects.ts";
import { compareSynchronous } from "./synchronous.ts";

/** Many short turns: with one connection the rate of the same server varies eightfold on a busy machine. */
const rounds = { count: 11, durationMs: 350 };
/** Operations under way at the end of a turn are waited for, so these take longer. */
const asynchronousRounds = { count: 3, durationMs: 1200 };
const connections = 32;
/** Of two processes; the load generator and the database need the rest of two cores. */
const coreShare = 0.2;
const targets = {
  put: { 1: { rate: 0.7 }, 8: { rate: 0.8, cpu: 1.3 }, 32: { rate: 0.8, cpu: 1.3 } },
  get: { 1: { rate: 0.9 }, 8: { rate: 0.9 }, 32: { rate: 0.9 } },
};

/**
 * Our server on PostgreSQL against a bare one with a database of its own on the same PostgreSQL, which is as durable as
 * it is by default. CPU time is that of server and database together.
 */
export async function measurePostgresql(): Promise<readonly Measurement[]> {
  await using postgres = await startPostgres({ settings: { fsync: "on" } });
  await using database = await openDatabaseOf(postgres, await postgres.createDatabase());
  await using ours = await database.startServer();
  await prepare(ours);
  await using baseline = await startBaseline("postgres-server.ts", { DATABASE_URL: await postgres.createDatabase() });
  using load = new LoadGenerator();
  await fill(ours, syncCollection);
  await fill(baseline, syncCollection);
  const pair: Pair = { ours: subjectOf([ours], postgres.pid), baseline: subjectOf([baseline], postgres.pid) };

  const { rows, puts } = await compareSynchronous(load, pair, targets, rounds);
  return [
    ...rows,
    growth("synchronous PUT at 32 connections to 8", puts[32], puts[8], 1),
    growth("synchronous PUT at 32 connections to 1", puts[32], puts[1], 1.5),
    ...(await compareWithTwo()),
    await compareWithSqlite(),
  ].map((row) => ({ ...row, name: `PostgreSQL: ${row.name}` }));

  /**
   * As they are there is no target: with few cores, the load generator and the database leave none to a second process. So
   * each gets a share of a core as well, as containers do: then the servers are what is short. Two do less than twice as
   * much as one, since each has half of the callers, of whom fewer share a transaction.
   */
  async function compareWithTwo(): Promise<readonly Measurement[]> {
    await using second = await database.startServer();
    const two = { ours: subjectOf([ours, second]), baseline: subjectOf([ours]) };
    const name = "synchronous PUT of two server processes to one";
    const measure = (): Promise<Comparison> =>
      compare(load, two, { kind: "put", collection: syncCollection, connections }, rounds);
    const asTheyAre = rateRow(name, await measure());
    await using first = await limitCpu(ours.pid, coreShare);
    await using other = await limitCpu(second.pid, coreShare);
    if (first === undefined || other === undefined) {
      process.stderr.write("no control groups for CPU time here: two limited server processes are not measured\n");
      return [asTheyAre];
    }
    return [asTheyAre, rateRow(`${name}, ${coreShare} cores each`, await measure(), 1.25)];
  }

  async function compareWithSqlite(): Promise<Measurement> {
    await using onSqlite = await startOurs();
    const both = { ours: subjectOf([ours]), baseline: subjectOf([onSqlite]) };
    const compared = await compare(
      load,
      both,
      { kind: "putAndWait", collection: asyncCollection, connections },
      asynchronousRounds,
    );
    return rateRow("asynchronous PUT to Succeeded, to that on SQLite", compared, 0.5);
  }
}

function growth(name: string, many: Comparison, few: Comparison, atLeast: number): Measurement {
  return rateRow(name, { ours: many.ours, baseline: few.ours }, atLeast);
}
