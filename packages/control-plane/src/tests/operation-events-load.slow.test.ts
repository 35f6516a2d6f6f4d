// A thousand followers of one deployment, some of whom do not read, cost a server little.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import { local, systemVersion } from "../testing/api-calls.ts";
import { deploymentsVersion, radiusResource, radiusTemplate } from "../testing/templates.ts";
import { type ChildServer, startChildServer } from "./support/child-server.ts";

const followers = 1_000;
const doNotRead = 100;
const resources = 200;
const allowedBytes = 64 * 1024 * 1024;
const group = `${local}/resourcegroups/load`;

it(`${followers} followers, ${doNotRead} of whom do not read, cost at most 64 MB`, { timeout: 300_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "radius-load-"));
  await using server = await startChildServer({
    overrides: {
      logging: { level: "error" },
      server: { port: 0 },
      databaseProvider: { sqlite: { directory: folder } },
    },
  });
  await server.register("Test.Child", { works: {} });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  // A process that has worked has a larger heap than one that has just begun, whoever follows.
  for (let round = 1; round <= 4; round += 1) {
    (await run(server, folder, `warm-${round}`, 50, 0)).forEach((follower) => follower[Symbol.dispose]());
  }
  await sleep(1_000);
  const before = await server.residentBytes();
  let peak = before;
  const watching = setInterval(() => {
    void server.residentBytes().then((bytes) => (peak = Math.max(peak, bytes)));
  }, 50);

  const all = await run(server, folder, "many", followers, doNotRead);
  clearInterval(watching);

  const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
  t.diagnostic(`${megabytes(peak - before)} MB more than ${megabytes(before)} MB`);
  assert.ok(peak - before <= allowedBytes, `${peak - before} bytes`);
  assert.ok(all.slice(doNotRead).every(({ succeeded }) => succeeded.size === resources));
  all.forEach((follower) => follower[Symbol.dispose]());
  await rm(folder, { recursive: true, force: true });
});

/** Deploys while so many follow, the first of whom stop to read; resolves when the others have seen the end. */
async function run(
  server: ChildServer,
  folder: string,
  name: string,
  count: number,
  stuck: number,
): Promise<CountingFollower[]> {
  const go = join(folder, `${name}-go`);
  const held: JsonObject = Object.fromEntries(
    Array.from({ length: resources }, (_, index) => [
      `r${index}`,
      radiusResource("Test.Child/works@2025-01-01", `${name}-${index}`, { properties: { waitsFor: go } }),
    ]),
  );
  const path = `${group}/providers/Microsoft.Resources/deployments/${name}?${deploymentsVersion}`;
  const body = { properties: { mode: "Incremental", template: radiusTemplate({ resources: held }) } };
  const link = (await server.call("PUT", path, { body })).headers.get("azure-asyncoperation") ?? "";
  const all: CountingFollower[] = [];
  while (all.length < count) {
    const more = Array.from({ length: Math.min(50, count - all.length) }, () =>
      CountingFollower.open(link, server.token),
    );
    all.push(...(await Promise.all(more)));
  }
  const reading = all.slice(stuck);
  all.slice(0, stuck).forEach((follower) => follower.pause());
  await until("everybody has begun", () => reading.every(({ hasBegun }) => hasBegun));
  await writeFile(go, "");
  await until("everybody has seen the end", () => reading.every(({ hasEnded }) => hasEnded), { timeoutMs: 120_000 });
  return all;
}

/** Keeps of what it reads only which resources are done: a thousand of them have to fit in here as well. */
class CountingFollower implements Disposable {
  readonly succeeded = new Set<number>();
  hasBegun = false;
  hasEnded = false;
  readonly #response: IncomingMessage;
  #text = "";

  private constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding("utf8");
    response.on("error", () => {});
    response.on("data", (chunk: string) => this.#read(chunk));
  }

  static async open(url: string, token: string): Promise<CountingFollower> {
    const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
    const [response] = (await once(request(url, { agent: false, headers }).end(), "response")) as [IncomingMessage];
    return new CountingFollower(response);
  }

  pause(): void {
    this.#response.pause();
  }

  [Symbol.dispose](): void {
    this.#response.destroy();
  }

  #read(chunk: string): void {
    const blocks = (this.#text + chunk).split("\n\n");
    this.#text = blocks.pop() ?? "";
    for (const block of blocks) {
      this.hasBegun ||= block.includes("event: status");
      this.hasEnded ||= block.includes("/end\n");
      const [, index] = /"provisioningState":"Succeeded".*"resourceName":"[^"]+-(\d+)"/.exec(block) ?? [];
      if (index !== undefined) {
        this.succeeded.add(Number(index));
      }
    }
  }
}
