import { setTimeout as sleep } from "node:timers/promises";
import { Connection, header } from "./connection.ts";
import type { Reply } from "./connection.ts";

/** What the load generator is asked to do; it runs in a process of its own. */
export interface LoadJob {
  /** Servers that share the connections. */
  readonly urls: readonly string[];
  readonly token: string;
  /** `refused`: a GET for which the token has no permission. */
  readonly kind: "get" | "list" | "refused" | "put" | "putAndWait";
  /** The collection's path, without a final slash. */
  readonly collection: string;
  readonly apiVersion: string;
  readonly body: string;
  readonly connections: number;
  readonly durationMs: number;
  /** Part of the names that `putAndWait` creates, so that rounds do not meet. */
  readonly round: string;
  /** Whether the answer to a PUT comes before its work is done, as with our asynchronous types. */
  readonly poll: boolean;
}

/** Names that GET and PUT go round over; they exist before the measurement. */
export const namesPerConnection = 20;
/** For so many connections there are names. */
export const maxConnections = 32;
/** A connection has so many operations under way before it looks whether the oldest has ended. */
const window = 8;

export interface LoadResult {
  /** Completed requests or, for `putAndWait`, resources that have succeeded. */
  readonly count: number;
  /** As many a second. */
  readonly rate: number;
}

export async function runJob({ urls, token, ...job }: LoadJob): Promise<LoadResult> {
  const connections = await Promise.all(
    Array.from({ length: job.connections }, (_, index) => Connection.open(urls[index % urls.length] ?? "", token)),
  );
  const started = performance.now();
  const deadline = started + job.durationMs;
  const counts = await Promise.all(connections.map((connection, index) => drive(job, connection, index, deadline)));
  const seconds = (performance.now() - started) / 1000;
  for (const connection of connections) {
    connection.close();
  }
  const count = counts.reduce((sum, one) => sum + one, 0);
  return { count, rate: count / seconds };
}

type Work = Omit<LoadJob, "urls" | "token">;

function drive(job: Work, connection: Connection, index: number, deadline: number): Promise<number> {
  return job.kind === "putAndWait"
    ? putAndWait(job, connection, index, deadline)
    : repeat(job, connection, index, deadline);
}

async function repeat(job: Work, connection: Connection, index: number, deadline: number): Promise<number> {
  let count = 0;
  for (; performance.now() < deadline; count += 1) {
    const path = resourcePath(job, `item-${index}-${count % namesPerConnection}`);
    if (job.kind === "put") {
      expect(await connection.send("PUT", path, { body: job.body }));
    } else if (job.kind === "list") {
      expect(await connection.send("GET", `${job.collection}?api-version=${job.apiVersion}&top=20`));
    } else {
      expect(await connection.send("GET", path), job.kind === "refused" ? [403] : [200]);
    }
  }
  return count;
}

async function putAndWait(job: Work, connection: Connection, index: number, deadline: number): Promise<number> {
  const underWay: string[] = [];
  let done = 0;
  for (let count = 0; performance.now() < deadline; count += 1) {
    const path = resourcePath(job, `made-${job.round}-${index}-${count}`);
    const reply = expect(await connection.send("PUT", path, { body: job.body }));
    if (!job.poll) {
      done += 1;
      continue;
    }
    const link = new URL(header(reply.head, "azure-asyncoperation") ?? "missing:");
    underWay.push(`${link.pathname}${link.search}`);
    if (underWay.length >= window) {
      await ended(connection, underWay.shift() ?? "");
      done += 1;
    }
  }
  for (const operation of underWay) {
    await ended(connection, operation);
    done += 1;
  }
  return done;
}

async function ended(connection: Connection, operation: string): Promise<void> {
  for (;;) {
    const { status } = JSON.parse(expect(await connection.send("GET", operation)).body) as { status: string };
    if (status === "Succeeded") {
      return;
    }
    if (status === "Failed" || status === "Canceled") {
      throw new Error(`${operation} ended as ${status}`);
    }
    await sleep(2);
  }
}

function expect(reply: Reply, statuses: readonly number[] = [200, 201]): Reply {
  if (!statuses.includes(reply.status)) {
    throw new Error(`status ${reply.status}: ${reply.body.slice(0, 300)}`);
  }
  return reply;
}

function resourcePath(job: Work, name: string): string {
  return `${job.collection}/${name}?api-version=${job.apiVersion}`;
}
