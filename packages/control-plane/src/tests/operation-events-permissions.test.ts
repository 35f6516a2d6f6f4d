// Who may follow an operation sees what they could read, and nothing else.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { until } from "@rad/core/testing";
import type { ResourceHandler } from "@rad/resources";
import { assign, configuredTokens, createIdentity, type Identity } from "../testing/identities.ts";
import { deploymentsVersion, moduleResource, radiusResource, radiusTemplate } from "../testing/templates.ts";
import { local, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { EventStream } from "./support/follow-events.ts";

const team = `${local}/resourcegroups/team`;
const outer = `${team}/providers/Microsoft.Resources/deployments/outer`;

const reader = createIdentity("reader");
const outerOnly = createIdentity("outer-only");
const statusOnly = createIdentity("status-only");
const stranger = createIdentity("stranger");

const gate = Promise.withResolvers<void>();
const working: ResourceHandler = { put: () => gate.promise };

async function start(directory: string, who: readonly ReturnType<typeof assign>[]): Promise<TestServer> {
  return await startTestServer({
    directory,
    handlers: { "Test.Follow/works": working },
    overrides: {
      operations: { drainSeconds: 1 },
      authentication: configuredTokens(reader, outerOnly, statusOnly, stranger),
      authorization: {
        roles: [{ name: "status-only", permissions: ["Microsoft.Resources/deployments/read"] }],
        assignments: [...who],
      },
    },
  });
}

it("a follower sees the records that they may list, and nobody else's after their role is gone", async () => {
  const directory = await mkdtemp(join(tmpdir(), "radius-test-"));
  const first = await start(directory, [
    assign("radius-reader", reader, team),
    assign("radius-reader", outerOnly, outer),
    assign("status-only", statusOnly, team),
  ]);
  await first.register("Test.Follow", { works: {} });
  await first.call("PUT", `${team}?${systemVersion}`, { body: { location: "global" } });
  const work = radiusResource("Test.Follow/works@2025-01-01", "held");
  const template = radiusTemplate({
    resources: { inner: moduleResource("inner", radiusTemplate({ resources: { work } })) },
  });
  const accepted = await first.call("PUT", `${outer}?${deploymentsVersion}`, {
    body: { properties: { mode: "Incremental", template } },
  });
  const link = accepted.headers.get("azure-asyncoperation") ?? "";
  const follow = (who: Identity, lastEventId?: string): Promise<EventStream> =>
    EventStream.open(link, { token: who.token, lastEventId });
  const all = await follow(reader);
  await until("the work is held", () => all.text.includes("Test.Follow/works"));
  const [part, none, refused] = await Promise.all([follow(outerOnly), follow(statusOnly), follow(stranger)]);
  await until("the status is there", () => none.events.length > 0 && part.events.length > 1);
  await first[Symbol.asyncDispose]();
  await Promise.all([all, part, none, refused].map(({ closed }) => closed));

  const records = ({ events }: EventStream): string[] =>
    events.filter(({ event }) => event === "operation").map(({ data }) => String(data["id"]).split("/").at(-3) ?? "");
  assert.deepEqual(new Set(records(all)), new Set(["outer", "inner"]));
  assert.deepEqual(new Set(records(part)), new Set(["outer"]));
  assert.doesNotMatch(part.text, /Test\.Follow/);
  assert.deepEqual(records(none), []);
  assert.equal(refused.status, 403);

  gate.resolve();
  await using second = await start(directory, [assign("radius-reader", outerOnly, outer)]);
  const again = link.replace(first.url, second.url);
  const lost = await EventStream.open(again, { token: reader.token, lastEventId: all.events.at(-1)?.id });
  const kept = await EventStream.open(again, { token: outerOnly.token, lastEventId: part.events.at(-1)?.id });
  await Promise.all([lost.closed, kept.closed]);
  assert.equal(lost.status, 403);
  assert.equal(kept.events.at(-1)?.data["status"], "Succeeded");
  assert.deepEqual(new Set(records(kept)), new Set(["outer"]));
  await rm(directory, { recursive: true });
});
