// What modules bring to a server, and what happens when one of them cannot be started.
import assert from "node:assert/strict";
import { it } from "node:test";
import { systemClock } from "@rad/core";
import type { Module, ModuleFactory } from "@rad/modules";
import { userDefinedPolicy } from "@rad/resources";
import { StoreError } from "@rad/store";
import { until } from "@rad/core/testing";
import { startTestServer } from "../testing/test-server.ts";

const version = "api-version=2023-10-01-preview";

function moduleOf(name: string, module: Module): ModuleFactory {
  return { name, create: () => module };
}

it("a module brings routes, planes and housekeeping, and is disposed with the server", async () => {
  const seen: string[] = [];
  const swept = Promise.withResolvers<void>();
  const module = moduleOf("greeter", {
    planes: [{ name: "greeters", type: "System.Greeters/planes", schema: {}, initial: { second: {} } }],
    routes: [
      {
        method: "GET",
        path: "/greeting",
        permission: "Test.Greeter/greeting/read",
        handle: ({ caller }) => ({ status: 200, headers: { "Content-Type": "text/plain" }, body: caller.subject }),
      },
    ],
    housekeeping: async () => {
      seen.push("swept");
      swept.resolve();
    },
    [Symbol.asyncDispose]: async () => {
      seen.push("disposed");
    },
  });
  {
    await using server = await startTestServer({ modules: [module] });

    const greeting = await server.call("GET", "/greeting");
    const plane = await server.call("GET", `/planes/greeters/second?${version}`);
    await swept.promise;

    assert.equal(greeting.text, "local-admin");
    assert.equal(plane.status, 200);
  }
  assert.deepEqual(seen, ["swept", "disposed"]);
});

it("a failure of a module's housekeeping is logged and ends nothing", async () => {
  const failed = Promise.withResolvers<void>();
  const module = moduleOf("careless", {
    housekeeping: async () => {
      failed.resolve();
      throw new Error("the broom is gone");
    },
  });
  await using server = await startTestServer({ modules: [module] });

  await failed.promise;

  assert.equal((await server.call("GET", "/readyz")).status, 200);
});

it("a module that cannot be started is named, and the modules before it are stopped", async () => {
  let stopped = 0;
  const first = moduleOf("first", {
    [Symbol.asyncDispose]: async () => {
      stopped += 1;
    },
  });
  const broken: ModuleFactory = {
    name: "broken",
    create: () => Promise.reject(new Error("no binary")),
  };

  await assert.rejects(startTestServer({ modules: [first, broken] }), {
    code: "ModuleFailed",
    message: "The module 'broken' cannot be started: no binary",
  });
  assert.equal(stopped, 1);
});

for (const [what, dispose] of [
  ["fails to stop", () => Promise.reject(new Error("stuck"))],
  ["never stops", () => new Promise<void>(() => {})],
] as const) {
  it(`a module that ${what} hides no failure at the start, and keeps no server from stopping`, async () => {
    const careless = moduleOf("careless", { [Symbol.asyncDispose]: dispose });
    const broken: ModuleFactory = { name: "broken", create: () => Promise.reject(new Error("no binary")) };
    const overrides = { operations: { drainSeconds: 1 } };

    const starting = startTestServer({ modules: [careless, broken], overrides });
    await assert.rejects(starting, { code: "ModuleFailed", message: /'broken'.*no binary/ });
    const server = await startTestServer({ modules: [careless], overrides });
    await server[Symbol.asyncDispose]();

    await assert.rejects(fetch(`${server.url}/healthz`));
  });
}

it("a type whose queue no worker serves is refused at the start", async () => {
  const module = moduleOf("idle", {
    types: [{ name: "Test.Idle/things", policy: { ...userDefinedPolicy, queue: "nobody" } }],
  });

  await assert.rejects(startTestServer({ modules: [module] }), {
    code: "ModuleFailed",
    message: /'Test\.Idle\/things' names the queue 'nobody', which no worker serves/,
  });
});

it("a module gives the handlers of its types a queue of their own", async () => {
  const running = new Set<string>();
  let most = 0;
  const module = moduleOf("ordered", {
    types: [
      {
        name: "Test.Ordered/things",
        versions: { "2025-01-01": {} },
        policy: { ...userDefinedPolicy, queue: "ordered" },
        handler: {
          put: async ({ id }) => {
            running.add(id.name);
            most = Math.max(most, running.size);
            await systemClock.sleep(5);
            running.delete(id.name);
          },
        },
      },
    ],
    workers: [{ queues: [{ name: "ordered", concurrency: 1, fifo: true }], slots: 4, maxAttempts: 1 }],
  });
  await using server = await startTestServer({ modules: [module] });
  const group = "/planes/radius/local/resourceGroups/ordered";
  await server.call("PUT", `${group}?${version}`, { body: { location: "global" } });

  const replies = await Promise.all(
    ["a", "b", "c", "d"].map((name) =>
      server.call("PUT", `${group}/providers/Test.Ordered/things/${name}?api-version=2025-01-01`, {
        body: { properties: {} },
      }),
    ),
  );
  const ended = await Promise.all(replies.map((reply) => server.settle(reply)));

  assert.ok(ended.every(({ status }) => status === "Succeeded"));
  assert.equal(most, 1);
});

it("two modules that bring the deployment target of one provider are refused, as is one for our own types", async () => {
  const target = {} as NonNullable<Module["targets"]>["aws"] & object;
  const first = moduleOf("first", { targets: { aws: target } });
  const second = moduleOf("second", { targets: { aws: target } });

  await assert.rejects(startTestServer({ modules: [first, second] }), {
    code: "ModuleFailed",
    message: /'second'.*'aws' have a deployment target already/,
  });
  await assert.rejects(startTestServer({ modules: [moduleOf("own", { targets: { radius: target } })] }), {
    code: "ModuleFailed",
  });
});

it("a module that finds the database away is created again when it is back", async () => {
  let tries = 0;
  const patient: ModuleFactory = {
    name: "patient",
    create: () => {
      tries += 1;
      if (tries === 1) {
        throw new StoreError("Unavailable", "away");
      }
      return {};
    },
  };

  await using server = await startTestServer({ modules: [patient] });
  const before = await server.call("GET", "/readyz");
  const after = await until("the server is ready", async () => (await server.call("GET", "/readyz")).status === 200);

  assert.equal(before.status, 503);
  assert.deepEqual([after, tries], [true, 2]);
});
