import assert from "node:assert/strict";
import { it } from "node:test";
import { startCountingCloud } from "./counting-cloud.ts";
import type { CountingCloud } from "./counting-cloud.ts";

it("keeps what is created, refuses names that exist, and counts what had an effect", async () => {
  await using cloud = await startCountingCloud();

  assert.equal((await send(cloud, "create", "a", { n: 1 })).status, 201);
  assert.equal((await send(cloud, "create", "a", { n: 2 })).status, 409);
  assert.equal((await send(cloud, "update", "a", { n: 3 })).status, 200);
  assert.deepEqual(await (await send(cloud, "read", "a")).json(), { attributes: { n: 3 } });
  assert.equal((await send(cloud, "delete", "a")).status, 200);
  assert.equal((await send(cloud, "delete", "a")).status, 404);

  assert.deepEqual([cloud.count("create"), cloud.count("update"), cloud.count("delete")], [1, 1, 1]);
  assert.deepEqual(cloud.objects(), []);
});

it("fails before or after the effect, as often as asked for", async () => {
  await using cloud = await startCountingCloud();
  using before = cloud.fault(/^create thing a$/u, { kind: "fail", when: "before" }, { times: 1 });
  using after = cloud.fault(/^create thing b$/u, { kind: "fail", when: "after", status: 503 }, { times: 1 });

  assert.equal((await send(cloud, "create", "a")).status, 500);
  assert.equal((await send(cloud, "create", "b")).status, 503);

  assert.deepEqual(
    cloud.objects().map(({ id }) => id),
    ["b"],
  );
  assert.equal((await send(cloud, "create", "a")).status, 201);
  assert.deepEqual([before.met, after.met], [1, 1]);
});

it("stalls after the effect until the fault is disposed, and calls the test with the processes of a request", async () => {
  await using cloud = await startCountingCloud();
  const stall = cloud.fault(/^create/u, { kind: "stall", when: "after" });
  const seen: number[] = [];
  using _ = cloud.fault(/^delete/u, {
    kind: "call",
    when: "before",
    call: (request) => void seen.push(request.terraformPid),
  });

  const created = send(cloud, "create", "a");
  await stall.first;
  assert.equal(cloud.objects().length, 1);
  stall[Symbol.dispose]();
  assert.equal((await created).status, 201);
  await send(cloud, "delete", "a");

  assert.deepEqual(seen, [4711]);
});

async function send(cloud: CountingCloud, action: string, id: string, attributes: object = {}): Promise<Response> {
  const body = JSON.stringify({ action, type: "thing", id, attributes, terraformPid: 4711, providerPid: 4712 });
  return await fetch(cloud.url, { method: "POST", body });
}
