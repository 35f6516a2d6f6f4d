import { Connection } from "./load/connection.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";
import { apiVersion, resource, startOurs, syncCollection } from "./subjects.ts";

const few = 100;
const many = 10_000;
const pageSize = 20;
const samples = 301;

/** Milliseconds for one page, from the middle of a short list and of a long one. */
export async function measurePages(): Promise<readonly Measurement[]> {
  await using server = await startOurs();
  const connections = await Promise.all(Array.from({ length: 16 }, () => Connection.open(server.url, server.token)));
  const [first] = connections;
  if (first === undefined) {
    throw new Error("no connection");
  }
  await create(connections, 0, few);
  const short = await middlePage(first, few);
  await create(connections, few, many);
  const long = await middlePage(first, many);
  const again = await middlePage(first, few); // the server is warmer by now than at the first look
  for (const connection of connections) {
    connection.close();
  }
  const baseline = (short + again) / 2;
  const name = `page of ${pageSize} among ${many} resources, against ${few}`;
  return [{ name, value: long, unit: "ms", baseline, figure: long / baseline, target: { atMost: 1.25 } }];
}

async function create(connections: readonly Connection[], from: number, to: number): Promise<void> {
  let next = from;
  const body = JSON.stringify(resource);
  await Promise.all(
    connections.map(async (connection) => {
      while (next < to) {
        const name = `page-${String(next).padStart(6, "0")}`;
        next += 1;
        const reply = await connection.send("PUT", `${syncCollection}/${name}?api-version=${apiVersion}`, { body });
        if (reply.status !== 200) {
          throw new Error(`status ${reply.status}: ${reply.body}`);
        }
      }
    }),
  );
}

async function middlePage(connection: Connection, count: number): Promise<number> {
  let path = `${syncCollection}?api-version=${apiVersion}&top=${pageSize}`;
  for (let page = 0; page < count / pageSize / 2; page += 1) {
    const { nextLink } = JSON.parse((await connection.send("GET", path)).body) as { nextLink: string };
    const link = new URL(nextLink);
    path = `${link.pathname}${link.search}`;
  }
  const times: number[] = [];
  for (let sample = -samples; sample < samples; sample += 1) {
    const started = performance.now();
    const reply = await connection.send("GET", path);
    if (sample >= 0) {
      times.push(performance.now() - started); // the first half warms up
    }
    if (reply.status !== 200) {
      throw new Error(`status ${reply.status}: ${reply.body}`);
    }
  }
  return median(times);
}
