import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@rad/client";
import { startTestServer } from "@rad/client/testing";
import type { Snapshot } from "../testing/scripted-deployments.ts";
import { operation, scriptedDeployments } from "../testing/scripted-deployments.ts";
import { followDeployment } from "./follow-deployment.ts";

const collection = "/planes/radius/local/resourceGroups/dev/providers/Microsoft.Resources/deployments";
const id = `${collection}/top`;

/** Follows a scripted deployment without waiting; `down` tells which requests find nobody. */
async function follow(snapshots: readonly Snapshot[], down: (request: number) => boolean = () => false) {
  const script = scriptedDeployments({ snapshots });
  let requests = 0;
  await using server = await startTestServer({
    intercept: (request, response) => {
      requests += 1;
      if (down(requests)) {
        response.writeHead(503, { "content-type": "application/json" }).end("{}");
        return true;
      }
      return script(request, response);
    },
  });
  const waits: number[] = [];
  const client = createClient({
    endpoint: server.url,
    sleep: async (ms) => {
      waits.push(ms);
    },
  });
  await client.deployments.start(id, {});
  const seen: string[][] = [];
  const steps: string[][] = [];
  const outages: boolean[] = [];
  const followed = await followDeployment(
    client,
    { id, operationLink: undefined },
    {
      onProgress: (items) => {
        seen.push(items.map(({ name, state, depth }) => `${depth} ${name} ${state}`));
        steps.push(items.flatMap((item) => item.steps.map((step) => `${item.name} ${step.name}`)));
      },
      onOutage: (isAway) => outages.push(isAway),
    },
  );
  const asked = server.requests.flatMap(({ path }) => /operationStatuses\/(\w+)/.exec(path)?.[1] ?? []);
  return { ...followed, seen, steps, asked, waits, outages };
}

const running = { state: "Running" };

test("deployments in deployments are followed by their name, and no longer once they have ended", async () => {
  const child = operation(`${collection}/child`, "Running");
  const done = operation(`${collection}/child`, "Succeeded");
  const { seen } = await follow([
    { ...running, operations: { "": [child] } },
    { ...running, operations: { "": [done], child: [operation("/x/A.B/c/w", "Succeeded")] } },
    { state: "Succeeded", operations: { "": [done], child: [operation("/x/A.B/c/w", "Failed")] } },
  ]);

  assert.deepEqual(seen, [
    ["0 child Running"],
    ["0 child Completed", "1 w Completed"],
    ["0 child Completed", "1 w Completed"],
  ]);
});

test("operations of two modules from one file are told apart", async () => {
  const same = (id: string) => ({ ...operation(id, "Succeeded"), operationId: "0123456789ABCDEF" });
  const { items } = await follow([
    {
      state: "Succeeded",
      operations: {
        "": [operation(`${collection}/one`, "Succeeded"), operation(`${collection}/two`, "Succeeded")],
        one: [same("/x/A.B/c/v")],
        two: [same("/x/A.B/c/w")],
      },
    },
  ]);

  assert.equal(new Set(items.map(({ key }) => key)).size, 4);
});

test("looking gets rarer, most of all while nothing happens", async () => {
  const { waits } = await follow([...Array.from({ length: 30 }, () => running), { state: "Succeeded" }]);

  assert.equal(waits[0], 150);
  assert.equal(waits.at(-1), 5000);
  assert.equal(Math.max(...waits), 5000);
});

test("a control plane that is away for a moment is waited for", async () => {
  const { deployment, outages } = await follow(
    [running, running, { state: "Succeeded" }],
    (count) => count > 3 && count < 20,
  );

  assert.equal(deployment.state, "Succeeded");
  assert.ok(outages.includes(true));
});

test("a control plane that stays away is given up", async () => {
  await assert.rejects(
    follow([running], (count) => count > 3),
    { status: 503 },
  );
});

test("the end is shown at once when the control plane tells it", { timeout: 20_000 }, async () => {
  let listeners = 0;
  let ended = false;
  await using server = await startTestServer({
    intercept: (request, response) => {
      const answer = () => {
        const body = request.path.includes("/operations")
          ? { value: [] }
          : { id, name: "top", properties: { provisioningState: ended ? "Succeeded" : "Running" } };
        response.setHeader("preference-applied", "wait=20");
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      };
      if (request.headers["prefer"] === undefined) {
        answer();
      } else {
        listeners += 1;
        setTimeout(() => {
          ended = true;
          answer();
        }, 50);
      }
      return true;
    },
  });
  const client = createClient({ endpoint: server.url, sleep: () => new Promise(() => {}) });

  const { deployment } = await followDeployment(client, { id, operationLink: undefined }, { onProgress: () => {} });

  assert.equal(deployment.state, "Succeeded");
  assert.equal(listeners, 1);
});

test("a deployment that was started again when it ended is looked at with pauses", { timeout: 20_000 }, async () => {
  let state = "Running";
  let looks = 0;
  await using server = await startTestServer({
    intercept: (request, response) => {
      const isLook = !request.path.includes("/operations") && request.headers["prefer"] === undefined;
      looks += isLook ? 1 : 0;
      const provisioningState = request.headers["prefer"] === undefined ? state : "Succeeded";
      const body = request.path.includes("/operations")
        ? { value: [] }
        : { id, name: "top", properties: { provisioningState } };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      return true;
    },
  });
  const pauses: (() => void)[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const client = createClient({
    endpoint: server.url,
    sleep: (_, signal) => {
      signals.push(signal);
      return new Promise((resolve) => pauses.push(resolve));
    },
  });

  const following = followDeployment(client, { id, operationLink: undefined }, { onProgress: () => {} });
  while (pauses.length < 2) {
    await setImmediate();
  }
  await sleep(50);
  const looksBeforePause = looks;
  state = "Succeeded";
  pauses[1]?.();
  const { deployment } = await following;

  assert.equal(looksBeforePause, 2);
  assert.equal(deployment.state, "Succeeded");
  assert.deepEqual(
    signals.map((signal) => signal?.aborted),
    [true, true],
  );
});

test("an end that is told during a look cuts the next pause short", { timeout: 20_000 }, async () => {
  let tellEnd = () => {};
  let looks = 0;
  await using server = await startTestServer({
    intercept: (request, response) => {
      const answer = (body: object) =>
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      const deployment = (provisioningState: string) => ({ id, name: "top", properties: { provisioningState } });
      if (request.path.includes("/operations")) {
        answer({ value: [] });
      } else if (request.headers["prefer"] !== undefined) {
        tellEnd = () => answer(deployment("Succeeded"));
      } else {
        looks += 1;
        const isLate = looks === 2;
        if (isLate) {
          tellEnd();
        }
        setTimeout(() => answer(deployment(looks > 2 ? "Succeeded" : "Running")), isLate ? 30 : 0);
      }
      return true;
    },
  });
  let pauses = 0;
  const client = createClient({
    endpoint: server.url,
    sleep: () => {
      pauses += 1;
      return pauses === 1 ? Promise.resolve() : new Promise(() => {});
    },
  });

  const { deployment } = await followDeployment(client, { id, operationLink: undefined }, { onProgress: () => {} });

  assert.equal(deployment.state, "Succeeded");
  assert.equal(pauses, 2);
});

const widget = (name: string) => `/planes/radius/local/resourceGroups/dev/providers/A.B/c/${name}`;
const tracked = (name: string, state: string) => operation(widget(name), state, { trackingId: name });
const step = (name: string) => [{ name, state: "Running" }];

test("the steps of resources are asked for while they are running, and not of deployments", async () => {
  const module = { ...operation(`${collection}/child`, "Running", { trackingId: "child" }) };
  const { steps, asked } = await follow([
    { ...running, operations: { "": [tracked("w", "Running"), module], child: [] }, steps: { w: step("one") } },
    {
      ...running,
      operations: { "": [tracked("w", "Succeeded"), module], child: [tracked("inner", "Running")] },
      steps: { inner: step("two") },
    },
    { state: "Succeeded" },
  ]);

  assert.deepEqual(asked, ["w", "inner"]);
  assert.deepEqual(steps, [["w one"], ["inner two"], []]);
});

test("of many resources at most ten are asked about at a time, each in its turn", async () => {
  const names = Array.from({ length: 25 }, (_, index) => `w${index}`);
  const snapshot = {
    ...running,
    operations: { "": names.map((name) => tracked(name, "Running")) },
    steps: Object.fromEntries(names.map((name) => [name, step("s")])),
  };
  const { asked, steps } = await follow([snapshot, snapshot, snapshot, { state: "Succeeded" }]);

  assert.equal(asked.length, 30);
  assert.equal(new Set(asked).size, 25);
  assert.deepEqual(
    steps.map((shown) => shown.length),
    [10, 20, 25, 0],
  );
});

test("an operation that cannot be read is not asked about again, and does no harm", async () => {
  const snapshot = { ...running, operations: { "": [tracked("gone", "Running")] } };
  const { deployment, asked } = await follow([snapshot, snapshot, { state: "Succeeded" }]);

  assert.equal(deployment.state, "Succeeded");
  assert.deepEqual(asked, ["gone"]);
});
