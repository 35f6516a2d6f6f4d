// Two servers on one PostgreSQL and one volume: what one has begun, the other one ends.
import assert from "node:assert/strict";
import { it } from "node:test";
import { spansIn, startCollector } from "@rad/control-plane/testing";
import { until } from "@rad/core/testing";
import { accepted, readStatus, settled } from "./installer-api.ts";
import { openRig } from "./installer-rig.ts";
import { runCurrent, untilTidy } from "./volume-look.ts";

it("a job of a frozen server is ended by another one, and the first changes nothing when it goes on", async () => {
  await using rig = await openRig("postgresql");
  const release = await rig.mirror.publish("terraform", "1.6.4");
  await using frozen = await rig.startServer();
  using stall = rig.mirror.fault(/zip$/u, { kind: "stall", afterBytes: 100 }, { times: 1 });
  const id = await accepted(frozen, "install", { version: "1.6.4" });
  await until(
    () => "the download has begun",
    () => stall.met === 1,
    { timeoutMs: 60_000 },
  );

  frozen.signal("SIGSTOP");
  await using other = await rig.startServer();
  const taken = await settled(other);
  frozen.signal("SIGCONT");
  stall[Symbol.dispose]();
  const next = await accepted(frozen, "uninstall");
  const status = await settled(frozen);

  assert.deepEqual([taken.state, taken.currentVersion], ["ready", "1.6.4"]);
  assert.equal(release.downloads(), 2);
  assert.deepEqual(
    status.history.map(({ operationId, state }) => [operationId, state]),
    [
      [next, "succeeded"],
      [id, "succeeded"],
    ],
  );
  assert.equal(await runCurrent(rig.root), undefined);
  await untilTidy(rig.root);
});

it("one trace covers the request, the queue and the steps of the install, in whichever process they run", async () => {
  await using collector = await startCollector();
  await using rig = await openRig("postgresql");
  await rig.mirror.publish("terraform", "1.6.4");
  const config = { ...rig.config, tracerProvider: { otlp: { endpoint: collector.url } } };
  await using one = await rig.database.startServer(config);
  await using two = await rig.database.startServer(config);
  const traceId = "0af7651916cd43dd8448eb211c80319c";

  const response = await fetch(`${one.url}/installer/terraform/install`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${one.token}`,
      "content-type": "application/json",
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    },
    body: JSON.stringify({ version: "1.6.4" }),
  });
  await settled(two);
  const { currentVersion } = await readStatus(one);
  await Promise.all([one.end("SIGTERM"), two.end("SIGTERM")]);

  assert.deepEqual([response.status, currentVersion], [202, "1.6.4"]);
  const names = spansIn(collector)
    .filter((span) => span.traceId === traceId)
    .map(({ name }) => name);
  for (const step of ["resolve", "download", "unpack", "prove", "place", "activate"]) {
    assert.ok(names.includes(`terraform ${step}`), `no span for ${step}: ${names.join(", ")}`);
  }
  assert.ok(names.includes("HTTP POST"), names.join(", "));
});
