import { compare, cpuRow, rateRow, warmUp } from "./compare.ts";
import type { Comparison, Pair, Rounds } from "./compare.ts";
import type { LoadGenerator } from "./load/generator.ts";
import type { Measurement } from "./report.ts";
import { syncCollection } from "./subjects.ts";

const counts = [1, 8, 32] as const;
type Connections = (typeof counts)[number];

/** Limits for the ratios to the baseline; a row without one is reported and cannot fail. */
interface Target {
  /** Requests per second, at least. */
  readonly rate?: number;
  /** CPU time per request, at most. */
  readonly cpu?: number;
}
type Targets = Readonly<Record<"put" | "get", Readonly<Partial<Record<Connections, Target>>>>>;

export interface Synchronous {
  readonly rows: readonly Measurement[];
  readonly puts: Readonly<Record<Connections, Comparison>>;
}

/** PUT and GET of one resource at 1, 8 and 32 connections: how many a second, and how much CPU time each takes. */
export async function compareSynchronous(
  load: LoadGenerator,
  pair: Pair,
  targets: Targets,
  rounds?: Rounds,
): Promise<Synchronous> {
  const put = await atEach("put");
  const get = await atEach("get");
  return { rows: [...rowsOf("put", put), ...rowsOf("get", get)], puts: put };

  async function atEach(kind: "put" | "get"): Promise<Record<Connections, Comparison>> {
    const at = (connections: Connections): Promise<Comparison> =>
      compare(load, pair, { kind, collection: syncCollection, connections }, rounds);
    await warmUp(load, pair, { kind, collection: syncCollection, connections: 32 });
    // The most connections first: what they still warm up must not look like the cost of few.
    return { 32: await at(32), 8: await at(8), 1: await at(1) };
  }

  function rowsOf(kind: "put" | "get", compared: Record<Connections, Comparison>): readonly Measurement[] {
    const title = (connections: Connections): string =>
      `${kind === "put" ? "synchronous PUT" : "GET"}, ${connections} connection${connections === 1 ? "" : "s"}`;
    return [
      ...counts.map((count) => rateRow(title(count), compared[count], targets[kind][count]?.rate)),
      ...counts.map((count) => cpuRow(title(count), compared[count], targets[kind][count]?.cpu)),
    ];
  }
}
